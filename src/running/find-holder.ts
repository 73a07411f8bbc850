import type { HeldCheckout, WatchedPool } from '../../monitor/report.ts';
import type { ServerFacts, Session } from '../activity/snapshot.ts';
import type { RunningApp, RunningApps, RunningPool } from './running-app.ts';

/** A checkout, and whose it is. */
export interface FoundHolder {
  readonly app: RunningApp;
  readonly pool: RunningPool;
  readonly held: HeldCheckout;
}

/**
 * The checkout that holds a session, or null when that is not sure. The backend's process id and the client's port together tell; process
 * ids alone are alike on different servers, and a pooler makes them up, so alone they tell only where the application connects to the very
 * address that we look at, with no pooler there. So does a port alone, of a driver that tells no process id.
 */
export function findHolder(
  apps: RunningApps,
  session: Pick<Session, 'pid' | 'clientAddress' | 'clientPort' | 'database'>,
  server: Pick<ServerFacts, 'host' | 'port' | 'isPooled'>,
): FoundHolder | null {
  const all = apps
    .filter(({ end }) => end === null)
    .flatMap((app) => app.pools.flatMap((pool) => pool.held.map((held) => ({ app, pool, held }))));
  const surest = all.filter(
    ({ held, pool }) =>
      isInDatabase(session, pool.pool) &&
      held.backendPid === session.pid &&
      held.clientPort !== null &&
      held.clientPort === session.clientPort,
  );
  const found =
    surest.length > 0
      ? surest
      : all.filter(
          ({ held, pool }) =>
            isInDatabase(session, pool.pool) &&
            isAtAddress(pool.pool, server) &&
            isAlike(held, session),
        );
  const [only, ...more] = found;
  return only !== undefined && more.length === 0 ? only : null;
}

/** Under a port of its own a connection may still be ours: what forwards it, as Docker does, has ports of its own. */
function isAlike(
  { backendPid, clientPort }: HeldCheckout,
  { pid, clientPort: port, clientAddress }: Parameters<typeof findHolder>[1],
): boolean {
  if (backendPid !== null) return backendPid === pid;
  return (
    clientPort !== null &&
    clientPort === port &&
    clientAddress !== null &&
    isThisMachine(clientAddress)
  );
}

/** A session stays in the database in which it began. */
function isInDatabase({ database }: Pick<Session, 'database'>, pool: WatchedPool): boolean {
  return pool.database === null || database === null || pool.database === database;
}

function isAtAddress(
  { host, port }: WatchedPool,
  server: Pick<ServerFacts, 'host' | 'port' | 'isPooled'>,
): boolean {
  if (server.isPooled || host === null || port === null || port !== server.port) return false;
  return host === server.host || (isThisMachine(host) && isThisMachine(server.host));
}

/** `pg_stat_activity` writes an address with the bits of its mask behind, or without. */
function isThisMachine(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])(?:\/\d+)?$/u.test(host.toLowerCase());
}
