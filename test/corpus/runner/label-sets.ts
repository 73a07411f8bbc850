import { checkoutClasses, transactionClasses, type BugClass } from './classes.ts';
import type { Cell } from './table.ts';

/** A kind of table of labels: what its rows are about. */
export interface LabelSet {
  readonly classes: readonly BugClass[];
  /** Whether rows say where the connection is held and by which library. */
  readonly hasRegions: boolean;
  readonly isHeadline: (cell: Cell) => boolean;
}

const checkouts: LabelSet = {
  classes: checkoutClasses,
  hasRegions: false,
  // Sites of tests, of unclear meaning, without an acquire, or in programs that end anyway say little about a tool.
  isHeadline: (cell) =>
    cell('kind') !== 'test' &&
    cell('label') !== 'unclear' &&
    !cell('extras')
      .split(',')
      .some((extra) => extra === 'no-acquire' || extra === 'process-exit'),
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
  classes: transactionClasses,
  hasRegions: true,
  isHeadline: (cell) => cell('kind') !== 'test',
};

/** The columns of a table tell what it is about. */
export function setWith(columns: readonly string[]): LabelSet {
  return columns.includes('end_line') ? transactions : checkouts;
}

/** The tables in test/corpus. The figures of each are kept beside it, as JSON; those of the first one are also of bug fixes and of every file. */
export const labelFiles = ['sites', 'wild', 'unseen', 'transactions'] as const;
