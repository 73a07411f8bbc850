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
  | 'too-noisy';

export interface Recommendation {
  /** What to write as `max`, per worker process. */
  readonly max: number;
  readonly interval: readonly [low: number, high: number];
  /** Share of bootstrap draws that chose the same size, 0 to 1. */
  readonly confidence: number;
  /** What bounds it, in words: the measured knee, the server's room, the cap of this run. */
  readonly limitedBy: string;
}

/** The printed form of `poolguard probe --json`, and what the panel draws. */
export interface ProbeResult {
  readonly schemaVersion: 1;
  readonly verdict: { readonly kind: VerdictKind; /** Whole sentences. */ readonly because: string };
  /** Null when the verdict refuses to name a number. */
  readonly recommendation: Recommendation | null;
  readonly sizes: readonly SizeMeasurement[];
  /** The knee of the curve; null when it has none. */
  readonly knee: number | null;
  /** Largest size this run could have tried, and why. */
  readonly cap: { readonly size: number; readonly because: string };
  readonly statement: string;
  readonly rounds: number;
  readonly elapsedMs: number;
  /** What to keep in mind when reading the numbers, in whole sentences. */
  readonly notes: readonly string[];
  /** Statements that failed, by SQLSTATE or client error code. */
  readonly errors: Readonly<Record<string, number>>;
  readonly validation: PoolValidation | null;
  readonly server: { readonly version: string; readonly host: string; readonly port: number; readonly database: string };
}

/** A real `pg.Pool({ max })` at the recommended size, driven by four callers per client. */
export interface PoolValidation {
  readonly max: number;
  readonly callers: number;
  /** Statements per second. */
  readonly throughput: number;
  /** From asking the pool for a client to the last row, as the percentiles are. */
  readonly averageMs: number;
  /** The part of `averageMs` before the pool gave a client. */
  readonly averageWaitMs: number;
  /** The part of `averageMs` in which the statement ran. */
  readonly averageDatabaseMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Null below 1,000 samples, where it would mean nothing. */
  readonly p99Ms: number | null;
  readonly peakWaiting: number;
}

/** What a running probe says, in order: one `plan`, then `progress`, then exactly one of the last three. A dry run ends with its `plan`. */
export type ProbeEvent =
  | { readonly kind: 'plan'; readonly sizes: readonly number[]; readonly statement: string; readonly expectedMs: number; readonly cap: ProbeResult['cap']; readonly notes: readonly string[] }
  | { readonly kind: 'progress'; /** 0 to 1 */ readonly fraction: number; readonly doing: string; readonly sizes: readonly SizeMeasurement[] }
  | { readonly kind: 'result'; readonly result: ProbeResult }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly sentence: string };
