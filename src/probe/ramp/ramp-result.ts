import type { PoolLoad } from '../load/pool-load.ts';
import type { ResultHead } from '../result-head.ts';

export interface RampCell {
  readonly max: number;
  /** Arrivals per second that were meant. */
  readonly rate: number;
  readonly load: PoolLoad;
}

export interface Inflection {
  readonly max: number;
  /** The first rate at which the pool no longer keeps up; null when it kept up with all. */
  readonly rate: number | null;
  readonly because: string;
}

/** Arrivals that do not wait, faster and faster. */
export interface RampResult extends ResultHead {
  readonly experiment: 'ramp';
  /** After this an arrival that still waited for a client counted as refused (`wait-timeout`). */
  readonly waitLimitMs: number;
  /** By size, then by rate. */
  readonly cells: readonly RampCell[];
  readonly inflections: readonly Inflection[];
}
