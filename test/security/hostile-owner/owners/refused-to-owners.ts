/** A kind of code that the planner, a type or a login would run, and that PostgreSQL lets only a superuser make, or nobody. */
export interface RefusedKind {
  readonly name: string;
  /** What an owner would make it with. */
  readonly statement: string;
  /** SQLSTATE of the refusal. */
  readonly code: string;
  readonly since?: number;
  readonly until?: number;
}

const notAllowed = '42501';
/** Feature not supported: PL/pgSQL takes no such argument. */
const notSupported = '0A000';
const syntaxError = '42601';

/** Not among the ways, because no owner who is not a superuser can make one. */
export const refusedToOwners: readonly RefusedKind[] = [
  {
    name: 'planner support function',
    statement: `CREATE FUNCTION loot.supported() RETURNS int LANGUAGE sql SUPPORT pg_catalog.textlike_support AS 'SELECT 1'`,
    code: notAllowed,
  },
  {
    name: 'function that is leakproof',
    statement: `CREATE FUNCTION loot.leakproof() RETURNS int LANGUAGE sql LEAKPROOF AS 'SELECT 1'`,
    code: notAllowed,
  },
  {
    name: 'estimate of an operator, in PL/pgSQL',
    statement:
      'CREATE FUNCTION loot.estimates(internal, oid, internal, int) RETURNS float8 LANGUAGE plpgsql AS $f$ BEGIN RETURN 1; END $f$',
    code: notSupported,
  },
  {
    name: 'estimate of an operator, in C',
    statement: `CREATE FUNCTION loot.estimates_in_c(internal, oid, internal, int) RETURNS float8 LANGUAGE internal AS 'eqsel'`,
    code: notAllowed,
  },
  {
    name: 'input and output of a type',
    statement:
      'CREATE TYPE loot.base (INPUT = pg_catalog.int4in, OUTPUT = pg_catalog.int4out, LIKE = int)',
    code: notAllowed,
  },
  {
    name: 'subscripts of a type',
    statement:
      'CREATE TYPE loot.subscripted (INPUT = pg_catalog.int4in, OUTPUT = pg_catalog.int4out, SUBSCRIPT = pg_catalog.array_subscript_handler)',
    code: notAllowed,
    since: 14,
  },
  {
    name: 'shell of a type, which the canonical function of a range takes',
    statement: 'CREATE TYPE loot.shell',
    code: notAllowed,
  },
  {
    name: 'cast between types of others',
    statement: 'CREATE CAST (int AS date) WITH FUNCTION loot.asks_nobody(int)',
    code: notAllowed,
  },
  {
    name: 'cast without a function',
    statement: 'CREATE CAST (loot.mood AS int) WITHOUT FUNCTION',
    code: notAllowed,
  },
  {
    name: 'operator class',
    statement:
      'CREATE OPERATOR CLASS loot.ordering FOR TYPE int USING btree AS FUNCTION 1 pg_catalog.btint4cmp(int, int)',
    code: notAllowed,
  },
  {
    name: 'operator family',
    statement: 'CREATE OPERATOR FAMILY loot.orderings USING btree',
    code: notAllowed,
  },
  {
    name: 'support function of an operator family',
    statement:
      'ALTER OPERATOR FAMILY pg_catalog.integer_ops USING btree ADD FUNCTION 1 (int, text) loot.asks_nobody(int)',
    code: notAllowed,
  },
  {
    name: 'access method',
    statement: 'CREATE ACCESS METHOD mine TYPE INDEX HANDLER pg_catalog.bthandler',
    code: notAllowed,
  },
  {
    name: 'language',
    statement: 'CREATE LANGUAGE mine HANDLER pg_catalog.plpgsql_call_handler',
    code: notAllowed,
  },
  {
    name: 'transform of a type for a language',
    statement:
      'CREATE TRANSFORM FOR loot.mood LANGUAGE plpgsql (FROM SQL WITH FUNCTION pg_catalog.prsd_lextype(internal))',
    code: notAllowed,
  },
  {
    name: 'function of such a transform',
    statement:
      'CREATE FUNCTION loot.transforms(internal) RETURNS internal LANGUAGE plpgsql AS $f$ BEGIN RETURN $1; END $f$',
    code: notSupported,
  },
  {
    name: 'foreign data wrapper',
    statement: 'CREATE FOREIGN DATA WRAPPER mine',
    code: notAllowed,
  },
  {
    name: 'event trigger',
    statement:
      'CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION loot.fires_on_events()',
    code: notAllowed,
  },
  {
    name: 'template of text search dictionaries',
    statement: 'CREATE TEXT SEARCH TEMPLATE loot.mine (LEXIZE = pg_catalog.dsimple_lexize)',
    code: notAllowed,
  },
  {
    name: 'parser of text search',
    statement:
      'CREATE TEXT SEARCH PARSER loot.mine (START = pg_catalog.prsd_start, GETTOKEN = pg_catalog.prsd_nexttoken, END = pg_catalog.prsd_end, LEXTYPES = pg_catalog.prsd_lextype)',
    code: notAllowed,
  },
  {
    name: 'function of a conversion',
    statement:
      'CREATE FUNCTION loot.converts(int, int, cstring, internal, int) RETURNS void LANGUAGE plpgsql AS $f$ BEGIN END $f$',
    code: notSupported,
  },
  {
    name: 'function of a collation',
    statement: `CREATE COLLATION loot.mine (LOCALE = 'C', FUNCTION = loot.asks_nobody)`,
    code: syntaxError,
  },
  {
    name: 'statistics target that is a call',
    statement: 'ALTER TABLE loot.source ALTER COLUMN id SET STATISTICS loot.asks_nobody(1)',
    code: syntaxError,
  },
  {
    name: 'filter of a publication that calls',
    statement: 'CREATE PUBLICATION mine FOR TABLE loot.source WHERE (loot.asks_nobody(id) > 0)',
    code: notSupported,
    since: 15,
  },
  {
    name: 'virtual generated column that calls',
    statement:
      'CREATE TABLE loot.virtual (id int, n int GENERATED ALWAYS AS (loot.asks_nobody(id)) VIRTUAL)',
    code: notSupported,
    since: 18,
  },
  {
    name: 'function in pg_catalog',
    statement: `CREATE FUNCTION pg_catalog.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    code: notAllowed,
  },
  {
    name: 'rule on a view of the system',
    statement:
      'CREATE RULE mine AS ON INSERT TO pg_catalog.pg_stat_activity DO INSTEAD SELECT loot.asks_nobody(1)',
    code: notAllowed,
  },
  {
    name: 'library that sessions load',
    statement: `ALTER DATABASE ledger SET session_preload_libraries = 'mine'`,
    code: notAllowed,
  },
  {
    name: 'function given to a superuser',
    statement: 'ALTER FUNCTION loot.asks_nobody(int) OWNER TO boss',
    code: notAllowed,
  },
  {
    name: 'schema of the victim',
    statement: 'CREATE SCHEMA AUTHORIZATION analyst',
    code: notAllowed,
  },
];

/** What these statements name. */
export const namedByRefused: readonly string[] = [
  `CREATE TYPE loot.mood AS ENUM ('fine')`,
  `CREATE FUNCTION loot.asks_nobody(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1'`,
  'CREATE FUNCTION loot.fires_on_events() RETURNS event_trigger LANGUAGE plpgsql AS $f$ BEGIN END $f$',
];
