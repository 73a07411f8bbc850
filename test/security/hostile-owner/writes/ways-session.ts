import type { Way } from './way.ts';

/** What a session keeps, by a call in the statement and by one that a function hides. */
export const sessionWays: readonly Way[] = [
  { name: 'set_config', statement: `SELECT pg_catalog.set_config('search_path', 'loot', false)` },
  {
    name: 'set_config hidden',
    body: `PERFORM pg_catalog.set_config('search_path', 'loot', false), pg_catalog.set_config('loot.kept', 'yes', false)`,
  },
  { name: 'SET statement_timeout', body: 'SET statement_timeout = 0' },
  { name: 'SET work_mem', body: `SET work_mem = '64kB'` },
  { name: 'SET TimeZone', body: `SET TimeZone = 'Pacific/Chatham'` },
  { name: 'SET DateStyle', body: `SET DateStyle = 'German'` },
  { name: 'SET ROLE', body: 'SET ROLE NONE' },
  { name: 'SET SESSION AUTHORIZATION', body: 'SET SESSION AUTHORIZATION DEFAULT' },
  { name: 'SET application_name', body: `SET application_name = 'taken'`, renames: true },
  { name: 'SET standard_conforming_strings', body: 'SET standard_conforming_strings = off' },
  { name: 'SET row_security', body: 'SET row_security = off' },
  {
    name: 'SET session_replication_role',
    body: 'SET session_replication_role = replica',
    fails: true,
  },
  { name: 'set_limit', statement: 'SELECT public.set_limit(0.93)' },
  { name: 'set_limit hidden', body: 'PERFORM public.set_limit(0.93)' },
  { name: 'isn_weak', statement: 'SELECT public.isn_weak(true)' },
  { name: 'NOTIFY', body: `NOTIFY loot, 'NOTIFY'` },
  { name: 'pg_notify', statement: `SELECT pg_catalog.pg_notify('loot', 'pg_notify')` },
  { name: 'pg_notify hidden', body: `PERFORM pg_catalog.pg_notify('loot', 'hidden')` },
  { name: 'LISTEN', body: 'LISTEN loot' },
  { name: 'cursor WITH HOLD', body: `EXECUTE 'DECLARE kept CURSOR WITH HOLD FOR SELECT 1'` },
  { name: 'cursor', body: `EXECUTE 'DECLARE passing CURSOR FOR SELECT 1'` },
  { name: 'transaction lock', statement: 'SELECT pg_catalog.pg_advisory_xact_lock_shared(41)' },
  { name: 'LOCK TABLE', body: 'LOCK TABLE loot.source IN ACCESS SHARE MODE' },
  { name: 'pg_export_snapshot', body: 'PERFORM pg_catalog.pg_export_snapshot()' },
  // Kept whatever becomes of the transaction.
  {
    name: 'advisory lock',
    statement: 'SELECT pg_catalog.pg_advisory_lock_shared(42)',
    onlyRefused: 'a session keeps its locks',
  },
  {
    name: 'try advisory lock',
    statement: 'SELECT pg_catalog.pg_try_advisory_lock_shared(43)',
    onlyRefused: 'a session keeps its locks',
  },
  {
    name: 'advisory lock hidden',
    body: 'PERFORM pg_catalog.pg_advisory_lock_shared(44)',
    onlyRefused: 'a session keeps its locks',
  },
  {
    name: 'advisory unlock',
    statement: 'SELECT pg_catalog.pg_advisory_unlock_all()',
    onlyRefused: 'a lock that is given back is gone',
  },
  {
    name: 'PREPARE',
    body: `BEGIN EXECUTE 'PREPARE kept AS SELECT 1'; EXCEPTION WHEN duplicate_prepared_statement THEN NULL; END`,
    onlyRefused: 'a session keeps what it prepared',
    hides: true,
  },
  {
    name: 'DEALLOCATE ALL',
    body: `EXECUTE 'DEALLOCATE ALL'`,
    onlyRefused: 'what was deallocated is gone',
    hides: true,
  },
  {
    name: 'setseed',
    statement: 'SELECT pg_catalog.setseed(0.5)',
    onlyRefused: 'the seed of random() is no setting',
  },
  {
    name: 'setseed hidden',
    body: 'PERFORM pg_catalog.setseed(0.5)',
    onlyRefused: 'the seed of random() is no setting',
  },
  {
    name: 'currval and nextval of a temporary sequence',
    body: `PERFORM pg_catalog.lastval()`,
    fails: true,
  },
  {
    name: 'cancel others',
    statement: `SELECT pg_catalog.pg_cancel_backend(0)`,
    onlyRefused: 'a signal cannot be taken back',
  },
  {
    name: 'terminate others',
    body: `PERFORM pg_catalog.pg_terminate_backend(0)`,
    onlyRefused: 'a signal cannot be taken back',
  },
  {
    name: 'txid_current',
    statement: 'SELECT pg_catalog.txid_current()',
    onlyRefused: 'a transaction number is used up',
  },
  {
    name: 'emit message',
    statement: `SELECT pg_catalog.pg_logical_emit_message(false, 'loot', 'x')`,
    onlyRefused: 'the log of the server has it',
    fails: true,
  },
  {
    name: 'stat reset',
    statement: 'SELECT pg_catalog.pg_stat_reset()',
    onlyRefused: 'counters begin anew',
    fails: true,
  },
];
