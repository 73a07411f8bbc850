import * as v from 'valibot';
import { number, positive, text, type OutputOf } from '../../schema/fields.ts';
import { schemaVersion } from '../result-head.ts';

/** A service of `rate` requests per second whose statements suddenly take longer. Times in milliseconds. */
export const SpikeInput = v.object({
  rate: number,
  /** How long a request holds a client on a good day. */
  holdMs: number,
  /** The same during the spike. */
  spikeHoldMs: number,
  spikeMs: number,
  /** `connectionTimeoutMillis`; null to wait indefinitely. */
  waitLimitMs: v.nullable(number),
});
export type SpikeInput = OutputOf<typeof SpikeInput>;

export const SpikeRow = v.object({
  max: positive,
  /** Clients in use on a good day, as a share of `max`; 1 and more never keeps up. */
  utilisation: number,
  /** Requests in line at the end of the spike. */
  backlog: number,
  /** What a request faces that arrives at the end of the spike if the server stays as slow: backlog / (max / hold time in the spike). An upper bound. */
  longestWaitMs: number,
  /** What the slowest request really waits when the spike ends on time. */
  reachedWaitMs: number,
  /** From the end of the spike until no request waits any more; null for never. */
  drainMs: v.nullable(number),
  /** Requests that give up at `waitLimitMs`. */
  refused: number,
});
export type SpikeRow = OutputOf<typeof SpikeRow>;

/** What a stall of the server does to a pool: a fluid model, nothing is run. */
export const SpikeResult = v.object({
  schemaVersion: v.literal(schemaVersion),
  experiment: v.literal('spike'),
  input: SpikeInput,
  /** Clients that the load needs on a good day: rate × hold time. */
  needed: number,
  /** Clients without any line during the spike. */
  neededInSpike: number,
  rows: v.array(SpikeRow),
  verdict: v.object({
    kind: v.picklist(['rides-it-out', 'recovers', 'never-recovers']),
    because: text,
  }),
  notes: v.array(text),
});
export type SpikeResult = OutputOf<typeof SpikeResult>;
