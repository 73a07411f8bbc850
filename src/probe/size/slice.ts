/** A pool size at work for a fraction of a second: the unit in which a probe measures. */
export interface Slice {
  /** From 0; the slices of one round belong together, since the machine changes between rounds. */
  readonly round: number;
  readonly size: number;
  /** Statements per second, always above 0. */
  readonly throughput: number;
  readonly load: SliceLoad;
  /** False when something else disturbed the slice; see `noise-gate.ts`. */
  readonly quiet: boolean;
}

/** What the machine of the probe did during a slice. One core is 1. */
export interface SliceLoad {
  readonly cores: number;
  /** Event-loop utilisation, 0 to 1; of several generator threads the highest. */
  readonly eventLoop: number;
  /** Generator threads; 1 when not said. */
  readonly threads?: number;
  /** Cores used by the probe's own process, all its threads together. */
  readonly ownCores: number;
  readonly idleCores: number;
  /** Cores used by other programs; null when the server's share cannot be told apart. */
  readonly foreignCores: number | null;
}

/** What the probe's own backends were seen doing at one pool size, in samples of `pg_stat_activity`. */
export interface WaitSamples {
  readonly size: number;
  /** Active and waiting for nothing: on the CPU, or queueing for it. */
  readonly running: number;
  /** Active and waiting, by `wait_event_type` and `wait_event`. */
  readonly waiting: readonly {
    readonly type: string;
    readonly event: string;
    readonly count: number;
  }[];
}
