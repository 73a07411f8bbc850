import type { Advice } from '../advise/advice.ts';
import type { Comparison } from '../baseline/comparison.ts';
import type { PoolLoad } from '../load/pool-load.ts';
import type { BackendMemory, LimitsApplied, ResultHead } from '../result-head.ts';
import type { Slice } from './slice.ts';

/** One measured pool size. Throughput is statements per second; `low` and `high` bound it (bootstrap, 5th and 95th percentile). */
export interface SizeMeasurement {
  readonly size: number;
  readonly throughput: number;
  readonly low: number;
  readonly high: number;
  /** Mean time of one statement in the database, in milliseconds. */
  readonly meanMs: number;
  /** Slices that passed the noise gate, of all that ran. */
  readonly acceptedSlices: number;
  readonly slices: number;
}

export type VerdictKind =
  | 'found'
  | 'not-saturated'
  | 'client-bound'
  | 'host-bound'
  | 'lock-bound'
  /** The pooler had no further backend to lend. */
  | 'pooler-bound'
  | 'too-noisy';

export interface Recommendation {
  /** What to write as `max`, per worker process. */
  readonly max: number;
  readonly interval: readonly [low: number, high: number];
  /** Share of bootstrap draws that chose the same size, 0 to 1. */
  readonly confidence: number;
  /** What bounds it, in words: the measured knee, the server's room, the cap of this run. */
  readonly limitedBy: string;
  /** What to write as `default_pool_size` of the pooler in between; null without one, and where nothing is known about it. */
  readonly defaultPoolSize: number | null;
  /** What to write as `connectionTimeoutMillis`, from the measured times. */
  readonly connectionTimeoutMs: number;
}

/** A real `pg.Pool({ max })` at the recommended size. */
export interface PoolValidation {
  readonly max: number;
  /** Four callers per client, each asking again when it is answered. */
  readonly closed: { readonly callers: number; readonly load: PoolLoad } | null;
  /** Arrivals at random moments, timed from the moment they were meant for. */
  readonly open: { readonly rate: number; readonly load: PoolLoad } | null;
}

/** Which pool size does it. */
export interface SizeResult extends ResultHead {
  readonly experiment: 'size';
  readonly verdict: { readonly kind: VerdictKind; readonly because: string };
  /** Null when the verdict refuses to name a number. */
  readonly recommendation: Recommendation | null;
  readonly sizes: readonly SizeMeasurement[];
  /** Where the curve bends; null when it does not. */
  readonly knee: number | null;
  /** The smallest size with 90 % of the best throughput; null without a believable curve. */
  readonly goodSize: number | null;
  /** Largest size this run could have tried, and why. */
  readonly cap: { readonly size: number; readonly because: string };
  readonly rounds: number;
  /** Everything that was measured, in order. */
  readonly slices: readonly Slice[];
  readonly limits: LimitsApplied;
  readonly memory: BackendMemory | null;
  readonly validation: PoolValidation | null;
  /** What the formulas say, for comparison. */
  readonly advice: Advice;
  /** How an earlier answer stands up; only where a baseline was given. */
  readonly comparison?: Comparison | undefined;
}
