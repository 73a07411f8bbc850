import { checkoutClasses, transactionClasses, type BugClass } from './classes.ts';
import type { Cell } from './table.ts';

/** A kind of table of labels: what its rows are about, and where its figures are kept. */
export interface LabelSet {
  readonly id: 'checkouts' | 'transactions';
  readonly classes: readonly BugClass[];
  /** Whether rows say where the connection is held and by which library. */
  readonly hasRegions: boolean;
  readonly isHeadline: (cell: Cell) => boolean;
  /** Whether the stored figures are also of bug fixes and of every file. */
  readonly isFull: boolean;
  /** In test/corpus. */
  readonly results: string;
}

const checkouts: LabelSet = {
  id: 'checkouts',
  classes: checkoutClasses,
  hasRegions: false,
  // Sites of tests, of unclear meaning, without an acquire, or in programs that end anyway say little about a tool.
  isHeadline: (cell) =>
    cell('kind') !== 'test' &&
    cell('label') !== 'unclear' &&
    !cell('extras')
      .split(',')
      .some((extra) => extra === 'no-acquire' || extra === 'process-exit'),
  isFull: true,
  results: 'results.json',
};

/**
 * Rows of transactions.tsv, beyond repo, commit and path:
 * - line, end_line: the call that takes the connection, and the last line of the callback, method or function that holds it.
 * - library, form: who lends it, and how it is held: for a callback (also a named one), for a decorated method, until code ends
 *   it (manual), without a transaction (connection), or not at all (array, which Prisma sends in one go).
 * - outer, slow, concurrent: the lines in it where a query goes over another connection of the same pool, where something slow
 *   that is no database is awaited, where several queries are sent at a time over the one connection. `-`: none, `?`: undecided.
 * - manual: how one ends that code must end. `n/a`: the library ends it. leak-throw, leak-return, leak-never, leak-other: the way
 *   on which nobody does. `?`: undecided.
 * - escapes: who answers for it from then on, where it leaves the function. kind, confidence, reason: of what, how sure, and why.
 */
const transactions: LabelSet = {
  id: 'transactions',
  classes: transactionClasses,
  hasRegions: true,
  isHeadline: (cell) => cell('kind') !== 'test',
  isFull: false,
  results: 'transactions.json',
};

/** The columns of a table tell what it is about. */
export function setWith(columns: readonly string[]): LabelSet {
  return columns.includes('end_line') ? transactions : checkouts;
}

export const labelSets: readonly LabelSet[] = [checkouts, transactions];
