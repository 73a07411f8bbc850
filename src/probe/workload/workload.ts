import type { WorkloadStatement } from '../../database/statement.ts';
import type { RandomSource } from '../random.ts';
import type { WorkloadSummary } from '../result-head.ts';

/** What is sent again and again, checked and timed. */
export interface Workload {
  readonly summary: WorkloadSummary;
  /** What its statements call that PostgreSQL does not bring, a line each. */
  readonly calls: readonly string[];
  /** Mean on one connection before the experiment, by weight, in milliseconds. */
  readonly meanMs: number;
  /** Draws the next statement, with values for its parameters. */
  readonly next: (random: RandomSource) => WorkloadStatement;
  /** What to keep in mind, in whole sentences. */
  readonly notes: readonly string[];
}
