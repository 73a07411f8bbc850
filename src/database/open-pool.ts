import type { ClientBase, Pool, PoolClient } from 'pg';
import { createPool } from './gated-client.ts';
import { defaultLimits, type SessionLimits } from './session-limits.ts';
import type { Secret } from './secret.ts';
import { guardSession, isPooled } from './session-guard.ts';
import type { Startup } from './startup.ts';
import type { ConnectionTarget } from './target.ts';
import type { TransactionTally } from './transaction-tally.ts';
import { createUndoing, type Undoing } from './undoing.ts';

/** For rooms that hold a pool or a client without importing the driver. */
export type { Pool, PoolClient } from 'pg';

/** A pool, and what runs workload statements on its clients. */
export interface UndoingPool {
  readonly pool: Pool;
  /** For a client that the pool lent. */
  readonly undoing: (client: PoolClient) => Undoing;
}

export interface PoolSettings extends Partial<SessionLimits> {
  readonly max: number;
  /** As another session of the same target began: the driver's pool tries one startup message only. */
  readonly startup: Startup;
  readonly idleTimeoutMs?: number;
  /** Directly connected, reading statements of one client share transactions, so that each costs what it costs an application. `settle` their clients before they rest for long. */
  readonly inSlices?: boolean;
  /** Counts the transactions of workload statements. */
  readonly tally: TransactionTally;
}

/**
 * A real `pg.Pool` whose clients are read-only and have time limits, each statement of a workload in a transaction of its own. The caller
 * must `end()` it. Behind a pooler, where a session-wide setting would leak to the application, the guards travel with each statement.
 */
export function openPool(
  target: ConnectionTarget,
  secret: Secret | null,
  settings: PoolSettings,
): UndoingPool {
  const { max, startup, idleTimeoutMs, tally, inSlices = false, ...given } = settings;
  const limits = { ...defaultLimits, ...given };
  const undoings = new WeakMap<ClientBase, Undoing>();
  // The pool waits for the promise before it lends the client (pg-pool index.js, newClient), though its type says void.
  const prepare: (client: ClientBase) => unknown = async (client) => {
    const pooled = await isPooled(client);
    if (!pooled) await guardSession(client, limits);
    undoings.set(
      client,
      createUndoing(client, { limits, isPooled: pooled, inSlices: inSlices && !pooled, tally }),
    );
  };
  const pool = createPool(
    { target, secret, limits, startup },
    { max, idleTimeoutMillis: idleTimeoutMs ?? 10_000, onConnect: prepare },
  );
  // A client that is lent has no listener of the pool's (pg-pool index.js, _acquireClient), and what nobody listens for ends the process. Who holds it hears of it from its query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // A connection that nobody holds broke: the pool replaces it.
  pool.on('error', () => undefined);
  const undoing = (client: PoolClient) => {
    const found = undoings.get(client);
    if (found === undefined) throw new Error('The client is not one of this pool');
    return found;
  };
  return { pool, undoing };
}
