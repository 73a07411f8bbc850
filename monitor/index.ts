import type { MonitorOptions, WatchablePool } from './options.ts';
import { countsOf } from './watch/monitor.ts';
import { sharedMonitor } from './watch/shared-monitor.ts';

export type { MonitorOptions, ReporterName } from './options.ts';
export type {
  CodePlace,
  HeldCheckout,
  Mistake,
  CounterSample,
  Report,
  Times,
  WatchedPool,
} from './report.ts';
export type { WatchablePool } from './options.ts';

/** A pool that is being watched. */
export interface PoolUnderWatch {
  /** Clients that are open, those of them that nobody uses, callers that wait for one, and the pool's `max`. */
  counts(): {
    readonly total: number;
    readonly idle: number;
    readonly waiting: number;
    readonly max: number;
  };
  /** Leaves the pool alone. The pool itself goes on. */
  stop(): void;
}

/**
 * Watches a pool of `pg`, or the one that `knex()`, a `Sequelize` or `postgres()` has. A pool that is watched already, by `poolguard-monitor/register` or an earlier call, gets the name and the
 * thresholds that are given; `sampleMs`, `printMs` and `report` are those of the first pool that is watched.
 * Never throws: where the monitor fails, it says so on standard error and the pool goes on without it.
 */
export function watchPool(pool: WatchablePool, options: MonitorOptions = {}): PoolUnderWatch {
  const monitor = sharedMonitor();
  monitor?.watch(pool, options, null);
  return {
    counts: () => countsOf(pool),
    stop: () => monitor?.unwatch(pool),
  };
}
