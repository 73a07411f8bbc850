import { noteCall, noteOf, type Note, type OwnedWay } from './owned-way.ts';

const twin = (name: string, note: Note) => `CREATE FUNCTION ${name} IMMUTABLE ${note('$1')}`;

/** What the owner of a database makes of its `search_path`. */
export const pathWays: readonly OwnedWay[] = [
  {
    // From PostgreSQL 16 on its body is bound to functions when it is made.
    name: 'function of an extension that calls without a schema',
    until: 15,
    setup: (note) => [
      `CREATE FUNCTION loot.cos(float8) RETURNS float8 ${note('pg_catalog.cos($1)')}`,
    ],
    statement: 'SELECT public.ll_to_earth(1, 2)',
  },
  {
    name: 'function of a superuser that calls without a schema',
    setup: (note) => [twin('loot.abs(int) RETURNS int', note)],
    statement: 'SELECT public.distance(1, 2)',
  },
  {
    name: 'function before pg_catalog',
    setup: (note) => [twin('loot.upper(text) RETURNS text', note)],
    statement: 'SELECT upper(word) FROM loot.source',
  },
  {
    name: 'operator before pg_catalog',
    setup: (note) => [
      `CREATE FUNCTION loot.equal(int, int) RETURNS bool ${note('true')}`,
      'CREATE OPERATOR loot.= (FUNCTION = loot.equal, LEFTARG = int, RIGHTARG = int)',
    ],
    statement: 'SELECT rating FROM loot.source WHERE id = 1',
  },
  {
    name: 'type before pg_catalog',
    setup: (note) => [
      `CREATE FUNCTION loot.checks_int8(pg_catalog.int8) RETURNS bool ${note('true')}`,
      'CREATE DOMAIN loot.int8 AS pg_catalog.int8 CHECK (loot.checks_int8(VALUE))',
    ],
    statement: 'SELECT id::int8 FROM loot.source',
  },
  {
    name: 'view before pg_catalog',
    setup: (note) => [
      `CREATE FUNCTION loot.settings() RETURNS text ${note("'x'")}`,
      'CREATE VIEW loot.pg_settings AS SELECT loot.settings() AS name',
    ],
    statement: 'SELECT name FROM pg_settings',
  },
  {
    name: 'aggregate before pg_catalog',
    setup: (note) => [
      `CREATE FUNCTION loot.one_more(pg_catalog.int8) RETURNS pg_catalog.int8 ${note('$1 + 1')}`,
      'CREATE AGGREGATE loot.count(*) (SFUNC = loot.one_more, STYPE = pg_catalog.int8, INITCOND = 0)',
    ],
    statement: 'SELECT count(*) FROM loot.source',
  },
];

/** Everybody may make things in `public`, as by default before PostgreSQL 15. */
export const openWays: readonly OwnedWay[] = [
  {
    name: 'function of whoever likes, in the schema public',
    setup: (note) => [twin('public.lower(varchar) RETURNS varchar', note)],
    statement: `SELECT lower('X'::varchar)`,
  },
  {
    name: 'operator of whoever likes, in the schema public',
    setup: (note) => [
      `CREATE FUNCTION public.same_word(varchar, varchar) RETURNS bool ${note('true')}`,
      'CREATE OPERATOR public.<> (FUNCTION = public.same_word, LEFTARG = varchar, RIGHTARG = varchar)',
    ],
    statement: `SELECT 'a'::varchar <> 'b'`,
  },
];

/** An administrator's database, in which others were given room. */
export const grantedWays: readonly OwnedWay[] = [
  {
    name: 'schema with the name of the victim',
    setup: (note) => [
      'CREATE SCHEMA analyst',
      'GRANT USAGE ON SCHEMA analyst TO PUBLIC',
      `CREATE FUNCTION analyst.looks() RETURNS int ${note('1')}`,
      'CREATE VIEW analyst.orders AS SELECT analyst.looks() AS id',
      'GRANT SELECT ON analyst.orders TO PUBLIC',
    ],
    statement: 'SELECT id FROM orders',
  },
  {
    name: 'function of a third role that may create',
    by: 'third',
    setup: (note) => [twin('public.reverse(varchar) RETURNS varchar', note)],
    statement: `SELECT reverse('x'::varchar)`,
  },
];

/** The owner is a role that the victim is a member of. */
export const crewWays: readonly OwnedWay[] = [
  {
    name: 'function of a role that the victim is a member of',
    by: 'crew',
    setup: (note) => [`CREATE FUNCTION loot.of_crew() RETURNS int ${note('1')}`],
    statement: 'SELECT loot.of_crew()',
  },
  {
    name: 'path that was set for the victim alone',
    by: 'crew',
    setup: (note) => [twin('loot.initcap(text) RETURNS text', note)],
    statement: `SELECT initcap('x')`,
  },
];

/** Who made a trusted extension owns it, and may add to it what he made himself. */
export const extensionWays: readonly OwnedWay[] = [
  {
    name: 'member of an extension whose owner is no superuser',
    setup: (note) => [
      'CREATE SCHEMA loot',
      'GRANT USAGE ON SCHEMA loot TO PUBLIC',
      'CREATE EXTENSION citext SCHEMA loot',
      `CREATE FUNCTION loot.same_length(loot.citext, loot.citext) RETURNS bool ${note('true')}`,
      'CREATE OPERATOR loot.=# (FUNCTION = loot.same_length, LEFTARG = loot.citext, RIGHTARG = loot.citext)',
      'ALTER EXTENSION citext ADD FUNCTION loot.same_length(loot.citext, loot.citext)',
      'ALTER EXTENSION citext ADD OPERATOR loot.=# (loot.citext, loot.citext)',
    ],
    statement: `SELECT 'a'::loot.citext OPERATOR(loot.=#) 'b'`,
  },
];

/** PostgreSQL keeps no record of what its own roles own (`pg_shdepend` has nothing of pinned ones). */
export const predefinedWays: readonly OwnedWay[] = [
  {
    name: 'function that was given to pg_monitor',
    setup: (note) => [
      `CREATE FUNCTION public.given() RETURNS int ${note('1')}`,
      'ALTER FUNCTION public.given() OWNER TO pg_monitor',
    ],
    statement: 'SELECT public.given()',
  },
];

/** Who may make triggers needs to own nothing: a condition calls whatever there is. */
export const triggerWays: readonly OwnedWay[] = [
  {
    name: 'condition of a trigger on a table of a superuser',
    writes: true,
    setup: () => [
      `CREATE TRIGGER hers BEFORE INSERT ON public.entries FOR EACH ROW WHEN (public.audit('condition of a trigger on a table of a superuser')) EXECUTE FUNCTION pg_catalog.suppress_redundant_updates_trigger()`,
    ],
    statement: 'INSERT INTO public.entries VALUES (1)',
  },
];

/**
 * Views of mallory's that a superuser's foreign tables lead to: read directly, through a view, through a view of a view, and in
 * a function, which no look at a statement finds.
 */
const remote = [1, 2, 3, 4].map((depth) => ({ depth, view: `near_${depth}` }));

/** In mallory's database. */
export const remoteViews: readonly string[] = remote.flatMap(({ depth, view }) => [
  `CREATE FUNCTION loot.of_${view}() RETURNS int ${noteOf(remoteName(depth))('1')}`,
  `CREATE VIEW loot.${view} AS SELECT loot.of_${view}() AS id`,
]);

/** In the superuser's. */
export const remoteTables: readonly string[] = [
  ...remote.map(
    ({ depth, view }) =>
      `CREATE FOREIGN TABLE public.far_${depth} (id int) SERVER far OPTIONS (schema_name 'loot', table_name '${view}')`,
  ),
  'CREATE VIEW public.listed_2 AS SELECT id FROM public.far_2',
  'CREATE VIEW public.between AS SELECT id FROM public.far_3',
  'CREATE VIEW public.listed_3 AS SELECT id FROM public.between',
  `CREATE FUNCTION public.fetched() RETURNS int LANGUAGE sql AS 'SELECT id FROM public.far_4'`,
  'GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC',
];

const remoteWay = (depth: number, statement: string): OwnedWay => ({
  name: remoteName(depth),
  setup: () => [],
  statement,
});

export const remoteWays: readonly OwnedWay[] = [
  remoteWay(1, 'SELECT id FROM public.far_1'),
  remoteWay(2, 'SELECT id FROM public.listed_2'),
  remoteWay(3, 'SELECT id FROM public.listed_3'),
  remoteWay(4, 'SELECT public.fetched()'),
];

function remoteName(depth: number): string {
  return depth === 4
    ? 'foreign table of a superuser, in a function'
    : `foreign table of a superuser, ${depth - 1} views deep`;
}

const greeting = 'function of an event trigger on login';

/** What an administrator had run at each login (PostgreSQL 17). */
export const loginWays: readonly OwnedWay[] = [
  {
    name: greeting,
    atLogin: true,
    setup: () => [
      `CREATE FUNCTION public.greet() RETURNS event_trigger LANGUAGE plpgsql AS $f$ BEGIN ${noteCall(greeting)}; END $f$`,
    ],
    statement: 'SELECT 17',
  },
];
