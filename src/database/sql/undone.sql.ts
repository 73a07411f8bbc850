/** Opens a slice: a transaction that reads only. */
export const beginReadOnlySql = 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY NOT DEFERRABLE';

/** Takes the first snapshot of a transaction: PostgreSQL refuses to make it writable from here on (variable.c, check_transaction_read_only). */
export const snapshotSql = 'SELECT 1';

export const beginReadWriteSql = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE NOT DEFERRABLE';

/** After a statement of an implicit transaction: makes a block of it, which ROLLBACK then undoes as a whole. */
export const beginSql = 'BEGIN';

export const rollbackSql = 'ROLLBACK';

/** Whether the transaction so far wrote anything: whatever writes a row, a large object or a catalog has a transaction id assigned. */
export const wroteSql = 'SELECT pg_catalog.txid_current_if_assigned() IS NOT NULL';

/** Sets what holds for the current transaction alone, and takes its snapshot. Values must not come from strangers. */
export function guardSql(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`,
  );
  return `SELECT ${calls.join(', ')}`;
}

/** Each may be set by anybody in every version. The tree comes as a message of level LOG, unformatted. */
const settings = {
  transaction_read_only: 'on',
  standard_conforming_strings: 'on',
  client_min_messages: 'log',
  debug_pretty_print: 'off',
  debug_print_rewritten: 'on',
} as const;

/**
 * In front of a statement that is only parsed: makes the server tell its tree, for this transaction. Limits must not
 * come from strangers.
 */
export function parseGuardSql(limits: Readonly<Record<string, string>>): string {
  return guardSql({ ...settings, ...limits });
}
