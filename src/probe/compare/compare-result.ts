import * as v from 'valibot';
import { number, type OutputOf } from '../../schema/fields.ts';
import { PoolLoad } from '../load/pool-load.ts';
import { ResultHead } from '../result-head.ts';

export const strategies = ['new-connection', 'shared-client', 'pool', 'pipelined-client'] as const;
export type Strategy = (typeof strategies)[number];

export const CompareRow = v.object({
  strategy: v.picklist(strategies),
  callers: number,
  /** Open at the same time at most: `max` of a pool, one of a single client. Tells the two pools of a comparison apart. */
  connections: number,
  load: PoolLoad,
  /** Event-loop utilisation of the generator, 0 to 1. */
  eventLoop: number,
});
export type CompareRow = OutputOf<typeof CompareRow>;

/** The same load by four ways to reach the server. */
export const CompareResult = v.object({
  ...ResultHead.entries,
  experiment: v.literal('compare'),
  poolSize: number,
  /** By callers, then in the order of `strategies`; a pool of as many clients as there are cores comes before that of `poolSize`. */
  rows: v.array(CompareRow),
});
export type CompareResult = OutputOf<typeof CompareResult>;
