import type { schemaVersion } from '../result-head.ts';

/** A service of `rate` requests per second whose statements suddenly take longer. Times in milliseconds. */
export interface SpikeInput {
  readonly rate: number;
  /** How long a request holds a client on a good day. */
  readonly holdMs: number;
  /** The same during the spike. */
  readonly spikeHoldMs: number;
  readonly spikeMs: number;
  /** `connectionTimeoutMillis`; null to wait for ever. */
  readonly waitLimitMs: number | null;
}

export interface SpikeRow {
  readonly max: number;
  /** Clients in use on a good day, as a share of `max`; 1 and more never keeps up. */
  readonly utilisation: number;
  /** Requests in line at the end of the spike. */
  readonly backlog: number;
  /** What a request faces that arrives at the end of the spike if the server stays as slow: backlog / (max / hold time in the spike). An upper bound. */
  readonly longestWaitMs: number;
  /** What the slowest request really waits when the spike ends on time. */
  readonly reachedWaitMs: number;
  /** From the end of the spike until nobody waits any more; null for never. */
  readonly drainMs: number | null;
  /** Requests that give up at `waitLimitMs`. */
  readonly refused: number;
}

/** What a stall of the server does to a pool: a fluid model, nothing is run. */
export interface SpikeResult {
  readonly schemaVersion: typeof schemaVersion;
  readonly experiment: 'spike';
  readonly input: SpikeInput;
  /** Clients that the load needs on a good day: rate × hold time. */
  readonly needed: number;
  /** Clients without any line during the spike. */
  readonly neededInSpike: number;
  readonly rows: readonly SpikeRow[];
  readonly verdict: {
    readonly kind: 'rides-it-out' | 'recovers' | 'never-recovers';
    readonly because: string;
  };
  readonly notes: readonly string[];
}
