import * as v from 'valibot';
import { number, positive, text, type OutputOf } from '../../schema/fields.ts';
import { PoolLoad } from '../load/pool-load.ts';
import { ResultHead } from '../result-head.ts';

export const RampCell = v.object({
  max: positive,
  /** Arrivals per second that were meant. */
  rate: positive,
  load: PoolLoad,
});
export type RampCell = OutputOf<typeof RampCell>;

export const Inflection = v.object({
  max: positive,
  /** The first rate at which the pool no longer keeps up; null when it kept up with all. */
  rate: v.nullable(positive),
  because: text,
});
export type Inflection = OutputOf<typeof Inflection>;

/** Arrivals that do not wait, faster and faster. */
export const RampResult = v.object({
  ...ResultHead.entries,
  experiment: v.literal('ramp'),
  /** After this an arrival that still waited for a client counted as refused (`wait-timeout`). */
  waitLimitMs: number,
  /** By size, then by rate. */
  cells: v.array(RampCell),
  inflections: v.array(Inflection),
});
export type RampResult = OutputOf<typeof RampResult>;
