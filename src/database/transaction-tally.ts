/** How the transactions of probed statements ended, by the answers of their own backends. */
export interface TransactionCounts {
  /** Ended by ROLLBACK. */
  readonly rolledBack: number;
  /** Ended by an error, which undoes them as well. */
  readonly failed: number;
  /** Ended in any other way, so that what they did stays. */
  readonly committed: number;
  /** Had written something when they should only read; the ROLLBACK undid it. */
  readonly wrote: number;
}

const noTransactions: TransactionCounts = { rolledBack: 0, failed: 0, committed: 0, wrote: 0 };

/** Counts transactions as they end. */
export interface TransactionTally {
  note(ended: keyof TransactionCounts): void;
  /** Adds those of another tally. */
  add(counts: TransactionCounts): void;
  read(): TransactionCounts;
}

export function createTally(): TransactionTally {
  const counts = { ...noTransactions };
  return {
    note: (ended) => void (counts[ended] += 1),
    add: (others) => {
      for (const key of Object.keys(counts) as (keyof TransactionCounts)[])
        counts[key] += others[key];
    },
    read: () => ({ ...counts }),
  };
}
