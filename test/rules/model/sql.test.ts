import { expect, test } from 'vitest';
import { statementKinds } from '../../../rules/model/sql.ts';

test.each([
  ['SET search_path TO a', ['set']],
  ["set local role 'a'", [null]],
  ['SET TRANSACTION READ ONLY', [null]],
  ['SET ROLE NONE', [null]],
  ['SET work_mem TO DEFAULT', [null]],
  ['-- SET ROLE a\nSELECT 1', [null]],
  ["SELECT '; LISTEN a'", [null]],
  ['DO $$ BEGIN PERFORM 1; END $$', [null]],
  ['BEGIN; SET ROLE a; COMMIT', [null, 'set', null]],
  ['LISTEN "my;channel"', ['listen']],
  ['SELECT pg_try_advisory_lock(1, 2)', ['advisory-lock']],
  ['SELECT pg_advisory_xact_lock(1)', [null]],
  ['CREATE TEMPORARY TABLE t (a int)', ['temp-table']],
  ['CREATE TEMP TABLE t (a int) ON COMMIT DROP', [null]],
  ["SELECT set_config('a', $1, false)", ['set']],
  ["SELECT set_config('a', $1, true)", [null]],
  ["SELECT set_config('a', '', false)", [null]],
  ["SELECT set_config('a', NULL, false), set_config('b', '', false)", [null]],
  ["SELECT set_config('a', '', false), set_config('b', 'x', false)", ['set']],
  ['PREPARE q AS SELECT 1', ['prepare']],
  ["PREPARE TRANSACTION 'x'", [null]],
  ['DECLARE c CURSOR WITH HOLD FOR SELECT 1', ['cursor-with-hold']],
])('what %s leaves behind', (sql, effects) => {
  expect(statementKinds(sql).map(({ effect }) => effect)).toEqual(effects);
});

test.each([
  ['BEGIN', ['begin']],
  ['START TRANSACTION ISOLATION LEVEL SERIALIZABLE', ['begin']],
  ['ROLLBACK TO SAVEPOINT a', [null]],
  ['ROLLBACK', ['end']],
  ['/* done */ COMMIT', ['end']],
])('what %s does to the transaction', (sql, transactions) => {
  expect(statementKinds(sql).map(({ transaction }) => transaction)).toEqual(transactions);
});
