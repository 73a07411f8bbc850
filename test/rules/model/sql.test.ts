import { expect, test } from 'vitest';
import { hole, statementKinds } from '../../../rules/model/sql.ts';

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
  ['begin work isolation level serializable', ['begin']],
  ['START TRANSACTION ISOLATION LEVEL SERIALIZABLE', ['begin']],
  ['/* done */ COMMIT', ['commit']],
  ['END', ['commit']],
  ['ROLLBACK', ['rollback']],
  ['ABORT', ['rollback']],
  ['ROLLBACK TO a', ['rollback-to-savepoint']],
  ['ROLLBACK WORK TO SAVEPOINT a', ['rollback-to-savepoint']],
  ['SAVEPOINT a', ['savepoint']],
  ['SAVEPOINT "a;b"', ['savepoint']],
  ['RELEASE SAVEPOINT a', ['release-savepoint']],
  ['RELEASE a', ['release-savepoint']],
  ["PREPARE TRANSACTION 'x'", ['prepare']],
  ["COMMIT PREPARED 'x'", ['commit-prepared']],
  ["ROLLBACK PREPARED 'x'", ['rollback-prepared']],
  ['SET TRANSACTION READ ONLY', ['characteristics']],
  ['SET transaction_read_only = on', ['characteristics']],
  ['SET transaction_timeout = 1000', [null]],
  ['SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY', [null]],
  ['BEGIN; UPDATE t SET a = 1; COMMIT;', ['begin', null, 'commit']],
  [
    'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN a THEN 1 END; SELECT 1; END; COMMIT',
    [null, 'commit'],
  ],
  [
    'CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b); ROLLBACK',
    [null, 'rollback'],
  ],
  ['DO $body$ BEGIN COMMIT; END $body$', [null]],
  ['/* a /* b */ ; COMMIT */ SELECT 1', [null]],
  ["SELECT E'\\'; COMMIT'", [null]],
  ["SELECT '\\'; COMMIT", [null, 'commit']],
  [hole + '; COMMIT', [null, 'commit']],
])('what %s does to the transaction', (sql, transactions) => {
  expect(statementKinds(sql).map(({ transaction }) => transaction)).toEqual(transactions);
});

test.each([
  ['COMMIT AND CHAIN', true],
  ['ROLLBACK WORK AND CHAIN', true],
  ['COMMIT AND NO CHAIN', false],
])('whether %s begins the next transaction', (sql, isChained) => {
  expect(statementKinds(sql).map((kind) => kind.isChained)).toEqual([isChained]);
});

test.each([
  ['SET search_path TO a', 'search_path'],
  ['SET SESSION "app"."Tenant" = 1', 'app.tenant'],
  ["SET TIME ZONE 'UTC'", 'timezone'],
  ["SET NAMES 'utf8'", 'client_encoding'],
  ["SET SCHEMA 'a'", 'search_path'],
  ['SET SESSION AUTHORIZATION bob', 'session_authorization'],
  ['SET ROLE bob', 'role'],
  ["SELECT set_config('App.Tenant', $1, false)", 'app.tenant'],
  ["SELECT set_config('a.b', $1, false), set_config('a.c', $2, false)", null],
  ['SELECT set_config($1, $2, false)', null],
  [`SELECT set_config('app.${hole}', $2, false)`, null],
  [`SET ${hole} TO 1`, null],
])('which setting %s changes', (sql, parameter) => {
  expect(statementKinds(sql).map((kind) => kind.parameter)).toEqual([parameter]);
});
