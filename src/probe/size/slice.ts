import * as v from 'valibot';
import { number, type OutputOf, positive } from '../../schema/fields.ts';

/** What the machine of the probe did during a slice. One core is 1. */
export const SliceLoad = v.object({
  cores: number,
  /** Event-loop utilisation, 0 to 1; of several generator threads the highest. */
  eventLoop: number,
  /** Generator threads; 1 when not said. */
  threads: v.exactOptional(number),
  /** Cores used by the probe's own process, all its threads together. */
  ownCores: number,
  idleCores: number,
  /** Cores used by other programs; null when the server's share cannot be told apart. A little below 0 where ticks fell badly. */
  foreignCores: v.nullable(number),
  /** Cores used by the probe's backends. This and the following are null, or absent from older results, where nobody tells. */
  backendCores: v.exactOptional(v.nullable(number)),
  /** How many tasks waited for a processor on average (run delay): of the backends, and of the probe's own threads. */
  waiting: v.exactOptional(v.nullable(v.object({ backends: number, probe: number }))),
  /** Cores that the host of a virtual machine gave to somebody else. */
  stolenCores: v.exactOptional(v.nullable(number)),
});
export type SliceLoad = OutputOf<typeof SliceLoad>;

/** What a round trip to a pooler takes besides its statement, in milliseconds. */
export const PoolerLine = v.object({
  /** Of a statement that does nothing, without guards. */
  plainMs: number,
  /** What guards and ROLLBACK add to it. */
  guardMs: number,
  /** Backends that the pooler has for its clients; null where it does not say. */
  backends: v.nullable(positive),
});
export type PoolerLine = OutputOf<typeof PoolerLine>;

/** A pool size at work for a fraction of a second: the unit in which a probe measures. */
export const Slice = v.object({
  /** From 0; the slices of one round belong together, since the machine changes between rounds. */
  round: number,
  size: positive,
  /** Statements per second, always above 0. */
  throughput: positive,
  load: SliceLoad,
  /** What was measured of the pooler's line beside this round; missing without one, and in older results. */
  line: v.exactOptional(PoolerLine),
});
export type Slice = OutputOf<typeof Slice>;

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
