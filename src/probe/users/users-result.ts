import type { PoolLoad, PoolSample } from '../load/pool-load.ts';
import type { ResultHead } from '../result-head.ts';
import type { UserStage } from '../experiment.ts';

export interface UsersRow {
  readonly max: number;
  readonly load: PoolLoad;
  /** Answered requests beyond those of the first row, as a share of them; null in the first row. */
  readonly gain: number | null;
  /** Requests that each connection beyond those of the row before brought; null in the first row. */
  readonly gainPerConnection: number | null;
  readonly samples: readonly PoolSample[];
}

/** Users who pause between requests, against one pool size after the other. */
export interface UsersResult extends ResultHead {
  readonly experiment: 'users';
  readonly stages: readonly UserStage[];
  readonly thinkMs: number;
  readonly rows: readonly UsersRow[];
  /** The smallest size that brings nearly all there is; null when even the largest leaves users waiting, or nothing was measured. */
  readonly pick: number | null;
}
