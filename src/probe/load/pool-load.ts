/** Times of answered requests, in milliseconds. Failed and refused requests are in none of them. */
export interface Latency {
  readonly count: number;
  readonly averageMs: number;
  readonly p50Ms: number;
  /** Null below 200 samples, where it would mean nothing. */
  readonly p95Ms: number | null;
  /** Null below 1,000 samples: its 95 % interval would reach the maximum. */
  readonly p99Ms: number | null;
  readonly maxMs: number;
}

/** How often something was counted, by SQLSTATE or client error code. */
export type ErrorCounts = Readonly<Record<string, number>>;

/** What load on a real pool did. */
export interface PoolLoad {
  readonly seconds: number;
  /** Answered requests. */
  readonly requests: number;
  /** Answered requests per second. */
  readonly throughput: number;
  /** From the moment at which a request was meant to begin to its last row. Null without an answer. */
  readonly latency: Latency | null;
  /** The part of it before the pool gave a client. */
  readonly wait: Latency | null;
  /** The part of it in which the statement ran. */
  readonly database: Latency | null;
  readonly peakWaiting: number;
  readonly errors: ErrorCounts;
  /** Arrivals that were never begun, because too many were under way already. */
  readonly dropped: number;
  /** How late requests began, beyond their intended moment, by the generator's own fault; null for a closed loop. */
  readonly lagP99Ms: number | null;
}

/** One look at a pool. */
export interface PoolSample {
  /** Since the load began. */
  readonly atMs: number;
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
  /** Answered since the look before. */
  readonly answered: number;
}
