import type { SessionLimits } from '../../../database/session-limits.ts';
import type { ConnectionTarget } from '../../../database/target.ts';
import type { Startup } from '../../../database/startup.ts';
import type { TransactionCounts } from '../../../database/transaction-tally.ts';
import type { WorkloadStatement } from '../../../database/statement.ts';
import type { StatementTimes } from '../lanes.ts';

/** What a generator thread is started with. The password stays within the process. */
export interface ThreadOrder {
  readonly target: ConnectionTarget;
  readonly password: string | null;
  /** Connections of this thread. */
  readonly size: number;
  readonly limits: Omit<Partial<SessionLimits>, 'onBreach'>;
  readonly startup: Startup;
  /** Drawn beforehand, since what draws them cannot cross; run in turn. */
  readonly statements: readonly WorkloadStatement[];
  /** Room for `counterCount` numbers, which the thread writes and the probe reads. */
  readonly counters: SharedArrayBuffer;
}

/** Places of the counters, in 64-bit floats; times are milliseconds since 1970 with fractions. */
export const counterPlaces = { completed: 0, lastAt: 1, lagP99Ms: 2 } as const;
export const counterCount = 3;

export type ThreadCommand =
  | {
      readonly kind: 'size';
      readonly size: number;
      /** What all threads have together. */
      readonly of: number;
      readonly turn: number;
    }
  | { readonly kind: 'close' };

export type ThreadAnswer =
  | { readonly kind: 'ready'; readonly pids: readonly number[] }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** All lanes beyond the size of that turn are idle. */
  | {
      readonly kind: 'settled';
      readonly turn: number;
      /** All that this thread has taken so far. */ readonly times: readonly StatementTimes[];
    }
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'lost' | 'breach'; readonly sentence: string }
  | { readonly kind: 'closed'; readonly transactions: TransactionCounts };
