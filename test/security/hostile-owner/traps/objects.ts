import { evil, loginMark } from './notes.ts';

/** Beside the twins: what an owner leaves in the schema that everybody uses. Run by the owner. */
export const ownersObjects: readonly string[] = [
  'CREATE TABLE public.orders (id int PRIMARY KEY, city text, total numeric)',
  `INSERT INTO public.orders SELECT n, 'Rome', n FROM generate_series(1, 500) AS n`,
  'GRANT SELECT, INSERT, UPDATE, DELETE ON public.orders TO PUBLIC',
  'GRANT USAGE ON SCHEMA public TO PUBLIC',
  // Rails keeps the name of an environment in a table of this name.
  `CREATE TYPE public.mood AS ENUM ('environment', 'development', 'production')`,
  `CREATE FUNCTION public.mood_text(public.mood) RETURNS text LANGUAGE sql AS $b$ SELECT ${evil}.noted('cast mood to text'); SELECT 'production'::text $b$`,
  'CREATE CAST (public.mood AS text) WITH FUNCTION public.mood_text(public.mood) AS IMPLICIT',
  `CREATE VIEW public.ar_internal_metadata AS SELECT 'environment'::public.mood AS key, 'production'::text AS value, now() AS created_at WHERE ${evil}.noted('view ar_internal_metadata')`,
  'GRANT SELECT ON public.ar_internal_metadata TO PUBLIC',
  // Tables that do something to whoever reads them, or writes.
  `CREATE TABLE public.users (id int DEFAULT (CASE WHEN ${evil}.noted('default of users') THEN 1 END), name text CHECK (${evil}.noted('check of users')))`,
  `INSERT INTO public.users VALUES (1, 'Ada')`,
  'ALTER TABLE public.users ENABLE ROW LEVEL SECURITY',
  'ALTER TABLE public.users FORCE ROW LEVEL SECURITY',
  `CREATE POLICY everybody ON public.users USING (${evil}.noted('policy of users'))`,
  `CREATE RULE also AS ON UPDATE TO public.users DO ALSO SELECT ${evil}.noted('rule of users')`,
  'GRANT ALL ON public.users TO PUBLIC',
  // Names that a tool may look for without a schema.
  ...[
    'schema_migrations',
    'schema_info',
    'knex_migrations',
    '_prisma_migrations',
    'flyway_schema_history',
    'django_migrations',
    'pg_stat_statements',
    'pg_stat_statements_info',
    'pg_buffercache',
  ].map(
    (name) =>
      `CREATE VIEW ${evil}.${name} AS SELECT 1 AS id WHERE ${evil}.noted('relation ${name}')`,
  ),
];

/**
 * Made on the owner's behalf by an administrator, for PostgreSQL 17 and newer: code at every login. A superuser logs in without it
 * (`event_triggers=off`), which nobody else may. So it runs as an ordinary role, in a session that is read-only already, and before the first
 * statement of ours, which sets anew what it set.
 */
export function loginTriggerSql(schema: string, searchPath: string): readonly string[] {
  return [
    `CREATE FUNCTION ${schema}.greet() RETURNS event_trigger LANGUAGE plpgsql AS $b$
     BEGIN
       RAISE LOG '${loginMark}: ran as %', current_user;
       PERFORM pg_catalog.set_config('search_path', '${searchPath}', false), pg_catalog.set_config('default_transaction_read_only', 'off', false);
     END $b$`,
    `CREATE EVENT TRIGGER greet ON login EXECUTE FUNCTION ${schema}.greet()`,
    'ALTER EVENT TRIGGER greet ENABLE ALWAYS',
  ];
}
