import { describeAge } from '../activity/age.ts';
import { historyLength } from '../activity/activity-model.ts';
import {
  findPoolerConcerns,
  poolKey,
  type PoolerConcern,
  type PoolerThresholds,
} from './pooler-concern.ts';
import type { PoolerReport, PoolerStats } from './pooler-report.ts';

/** What pages and terminal show of a pooler: one sample, and what earlier samples add to it. Plain data. */
export interface PoolerModel {
  /** Null until the first sample. */
  readonly report: PoolerReport | null;
  readonly concerns: readonly PoolerConcern[];
  /** Waiting clients of the last samples, oldest first. */
  readonly waiting: readonly number[];
  /** The longest wait of each of these samples, in milliseconds. */
  readonly longestWaitMs: readonly number[];
  /** Looks in a row that found somebody waiting, by `poolKey`. */
  readonly samplesWaiting: Readonly<Record<string, number>>;
}

export const emptyPooler: PoolerModel = {
  report: null,
  concerns: [],
  waiting: [],
  longestWaitMs: [],
  samplesWaiting: {},
};

/** The model after one more sample. */
export function nextPooler(
  before: PoolerModel,
  report: PoolerReport,
  thresholds?: PoolerThresholds,
): PoolerModel {
  const samplesWaiting = Object.fromEntries(
    report.pools.map((pool) => [
      poolKey(pool),
      pool.clientsWaiting === 0 ? 0 : (before.samplesWaiting[poolKey(pool)] ?? 0) + 1,
    ]),
  );
  return {
    report,
    concerns: findPoolerConcerns(report, samplesWaiting, thresholds),
    waiting: [...before.waiting, report.totals.clientsWaiting].slice(-historyLength),
    longestWaitMs: [...before.longestWaitMs, report.totals.longestWaitMs].slice(-historyLength),
    samplesWaiting,
  };
}

/** One line about the whole pooler, for example "PgBouncer 1.18.0 in front: 3 clients wait, the longest for 1.2 s". */
export function describePooler({ pooler, totals }: PoolerReport): string {
  const { clientsWaiting, longestWaitMs } = totals;
  const wait =
    clientsWaiting === 0
      ? 'no client waits'
      : `${clientsWaiting === 1 ? '1 client waits' : `${clientsWaiting} clients wait`}, the longest for ${describeAge(longestWaitMs)}`;
  return `${[pooler.product, pooler.version].filter(Boolean).join(' ')} in front: ${wait}`;
}

/** Of which time rates and averages are, and what the averages have in them. */
export function describeStatsTime(stats: readonly PoolerStats[]): string {
  const overMs = stats.find((each) => each.overMs !== null)?.overMs ?? null;
  return overMs === null
    ? 'Rates and averages follow with the next sample.'
    : `Rates and averages of the last ${describeAge(overMs)}. Both times begin with the client's statement, so waiting for a server connection is a part of them.`;
}
