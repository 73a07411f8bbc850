import * as v from 'valibot';
import { number, positive, type OutputOf } from '../../schema/fields.ts';
import { PoolLoad, PoolSample } from '../load/pool-load.ts';
import { ResultHead } from '../result-head.ts';
import { UserStage } from '../experiment.ts';

export const UsersRow = v.object({
  max: positive,
  load: PoolLoad,
  /** Answered requests beyond those of the first row, as a share of them; null in the first row. */
  gain: v.nullable(number),
  /** Requests that each connection beyond those of the row before brought; null in the first row. */
  gainPerConnection: v.nullable(number),
  samples: v.array(PoolSample),
});
export type UsersRow = OutputOf<typeof UsersRow>;

/** Users who pause between requests, against one pool size after the other. */
export const UsersResult = v.object({
  ...ResultHead.entries,
  experiment: v.literal('users'),
  stages: v.array(UserStage),
  thinkMs: number,
  rows: v.array(UsersRow),
  /** The smallest size that brings nearly all there is; null when even the largest leaves users waiting, or nothing was measured. */
  pick: v.nullable(positive),
});
export type UsersResult = OutputOf<typeof UsersResult>;
