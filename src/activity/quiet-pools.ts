import { describeAge } from './age.ts';
import { groupByPool, type PoolGroup } from './group-by-pool.ts';
import type { ActivityReport } from './snapshot.ts';

/** pg-pool closes a client that nobody has borrowed for so long (`idleTimeoutMillis`), if nothing else is set. */
const idleTimeoutMs = 10_000;
/** Its timer may be late, on a busy machine. */
const lateMs = 2_000;
/** A single session is a terminal, or a client that listens. */
const fewest = 2;

/**
 * What it may mean that every session of a pool is idle for longer than a pool keeps one that nobody has borrowed; null where there is no such
 * pool. A pool whose clients were never given back looks like that, and so does one at rest that keeps its connections: the server cannot tell.
 */
export function describeQuietPools(report: ActivityReport): string | null {
  // Behind a pooler these are the pooler's own.
  const quiet = report.server.isPooled ? [] : groupByPool(report).filter(isQuiet);
  if (quiet.length === 0) return null;
  const sessions = quiet.flatMap((pool) => pool.sessions);
  const shortest = describeAge(Math.min(...sessions.map(({ stateAgeMs }) => stateAgeMs ?? 0)));
  const whose = quiet.length === 1 ? 'a pool' : `${quiet.length} pools`;
  return `All ${sessions.length} sessions of ${whose} have been idle for ${shortest} or longer, and pg closes clients that are not checked out after 10 s. Either idleTimeoutMillis is longer there, or clients are checked out and never released, and callers wait for them. PostgreSQL cannot see that queue; poolguard-monitor in the application shows it.`;
}

function isQuiet({ isOwn, count, sessions }: PoolGroup): boolean {
  return (
    !isOwn &&
    count >= fewest &&
    sessions.every(
      ({ state, stateAgeMs }) => state === 'idle' && (stateAgeMs ?? 0) > idleTimeoutMs + lateMs,
    )
  );
}
