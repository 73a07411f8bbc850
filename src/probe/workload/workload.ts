import type { Statement } from '../../database/session.ts';
import type { RandomSource } from '../random.ts';
import type { WorkloadSummary } from '../result-head.ts';

/** A statement with values for its parameters. Its name makes it a prepared statement. */
export interface DrawnStatement extends Statement {
  /** It writes, so that it runs in a transaction that is rolled back. */
  readonly isRolledBack?: boolean;
}

/** What is sent again and again, checked and timed. */
export interface Workload {
  readonly summary: WorkloadSummary;
  /** Mean on one connection before the experiment, by weight, in milliseconds. */
  readonly meanMs: number;
  /** Draws the next statement to send. `run-once.ts` sends it. */
  readonly next: (random: RandomSource) => DrawnStatement;
  /** What to keep in mind, in whole sentences. */
  readonly notes: readonly string[];
}
