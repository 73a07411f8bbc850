import pg from 'pg';
import type { ClientBase, Pool } from 'pg';
import {
  defaultLimits,
  pooledAnswerMs,
  toClientConfig,
  type SessionLimits,
} from './client-config.ts';
import { toDatabaseFailure, type DatabaseFailure } from './failure.ts';
import { queryGuarded } from './guarded-query.ts';
import type { Secret } from './secret.ts';
import { guardSession, isPooled } from './session-guard.ts';
import type { Statement } from './session.ts';
import type { ConnectionTarget } from './target.ts';

/** For rooms that hold a pool or a client without importing the driver. */
export type { Pool, PoolClient } from 'pg';

export interface PoolSettings extends Partial<SessionLimits> {
  readonly max: number;
  readonly idleTimeoutMs?: number;
  /** A connection that nobody holds broke. Without this it is ignored: the pool replaces it. */
  readonly onIdleFailure?: (failure: DatabaseFailure) => void;
}

/**
 * A real `pg.Pool` whose clients are read-only and have time limits. The caller must `end()` it.
 * Behind a pooler, where a session-wide setting would leak to the application, the guards travel with each statement:
 * there a client takes `query({ text, values })` only.
 */
export function openPool(
  target: ConnectionTarget,
  secret: Secret | null,
  settings: PoolSettings,
): Pool {
  const { max, idleTimeoutMs, onIdleFailure, ...given } = settings;
  const limits = { ...defaultLimits, ...given };
  // The pool waits for the promise before it lends the client (pg-pool index.js, newClient), though its type says void.
  const guard: (client: ClientBase) => unknown = async (client) => {
    if (await isPooled(client)) guardEach(client, limits);
    else await guardSession(client, limits);
  };
  const pool = new pg.Pool({
    ...toClientConfig(target, secret, limits),
    max,
    idleTimeoutMillis: idleTimeoutMs ?? 10_000,
    onConnect: guard,
  });
  // A client that is lent has no listener of the pool's (pg-pool index.js, _acquireClient), and what nobody listens for ends the process. Who holds it hears of it from its query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) =>
    onIdleFailure?.(toDatabaseFailure(error, { target, secret, during: 'work' })),
  );
  return pool;
}

/** The pool makes its clients itself, so each is changed when it is connected. */
function guardEach(client: ClientBase, limits: SessionLimits): void {
  const unguarded: Pick<ClientBase, 'query'> = { query: client.query.bind(client) };
  const query = ({ text, values }: Statement) =>
    queryGuarded(
      unguarded,
      { text, ...(values !== undefined && { values }) },
      limits,
      pooledAnswerMs(limits),
    );
  Object.assign(client, { query });
}
