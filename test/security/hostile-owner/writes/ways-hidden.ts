import { loot, type Way } from './way.ts';

const farAway = 'host=127.0.0.1 user=analyst password=secret dbname=store port=';
/** The server's own port, without a name that the path could lead astray. */
const port = `pg_catalog.current_setting('port')`;

/** Places where a statement calls something without saying so. Most of them would keep a setting; some write. */
export const hiddenWays: readonly Way[] = [
  {
    name: 'view',
    setup: ['CREATE VIEW loot.calling AS SELECT id, loot.keep_setting() AS kept FROM loot.source'],
    statement: 'SELECT id, kept FROM loot.calling',
  },
  {
    name: 'view of a view',
    setup: ['CREATE VIEW loot.twice AS SELECT kept FROM loot.calling'],
    statement: 'SELECT kept FROM loot.twice',
  },
  {
    name: 'view that writes',
    setup: [`CREATE VIEW loot.writing AS SELECT loot.insert_row('view that writes') AS done`],
    statement: 'SELECT done FROM loot.writing',
    fails: true,
  },
  {
    name: 'policy',
    setup: [
      'CREATE TABLE loot.guarded AS SELECT 1 AS id',
      'ALTER TABLE loot.guarded ENABLE ROW LEVEL SECURITY',
      'CREATE POLICY everybody ON loot.guarded USING (loot.keep_setting() > 0)',
      'GRANT SELECT ON loot.guarded TO PUBLIC',
    ],
    statement: 'SELECT id FROM loot.guarded',
  },
  {
    name: 'operator',
    setup: [
      `CREATE FUNCTION loot.same(int, int) RETURNS bool LANGUAGE plpgsql AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN true; END $f$`,
      'CREATE OPERATOR loot.=== (FUNCTION = loot.same, LEFTARG = int, RIGHTARG = int)',
    ],
    statement: 'SELECT id FROM loot.source WHERE id OPERATOR(loot.===) 1',
  },
  {
    name: 'cast',
    setup: [
      `CREATE TYPE loot.colour AS ENUM ('red')`,
      `CREATE FUNCTION loot.colour_text(loot.colour) RETURNS text LANGUAGE plpgsql AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN 'red'; END $f$`,
      'CREATE CAST (loot.colour AS text) WITH FUNCTION loot.colour_text(loot.colour) AS IMPLICIT',
    ],
    statement: `SELECT pg_catalog.upper('red'::loot.colour)`,
  },
  {
    name: 'domain',
    setup: [
      `CREATE FUNCTION loot.checks(int) RETURNS bool LANGUAGE plpgsql AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN true; END $f$`,
      'CREATE DOMAIN loot.checked AS int CHECK (loot.checks(VALUE))',
    ],
    statement: 'SELECT id::loot.checked FROM loot.source',
  },
  {
    name: 'aggregate',
    setup: [
      `CREATE FUNCTION loot.step(int, int) RETURNS int LANGUAGE plpgsql AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN 1; END $f$`,
      'CREATE AGGREGATE loot.adds(int) (SFUNC = loot.step, STYPE = int, INITCOND = 0)',
    ],
    statement: 'SELECT loot.adds(id) FROM loot.source',
  },
  { name: 'window', statement: 'SELECT loot.adds(id) OVER (ORDER BY id) FROM loot.source' },
  {
    name: 'function of functions',
    setup: [
      `CREATE FUNCTION loot.outer_one() RETURNS int LANGUAGE sql AS $f$ SELECT loot.keep_setting() $f$`,
    ],
    statement: 'SELECT loot.outer_one()',
  },
  {
    name: 'claims to be immutable',
    setup: [
      `CREATE FUNCTION loot.constant() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN 1; END $f$`,
    ],
    statement: 'SELECT loot.constant() + id FROM loot.source',
  },
  {
    name: 'claims to be stable',
    setup: [
      `CREATE FUNCTION loot.steady(int) RETURNS int LANGUAGE plpgsql STABLE AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN 1; END $f$`,
    ],
    statement: 'SELECT id FROM loot.source WHERE id = loot.steady(1)',
  },
  {
    name: 'table function',
    setup: [
      `CREATE FUNCTION loot.many() RETURNS SETOF int LANGUAGE plpgsql AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN NEXT 1; END $f$`,
    ],
    statement: 'SELECT n FROM loot.many() AS n',
  },
  {
    name: 'default of an argument',
    setup: [
      `CREATE FUNCTION loot.with_default(n int DEFAULT loot.keep_setting()) RETURNS int LANGUAGE sql AS 'SELECT $1'`,
    ],
    statement: 'SELECT loot.with_default()',
  },
  {
    name: 'function with SET',
    setup: [
      `CREATE FUNCTION loot.with_set() RETURNS int LANGUAGE plpgsql SET work_mem = '64kB' AS $f$ BEGIN PERFORM loot.keep_setting(); RETURN 1; END $f$`,
    ],
    statement: 'SELECT loot.with_set()',
  },
  {
    name: 'query_to_xml',
    statement: `SELECT pg_catalog.query_to_xml('SELECT loot.keep_setting()', true, false, '')`,
  },
  {
    name: 'query_to_xml that writes',
    statement: `SELECT pg_catalog.query_to_xml('SELECT loot.insert_row(''query_to_xml'')', true, false, '')`,
    fails: true,
  },
  {
    name: 'ts_stat',
    statement: `SELECT pg_catalog.ts_stat('SELECT pg_catalog.to_tsvector(loot.keep_setting()::text)')`,
  },
  {
    name: 'crosstab',
    statement: `SELECT public.crosstab2('SELECT loot.keep_setting()::text, ''a''::text, ''b''::text')`,
  },
  { name: 'dynamic SQL', body: `EXECUTE 'SELECT loot.keep' || '_setting()'` },
  { name: 'remote table', statement: 'SELECT done FROM loot.far_writing' },
  { name: 'remote table, settings', statement: 'SELECT kept FROM loot.far_keeping' },
  {
    name: 'dblink',
    statement: `SELECT public.dblink_exec('${farAway}' || ${port}, 'INSERT INTO loot.rows VALUES (''dblink'')')`,
    onlyRefused: 'it writes over a connection of its own',
  },
  {
    name: 'dblink hidden',
    body: `PERFORM public.dblink_exec('${farAway}' || ${port}, 'INSERT INTO loot.rows VALUES (''dblink hidden'')')`,
    onlyRefused: 'it writes over a connection of its own',
  },
];

const trigger = (name: string, act: string): Pick<Way, 'setup' | 'statement' | 'writes'> => ({
  writes: true,
  setup: [
    `CREATE TABLE loot.on_${name} (id int)`,
    `GRANT ALL ON loot.on_${name} TO PUBLIC`,
    `CREATE FUNCTION loot.fires_${name}() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN ${act}; RETURN NEW; END $f$`,
    `CREATE TRIGGER fires BEFORE INSERT ON loot.on_${name} FOR EACH ROW EXECUTE FUNCTION loot.fires_${name}()`,
  ],
  statement: `INSERT INTO loot.on_${name} VALUES (1)`,
});

/** Statements that may write, and are undone. */
export const undoneWays: readonly Way[] = [
  { name: 'allowed INSERT', writes: true, statement: loot('allowed INSERT') },
  { name: 'allowed UPDATE', writes: true, statement: `UPDATE loot.target SET word = 'taken'` },
  { name: 'allowed DELETE', writes: true, statement: 'DELETE FROM loot.target' },
  {
    name: 'allowed MERGE',
    writes: true,
    since: 15,
    statement:
      'MERGE INTO loot.target AS t USING loot.source AS s ON t.id = s.id WHEN MATCHED THEN DELETE',
  },
  {
    name: 'allowed CTE',
    writes: true,
    statement: `WITH made AS (INSERT INTO loot.rows VALUES ('allowed CTE') RETURNING way) SELECT way FROM made`,
  },
  { name: 'trigger that sets', ...trigger('sets', 'PERFORM loot.keep_setting()') },
  { name: 'trigger that notifies', ...trigger('notifies', `NOTIFY loot, 'trigger'`) },
  { name: 'trigger that listens', ...trigger('listens', 'LISTEN loot') },
  {
    name: 'trigger that makes a large object',
    ...trigger('objects', 'PERFORM pg_catalog.lo_create(0)'),
  },
  {
    name: 'trigger that makes a table',
    ...trigger(
      'tables',
      'CREATE TEMP TABLE made (id int); DROP TABLE made; CREATE TABLE loot.made_by_trigger (id int); DROP TABLE loot.made_by_trigger',
    ),
  },
  {
    name: 'trigger that commits',
    ...trigger('commits', `BEGIN EXECUTE 'COMMIT'; EXCEPTION WHEN OTHERS THEN NULL; END`),
  },
  {
    name: 'deferred trigger',
    writes: true,
    setup: [
      'CREATE TABLE loot.on_deferred (id int)',
      'GRANT ALL ON loot.on_deferred TO PUBLIC',
      `CREATE FUNCTION loot.fires_deferred() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN ${loot('deferred trigger')}; RETURN NEW; END $f$`,
      'CREATE CONSTRAINT TRIGGER fires AFTER INSERT ON loot.on_deferred DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION loot.fires_deferred()',
    ],
    statement: 'INSERT INTO loot.on_deferred VALUES (1)',
  },
  {
    name: 'rule',
    writes: true,
    setup: [
      'CREATE TABLE loot.on_rule (id int)',
      'GRANT ALL ON loot.on_rule TO PUBLIC',
      `CREATE RULE also AS ON INSERT TO loot.on_rule DO ALSO ${loot('rule')}`,
    ],
    statement: 'INSERT INTO loot.on_rule VALUES (1)',
  },
];
