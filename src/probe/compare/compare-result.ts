import type { PoolLoad } from '../load/pool-load.ts';
import type { ResultHead } from '../result-head.ts';

export const strategies = ['new-connection', 'shared-client', 'pool', 'pipelined-client'] as const;
export type Strategy = (typeof strategies)[number];

export interface CompareRow {
  readonly strategy: Strategy;
  readonly callers: number;
  /** Open at the same time at most: `max` of a pool, one of a single client. Tells the two pools of a comparison apart. */
  readonly connections: number;
  readonly load: PoolLoad;
  /** Event-loop utilisation of the generator, 0 to 1. */
  readonly eventLoop: number;
}

/** The same load by four ways to reach the server. */
export interface CompareResult extends ResultHead {
  readonly experiment: 'compare';
  readonly poolSize: number;
  /** By callers, then in the order of `strategies`; a pool of as many clients as there are cores comes before that of `poolSize`. */
  readonly rows: readonly CompareRow[];
}
