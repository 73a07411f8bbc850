import type { ConnectionTarget } from '../../database/target.ts';
import type { PoolerReport, PoolerStats } from '../../pooler/pooler-report.ts';
import type { PoolerSummary } from '../result-head.ts';
import { findOwnPool } from './own-pool.ts';

/** What the console showed from the first look to the last. All null without a look: then there is a pooler, and no more is known. */
export function toPoolerSummary(
  looks: readonly PoolerReport[],
  target: Pick<ConnectionTarget, 'database' | 'user'>,
): PoolerSummary {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined) return nothingKnown;
  const pools = looks.flatMap((look) => findOwnPool(look, target) ?? []);
  const pool = pools.at(-1);
  const { limits, version } = last.pooler;
  const mode = pool?.mode ?? limits.mode;
  return {
    version: version || null,
    mode: mode === 'session' || mode === 'transaction' || mode === 'statement' ? mode : null,
    defaultPoolSize: pool?.size ?? limits.defaultPoolSize,
    maxClientConnections: limits.maxClients,
    peakWaitMs: Math.max(0, ...pools.map(({ longestWaitMs }) => longestWaitMs)),
    peakWaitingClients: Math.max(0, ...pools.map(({ clientsWaiting }) => clientsWaiting)),
    waitShare: toWaitShare(statsOf(first, target.database), statsOf(last, target.database)),
  };
}

const nothingKnown: PoolerSummary = {
  version: null,
  mode: null,
  defaultPoolSize: null,
  maxClientConnections: null,
  peakWaitMs: null,
  peakWaitingClients: null,
  waitShare: null,
};

/** A database that nobody has used yet has no row: its totals begin at 0. */
function statsOf({ stats }: PoolerReport, database: string): PoolerStats | undefined {
  return stats.find((each) => each.database === database);
}

/** By the totals, whose difference over the probe is exact; the console's averages are over a minute that began before it. */
function toWaitShare(
  before: PoolerStats | undefined,
  after: PoolerStats | undefined,
): number | null {
  if (after === undefined || after.totalWaitMs === null || after.totalTransactionMs === null)
    return null;
  const waited = after.totalWaitMs - (before?.totalWaitMs ?? 0);
  const served = after.totalTransactionMs - (before?.totalTransactionMs ?? 0);
  return waited < 0 || served < 0 || waited + served === 0 ? null : waited / (waited + served);
}
