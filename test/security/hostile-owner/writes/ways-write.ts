import { loot, type Way } from './way.ts';

const second = (name: string, arm: string, act: string) => `
  IF pg_catalog.current_setting('loot.armed', true) IS NULL OR pg_catalog.current_setting('loot.armed', true) OPERATOR(pg_catalog.=) ''::pg_catalog.text THEN
    PERFORM pg_catalog.set_config('loot.armed', '${name}', false); ${arm};
  ELSE
    BEGIN ${act}; EXCEPTION WHEN read_only_sql_transaction THEN NULL; END;
  END IF`;

/** Writes that a function does when it is called, and those that switch the guard off before. */
export const writingWays: readonly Way[] = [
  { name: 'INSERT', body: loot('INSERT'), fails: true },
  { name: 'UPDATE', body: `UPDATE loot.target SET word = 'UPDATE'`, fails: true },
  { name: 'DELETE', body: 'DELETE FROM loot.target', fails: true },
  { name: 'TRUNCATE', body: 'TRUNCATE loot.target', fails: true },
  {
    name: 'COPY FROM',
    body: `EXECUTE $q$COPY loot.rows FROM PROGRAM 'echo COPY FROM'$q$`,
    fails: true,
  },
  { name: 'SELECT FOR UPDATE', body: 'PERFORM FROM loot.source FOR UPDATE', fails: true },
  { name: 'CREATE TABLE', body: 'CREATE TABLE loot.made (id int)', fails: true },
  { name: 'CREATE TEMP TABLE', body: 'CREATE TEMP TABLE made (id int)', fails: true },
  { name: 'CREATE TEMP SEQUENCE', body: 'CREATE TEMP SEQUENCE made_numbers', fails: true },
  { name: 'CREATE TEMP VIEW', body: 'CREATE TEMP VIEW pg_class AS SELECT 1 AS x', fails: true },
  {
    name: 'CREATE FUNCTION',
    body: `CREATE FUNCTION loot.made() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    fails: true,
  },
  { name: 'CREATE DOMAIN in pg_temp', body: 'CREATE DOMAIN pg_temp.text AS int', fails: true },
  { name: 'ALTER ROLE SET', body: `ALTER ROLE CURRENT_USER SET search_path = loot`, fails: true },
  { name: 'COMMENT', body: `COMMENT ON SCHEMA loot IS 'taken'`, fails: true },
  {
    name: 'REFRESH',
    setup: ['CREATE MATERIALIZED VIEW loot.matter AS SELECT 1 AS x'],
    body: 'REFRESH MATERIALIZED VIEW loot.matter',
    fails: true,
  },
  { name: 'VACUUM', body: `EXECUTE 'VACUUM loot.target'`, fails: true },
  { name: 'COMMIT', body: `EXECUTE 'COMMIT'; ${loot('COMMIT')}`, fails: true },
  { name: 'ROLLBACK', body: `EXECUTE 'ROLLBACK'; ${loot('ROLLBACK')}`, fails: true },
  {
    name: 'BEGIN READ WRITE',
    body: `EXECUTE 'BEGIN READ WRITE'; ${loot('BEGIN READ WRITE')}`,
    fails: true,
  },
  { name: 'PREPARE TRANSACTION', body: `EXECUTE $q$PREPARE TRANSACTION 'loot'$q$`, fails: true },
  { name: 'ALTER SYSTEM', body: `EXECUTE 'ALTER SYSTEM SET work_mem = 64'`, fails: true },
  { name: 'DISCARD ALL', body: `EXECUTE 'DISCARD ALL'`, fails: true },
  {
    name: 'transaction_read_only off',
    body: `PERFORM pg_catalog.set_config('transaction_read_only', 'off', true); ${loot('transaction_read_only off')}`,
    fails: true,
  },
  {
    name: 'SET TRANSACTION READ WRITE',
    body: `SET TRANSACTION READ WRITE; ${loot('SET TRANSACTION READ WRITE')}`,
    fails: true,
  },
  {
    name: 'SET SESSION CHARACTERISTICS',
    body: second(
      'characteristics',
      'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
      loot('SET SESSION CHARACTERISTICS'),
    ),
  },
  {
    name: 'default_transaction_read_only off',
    body: second(
      'default',
      `PERFORM pg_catalog.set_config('default_transaction_read_only', 'off', false)`,
      loot('default_transaction_read_only off'),
    ),
  },
  { name: 'RESET ALL', body: second('reset', 'RESET ALL', loot('RESET ALL')) },
  {
    name: 'RESET default_transaction_read_only',
    body: second(
      'reset one',
      'RESET default_transaction_read_only',
      loot('RESET default_transaction_read_only'),
    ),
  },
  {
    name: 'DO with COMMIT',
    body: `EXECUTE $q$DO $d$ BEGIN COMMIT; INSERT INTO loot.rows VALUES ('DO with COMMIT'); END $d$$q$`,
    fails: true,
  },
  {
    name: 'CALL with COMMIT',
    setup: [
      `CREATE PROCEDURE loot.committing() LANGUAGE plpgsql AS $f$ BEGIN COMMIT; SET TRANSACTION READ WRITE; ${loot('CALL with COMMIT')}; END $f$`,
    ],
    body: 'CALL loot.committing()',
    fails: true,
  },
  {
    name: 'exceptions swallowed',
    body: `BEGIN ${loot('exceptions swallowed')}; EXCEPTION WHEN OTHERS THEN BEGIN SET TRANSACTION READ WRITE; ${loot('exceptions swallowed')}; EXCEPTION WHEN OTHERS THEN NULL; END; END`,
  },
  {
    name: 'SECURITY DEFINER',
    setup: [
      `CREATE FUNCTION loot.definer() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $f$ BEGIN ${loot('SECURITY DEFINER')}; RETURN 1; END $f$`,
    ],
    statement: 'SELECT loot.definer()',
    fails: true,
  },
  {
    name: 'SECURITY DEFINER that switches',
    setup: [
      `CREATE FUNCTION loot.definer_switches() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $f$ BEGIN ${second('definer', `PERFORM pg_catalog.set_config('default_transaction_read_only', 'off', false)`, loot('SECURITY DEFINER that switches'))}; RETURN 1; END $f$`,
    ],
    statement: 'SELECT loot.definer_switches()',
  },
  {
    name: 'CTE that writes',
    statement: `WITH made AS (INSERT INTO loot.rows VALUES ('CTE that writes') RETURNING way) SELECT way FROM made`,
    fails: true,
  },
  { name: 'SELECT INTO', statement: 'SELECT 1 AS x INTO loot.made_of_it', fails: true },
  { name: 'FOR SHARE', statement: 'SELECT id FROM loot.source FOR SHARE', fails: true },
  { name: 'nextval', statement: `SELECT pg_catalog.nextval('loot.numbers')`, fails: true },
  {
    name: 'nextval in a function',
    body: `PERFORM pg_catalog.nextval('loot.numbers')`,
    fails: true,
  },
  {
    name: 'function called nextval',
    setup: [
      `CREATE FUNCTION loot.nextval() RETURNS int LANGUAGE sql AS $f$ ${loot('function called nextval')} RETURNING 1 $f$`,
    ],
    statement: 'SELECT loot.nextval()',
    fails: true,
  },
  { name: 'setval', statement: `SELECT pg_catalog.setval('loot.numbers', 99)`, fails: true },
  { name: 'ANALYZE', body: 'ANALYZE loot.source' },
  { name: 'REINDEX', body: 'REINDEX TABLE loot.source', fails: true },
  { name: 'CLUSTER', body: 'CLUSTER loot.source USING source_pkey', fails: true },
  { name: 'lo_create', body: 'PERFORM pg_catalog.lo_create(0)' },
  { name: 'lo_from_bytea', statement: `SELECT pg_catalog.lo_from_bytea(0, 'loot')` },
  { name: 'lo_creat', statement: 'SELECT pg_catalog.lo_creat(-1)' },
  {
    name: 'lo_unlink',
    body: 'PERFORM pg_catalog.lo_unlink(oid) FROM pg_catalog.pg_largeobject_metadata',
  },
];
