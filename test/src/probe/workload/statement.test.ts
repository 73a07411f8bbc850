import { describe, expect, test } from 'vitest';
import { checkStatement, standInStatement } from '../../../../src/probe/workload/statement.ts';

const accepted: readonly string[] = [
  standInStatement,
  'SELECT 1',
  'select * from users where name = \'a;b\' limit 100 ;',
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
];

const refused: readonly (readonly [sql: string, reason: RegExp])[] = [
  ['', /empty/],
  [' ; ', /empty/],
  ['-- only a comment', /empty/],
  ['SELECT 1; DROP TABLE users', /several/],
  ["SELECT '; -- '; DELETE FROM users", /several/],
  ['DELETE FROM users', /starts with DELETE/],
  ['EXPLAIN ANALYZE SELECT 1', /starts with EXPLAIN/],
  ['SET ROLE admin', /starts with SET/],
  ['COPY users TO PROGRAM \'sh\'', /starts with COPY/],
  ['DO $$ BEGIN END $$', /starts with DO/],
  ['WITH gone AS (DELETE FROM users RETURNING 1) SELECT * FROM gone', /writes \(DELETE\)/],
  ['WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a', /writes/],
  ['WITH a AS (SELECT 1) UPDATE t SET x = 1', /writes \(UPDATE\)/],
  ['SELECT * INTO copy FROM users', /writes \(INTO\)/],
  ['SELECT * FROM users FOR UPDATE', /locks rows/],
  ['SELECT * FROM users FOR NO KEY UPDATE', /locks rows/],
  ['SELECT * FROM users WHERE id = $1', /parameters/],
  ['SELECT pg_terminate_backend(1)', /pg_terminate_backend/],
  ['SELECT pg_catalog . "pg_cancel_backend" /* x */ (1)', /pg_cancel_backend/],
  ['SELECT PG_TRY_ADVISORY_LOCK_SHARED(1)', /holds a lock/],
  ["SELECT set_config('a.b', 'c', false)", /settings/],
  ["SELECT nextval('s')", /sequence/],
  ["SELECT lo_import('/etc/passwd')", /large objects/],
  ["SELECT pg_read_file('x')", /files/],
  ["SELECT pg_read_binary_file('x')", /files/],
  ['SELECT pg_stat_reset()', /files or statistics/],
  ["SELECT * FROM dblink('dbname=x', 'DROP TABLE t') AS t(a int)", /other servers/],
  ['SELECT pg_switch_wal()', /administers/],
  ["SELECT query_to_xml('SELECT pg_switch_wal()', true, true, '')", /does not see/],
  ['SELECT U&"\\0070g_sleep"(1)', /Unicode/],
  ["SELECT 'open", /never closed/],
  ['SELECT "open', /never closed/],
  ['SELECT 1 /* open', /never closed/],
  ['SELECT $a$ open $b$', /never closed/],
];

describe('a statement that only reads', () => {
  test.each(accepted)('accepts %s', (sql) => {
    expect(checkStatement(sql)).toEqual({ kind: 'accepted', text: sql.trim() });
  });

  test.each(refused)('refuses %s', (sql, reason) => {
    const answer = checkStatement(sql);
    expect(answer).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(reason) as string });
  });
});
