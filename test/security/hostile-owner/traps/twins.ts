import { evil } from './notes.ts';

/** One kind of names: the statements that plant a twin for each name of `pg_catalog`, as far as an ordinary role may. */
export interface TwinKind {
  readonly name: string;
  /** A query with one column `statement`. */
  readonly statements: string;
}

/** Pseudo-types that only functions in C take: `any`, `internal`, `cstring` and the like. */
const cannotTake = `(SELECT array_agg(oid) FROM pg_type WHERE typtype = 'p' AND typname !~ '^any.' AND typname NOT IN ('record', '_record', 'void'))`;

/** A body of two statements is never inlined, and calls the system's own function, so that whoever is deceived sees the right answer. */
const body = (what: string, answer: string) =>
  `format($f$AS $b$ SELECT ${evil}.noted(%L); SELECT %s $b$$f$, ${what}, ${answer})`;

const functions = `
  SELECT format('CREATE FUNCTION ${evil}.%I(%s) RETURNS %s LANGUAGE sql ', p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid))
      || ${body("'function ' || p.oid::regprocedure", "format(CASE WHEN p.proretset OR p.proargmodes IS NOT NULL THEN '* FROM pg_catalog.%I(%s) AS t' ELSE 'pg_catalog.%I(%s)' END, p.proname, passed.list)")} AS statement
    FROM pg_proc AS p,
         LATERAL (SELECT string_agg(CASE WHEN p.provariadic <> 0 AND n = p.pronargs THEN 'VARIADIC $' ELSE '$' END || n, ', ' ORDER BY n) AS list FROM generate_series(1, p.pronargs) AS n) AS passed
   WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND NOT p.proargtypes::oid[] && ${cannotTake} AND NOT ARRAY[p.prorettype] && ${cannotTake}`;

const operators = `
  SELECT format('CREATE FUNCTION ${evil}.operator_%s(%s) RETURNS %s LANGUAGE sql ', o.oid, concat_ws(', ', nullif(o.oprleft, 0)::regtype, nullif(o.oprright, 0)::regtype), o.oprresult::regtype)
      || ${body("'operator ' || o.oid::regoperator", "format(CASE WHEN o.oprleft = 0 THEN 'OPERATOR(pg_catalog.%s) $1' ELSE '$1 OPERATOR(pg_catalog.%s) $2' END, o.oprname)")}
      || format('; CREATE OPERATOR ${evil}.%s (FUNCTION = ${evil}.operator_%s%s%s)', o.oprname, o.oid, ', LEFTARG = ' || nullif(o.oprleft, 0)::regtype, ', RIGHTARG = ' || nullif(o.oprright, 0)::regtype) AS statement
    FROM pg_operator AS o
   WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprright <> 0 AND o.oprcode <> 0 AND NOT ARRAY[o.oprleft, o.oprright, o.oprresult] && ${cannotTake}`;

/** Pairs that `pg_catalog` serves by a conversion only: an exact match of somebody else wins even from behind it on the path. */
const closerOperators = `
  SELECT format('CREATE FUNCTION ${evil}.closer_%s(%s, %s) RETURNS bool LANGUAGE sql ', n, l, r)
      || ${body("format('operator %s (%s, %s)', name, l, r)", "format('$1::pg_catalog.text OPERATOR(pg_catalog.%s) $2::pg_catalog.text', name)")}
      || format('; CREATE OPERATOR ${evil}.%s (FUNCTION = ${evil}.closer_%s, LEFTARG = %s, RIGHTARG = %s)', name, n, l, r) AS statement
    FROM (SELECT name, l, r, row_number() OVER () AS n
            FROM unnest(ARRAY['=', '<>', '<', '>', '<=', '>=', '~~', '!~~', '~', '!~']) AS name,
                 unnest(ARRAY['varchar', 'name', 'regclass', 'regtype', 'bool', '"char"', 'oid', 'int4', 'int8', 'inet', 'timestamptz']) AS l,
                 unnest(ARRAY['varchar', 'name', 'text', 'regclass', 'regtype', '"char"', 'oid', 'int8', 'timestamp']) AS r) AS pair
   WHERE to_regoperator(format('pg_catalog.%s(%s,%s)', name, l, r)) IS NULL`;

const types = `
  SELECT format('CREATE DOMAIN ${evil}.%I AS pg_catalog.%I CHECK (${evil}.noted(%L))', t.typname, t.typname, 'type ' || t.typname) AS statement
    FROM pg_type AS t WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r') AND t.typelem = 0 OR t.oid = 'name'::regtype`;

const relations = `
  SELECT format('CREATE VIEW ${evil}.%I AS SELECT %s FROM pg_catalog.%I AS t WHERE ${evil}.noted(%L); GRANT SELECT ON ${evil}.%I TO PUBLIC', c.relname, columns.list, c.relname, 'relation ' || c.relname, c.relname) AS statement
    FROM pg_class AS c,
         LATERAL (SELECT string_agg(format('t.%I', attname), ', ' ORDER BY attnum) AS list FROM pg_attribute
                   WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND atttypid <> 'anyarray'::regtype) AS columns
   WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind IN ('r', 'v')`;

export const twinKinds: readonly TwinKind[] = [
  { name: 'functions', statements: functions },
  { name: 'operators', statements: operators },
  { name: 'closer operators', statements: closerOperators },
  { name: 'relations', statements: relations },
  // The last, for from here on a type's name means the twin where the path is not pinned.
  { name: 'types', statements: types },
];

/** Plants all of one kind and gives back how many, as a notice: `planted N`. What this version does not let an ordinary role make is left out. */
export function plantSql({ statements }: TwinKind): string {
  return `
    DO $plant$
    DECLARE
      made record;
      planted int := 0;
    BEGIN
      FOR made IN ${statements} LOOP
        BEGIN
          EXECUTE made.statement;
          planted := planted + 1;
        EXCEPTION WHEN OTHERS THEN RAISE DEBUG '% %', SQLERRM, made.statement;
        END;
      END LOOP;
      RAISE NOTICE 'planted %', planted;
    END $plant$`;
}
