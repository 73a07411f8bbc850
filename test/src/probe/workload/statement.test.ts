import { beforeAll, describe, expect, test } from 'vitest';
import { standInSql } from '../../../../src/database/sql/server.sql.ts';
import { readyStatements } from '../../../../src/probe/workload/ready-statements.ts';
import { loadSqlParser, type SqlParser } from '../../../../src/probe/workload/sql-parser.ts';
import { checkStatement, type StatementAnswer } from '../../../../src/probe/workload/statement.ts';

let parse: SqlParser;

beforeAll(async () => {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  parse = loaded.parse;
});

function check(sql: string, allowWrites = false): StatementAnswer {
  return checkStatement(sql, { parse, allowWrites });
}

const accepted: readonly string[] = [
  standInSql,
  'SELECT 1',
  "select * from users where name = 'a;b' limit 100 ;",
  'VALUES (1), (2)',
  'TABLE users;',
  '(SELECT 1) UNION (SELECT 2)',
  'WITH recent AS (SELECT * FROM orders) SELECT count(*) FROM recent',
  'WITH a AS NOT MATERIALIZED (SELECT 1) TABLE a',
  'SELECT pg_sleep(0.005)',
  'SELECT pg_advisory_xact_lock(7)',
  '-- DELETE FROM users;\nSELECT 1',
  '/* outer /* inner ; */ DROP */ SELECT 1',
  'SELECT $$ ; DELETE $$, $tag$ $$ ; $tag$',
  "SELECT E'it\\'s; fine', 'it''s; fine too', \"a;b\" FROM t",
  'SELECT substring(name FOR 3), update FROM t',
  'SELECT coalesce(update, delete) FROM t',
  "SELECT 'set_config(a)'",
  'SELECT 1;;',
  'SELECT U&"\\0070g_sleep"(1)',
  'SELECT now() AS "for", 1 AS into_, delete FROM t',
  "SELECT lo_get(1), pg_stat_get_numscans(1), pg_sleep_for('1 ms')",
  'SELECT "PG_TERMINATE_BACKEND"(1) FROM t WHERE a = ANY (\'{1,2}\'::int[])',
  "SELECT * FROM json_table('[]', '$[*]' COLUMNS (a int PATH '$.a'))",
  'SELECT (SELECT max(x) FROM (VALUES (1), (2)) AS v(x)), count(*) FILTER (WHERE a > 1) OVER w FROM t WINDOW w AS (ORDER BY b)',
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM n',
  'SELECT \'naïve 🦊\', "Größe" FROM t',
];

const refused: readonly (readonly [sql: string, reason: RegExp])[] = [
  ['', /empty/],
  [' ; ', /empty/],
  ['-- only a comment', /empty/],
  ['SELECT 1; DROP TABLE users', /several/],
  ["SELECT '; -- '; DELETE FROM users", /several/],
  [
    'DELETE FROM users',
    /writes \(DELETE\).*--allow-writes it runs in a transaction that is rolled back\.$/,
  ],
  ['EXPLAIN ANALYZE SELECT 1', /starts with EXPLAIN/],
  ['SET ROLE admin', /starts with SET/],
  ['BEGIN', /starts with BEGIN/],
  ['EXECUTE plan', /starts with EXECUTE/],
  ['CALL job()', /starts with CALL/],
  ['LOCK TABLE users', /starts with LOCK/],
  ['NOTIFY channel', /starts with NOTIFY/],
  ['DECLARE c CURSOR WITH HOLD FOR SELECT 1', /starts with DECLARE/],
  ['CREATE TABLE copy AS SELECT 1', /starts with CREATE/],
  ["COPY users TO PROGRAM 'sh'", /starts with COPY/],
  ['DO $$ BEGIN END $$', /starts with DO/],
  ['WITH gone AS (DELETE FROM users RETURNING 1) SELECT * FROM gone', /writes \(DELETE\)/],
  [
    'SELECT * FROM (WITH a AS (INSERT INTO t VALUES (1) RETURNING 1) TABLE a) AS b',
    /writes \(INSERT\)/,
  ],
  ['WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a', /writes/],
  ['WITH a AS (SELECT 1) UPDATE t SET x = 1', /writes \(UPDATE\)/],
  ['MERGE INTO t USING u ON t.i = u.i WHEN MATCHED THEN DELETE', /writes \(MERGE\)/],
  ['SELECT * INTO copy FROM users', /writes \(INTO\)/],
  ['(SELECT 1) UNION SELECT 2 INTO copy', /PostgreSQL cannot read|writes \(INTO\)/],
  ['SELECT * FROM users FOR UPDATE', /locks rows/],
  ['SELECT * FROM users FOR NO KEY UPDATE', /locks rows/],
  ['SELECT 1 WHERE EXISTS (SELECT 1 FROM users FOR SHARE)', /locks rows/],
  ['SELECT pg_terminate_backend(1)', /pg_terminate_backend/],
  ['SELECT pg_catalog . "pg_cancel_backend" /* x */ (1)', /pg_cancel_backend/],
  ['SELECT PG_TRY_ADVISORY_LOCK_SHARED(1)', /holds a lock/],
  ["SELECT set_config('a.b', 'c', false)", /settings/],
  ['SELECT 1 ORDER BY (SELECT set_config($$a.b$$, $$c$$, false))', /settings/],
  ['SELECT count(*) FILTER (WHERE pg_reload_conf()) FROM t', /administers/],
  ['VALUES (pg_promote())', /administers/],
  ["SELECT nextval('s')", /sequence/],
  ["SELECT setval('s', 1)", /sequence/],
  ["SELECT lo_import('/etc/passwd')", /large objects/],
  ["SELECT pg_read_file('x')", /files/],
  ["SELECT pg_read_binary_file('x')", /files/],
  ["SELECT * FROM pg_ls_dir('.')", /files/],
  ['SELECT pg_stat_reset()', /statistics/],
  ['SELECT pg_stat_statements_reset()', /statistics/],
  ["SELECT * FROM dblink('dbname=x', 'DROP TABLE t') AS t(a int)", /other servers/],
  ["SELECT aws_s3.query_export_to_s3('SELECT 1', 'b', 'p')", /other servers/],
  ['SELECT pg_switch_wal()', /administers/],
  ["SELECT pg_logical_emit_message(false, 'a', 'b')", /administers/],
  ["SELECT query_to_xml('SELECT pg_switch_wal()', true, true, '')", /does not see/],
  ['SELECT U&"\\0070g_switch_wal"()', /administers/],
  ["SELECT 'open", /string that is never closed \(line 1, column 8\)/],
  ['SELECT "open', /double quote that is never closed/],
  ['SELECT 1 /* open', /comment that is never closed/],
  ['SELECT $a$ open $b$', /never closed/],
  ['SELECT 🦊,\n  1 FORM t', /cannot read.*"t".*\(line 2, column 10\)/],
  ['SELECT 1\0; DROP TABLE users', /code 0/],
  [`SELECT '${'x'.repeat(200_000)}'`, /200 kB long/],
  [`SELECT ${'('.repeat(40_000)}1${')'.repeat(40_000)}`, /nested too deeply/],
  [`SELECT ${'1+'.repeat(40_000)}1`, /nested too deeply/],
  ['SELECT $0', /begin with \$1/],
  ['SELECT $1, $3', /no \$2/],
  ['SELECT $5000', /up to 100/],
];

const writing = [
  "INSERT INTO t VALUES (nextval('s'), $1) RETURNING *",
  'UPDATE t SET a = 1',
  'DELETE FROM t USING u WHERE t.i = u.i',
  'MERGE INTO t USING u ON t.i = u.i WHEN MATCHED THEN DELETE',
  'WITH gone AS (DELETE FROM t RETURNING 1) SELECT * FROM gone',
  'SELECT * FROM t FOR UPDATE SKIP LOCKED',
];

describe('a statement that only reads', () => {
  test.each(accepted)('accepts %s', (sql) => {
    expect(check(sql)).toMatchObject({
      kind: 'accepted',
      text: sql.trim(),
      parameterCount: 0,
      writes: false,
    });
  });

  test.each(refused)('refuses %s', (sql, reason) => {
    const answer = check(sql);
    expect(answer).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(reason) as string,
    });
  });
});

test('counts parameters, however often each is used', () => {
  expect(check('SELECT $2::int, $1 FROM t WHERE a = $1')).toMatchObject({
    kind: 'accepted',
    parameterCount: 2,
  });
});

test.each([
  ['SELECT * FROM pg_stat_activity, pg_catalog.pg_class', true],
  ['WITH seen AS (SELECT * FROM pg_stat_activity) SELECT * FROM seen', true],
  ['SELECT pg_catalog.pg_backend_pid()', true],
  ["SELECT pg_catalog.current_setting('search_path'), current_user", true],
  ["SELECT mine(pg_catalog.current_setting('search_path'))", false],
  ['SELECT * FROM users', false],
  ['SELECT * FROM users WHERE pid = pg_backend_pid()', false],
  ['SELECT 1', true],
])('knows whether %s reads the catalogs alone', (sql, readsOnlyCatalogs) => {
  expect(check(sql)).toMatchObject({ readsOnlyCatalogs });
});

describe('where writing is allowed', () => {
  test.each(writing)('accepts %s, to be rolled back', (sql) => {
    expect(check(sql, true)).toMatchObject({ kind: 'accepted', writes: true });
  });

  test('a statement that only reads needs no transaction', () => {
    expect(check('SELECT 1', true)).toMatchObject({ kind: 'accepted', writes: false });
  });

  test.each([
    'DROP TABLE t',
    'TRUNCATE t',
    'SELECT * INTO copy FROM t',
    'COPY t FROM STDIN',
    'COMMIT',
    'INSERT INTO t VALUES (1); COMMIT',
    "INSERT INTO t VALUES (setval('s', 1))",
    'DELETE FROM t WHERE pg_notify(a, b) IS NULL',
  ])('refuses %s all the same', (sql) => {
    expect(check(sql, true)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/INSERT, UPDATE, DELETE or MERGE/) as string,
    });
  });
});

describe('a ? where a value stands', () => {
  test.each([
    'SELECT * FROM users WHERE id = ?',
    'SELECT * FROM users WHERE id=?',
    'SELECT * FROM users WHERE id IN (?, ?) AND name LIKE ? LIMIT ?',
    'SELECT * FROM users OFFSET ?',
  ])('%s: $1 is named, and not the shell', (text) => {
    const answer = readyStatements([{ text, weight: 1, parameters: ['1..10'] }], {
      parse,
      allowWrites: false,
    });
    expect(answer).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/use \$1, not \?/) as string,
    });
    expect(answer).not.toMatchObject({
      sentence: expect.stringMatching(/end of input|double quotes|The probe runs/) as string,
    });
  });

  test.each([
    "SELECT '?' FORM t WHERE id = ",
    "SELECT 1 FORM t x WHERE data ? 'a' AND data ?| '{b}' GROUP",
    'SELECT 1 -- = ?\n FORM t x WHERE',
  ])('%s is refused for what the parser says: its ? is none', (sql) => {
    expect(check(sql)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/PostgreSQL cannot read/) as string,
    });
  });

  test('an operator of jsonb is still read', () => {
    expect(check("SELECT * FROM t WHERE data ? 'a' AND data ?& '{b,c}'").kind).toBe('accepted');
  });
});
