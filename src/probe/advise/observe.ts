import { availableParallelism } from 'node:os';
import { type DatabaseTimes, readDatabaseTimes } from '../../database/read-database-totals.ts';
import type { Asker } from '../../database/session.ts';
import { type ConnectionTarget, isLoopback } from '../../database/target.ts';
import type { ObservedLoad } from './advice.ts';

/** With less than this the statistics tell of the last few clicks. */
const fewestActiveMs = 60_000;

/** What the server's statistics say about the load that this database has had; null where they say too little. */
export async function observeLoad(session: Asker): Promise<ObservedLoad | null> {
  const times = await readDatabaseTimes(session);
  return times === null ? null : toObservedLoad(times);
}

export function toObservedLoad({
  activeMs,
  idleInTransactionMs,
  sinceMs,
  since,
}: DatabaseTimes): ObservedLoad | null {
  if (activeMs < fewestActiveMs) return null;
  return {
    busyShare: activeMs / (activeMs + idleInTransactionMs),
    meanActive: sinceMs === null ? null : activeMs / Math.max(1, sinceMs),
    since,
  };
}

/** Those of this machine, if the server runs on it; null for any other, which does not say. */
export function coresOfServer({ host }: Pick<ConnectionTarget, 'host'>): number | null {
  return isLoopback(host) ? availableParallelism() : null;
}
