import { guardSql } from './undone.sql.ts';

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
