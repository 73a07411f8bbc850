import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf } from '../../watch/code-places.ts';
import { type CapturedStack, captureStack } from '../../watch/stack.ts';
import { addressOf, presentText } from '../address.ts';
import { hasOpenTransaction, sessionOf } from '../pg-client.ts';
import type { PoolKind, PoolSource } from '../pool-kind.ts';
import { patchPoolClass } from './patch-pool.ts';
import { findPoolPrototype, type InnerClient, type InnerPool } from './pool-shape.ts';

type Pool = Pick<InnerPool, 'totalCount' | 'idleCount' | 'waitingCount'> & Partial<InnerPool>;

/** pg-pool 2.0 to 3.14, and whatever has its counters. */
export const pgPool: PoolKind<Pool, InnerClient> = {
  library: 'pg',
  // A pool that is being made has its counters on its prototype, where they may not be read yet.
  findPool: (given) =>
    typeof given === 'object' &&
    given !== null &&
    ['totalCount', 'idleCount', 'waitingCount'].every((name) => name in given)
      ? (given as Pool)
      : null,
  follow: (pool) => {
    const prototype = findPoolPrototype(pool);
    if (prototype !== null) patchPoolClass(prototype);
  },
  isMade: ({ options }) => options !== undefined,
  describe: ({ options }, madeFrom) => ({
    ...addressOf(options ?? {}),
    max: options?.max ?? 0,
    min: options?.min ?? 0,
    connectionTimeoutMs: options?.connectionTimeoutMillis || null,
    driverVersion: madeFrom === null ? null : versionOf(madeFrom),
  }),
  counters: (pool) => ({
    total: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    max: pool.options?.max ?? 0,
  }),
  lent: (pool) => pool._clients ?? [],
  session: sessionOf,
  end: (pool) => ({ isEnding: pool.ending === true, isEnded: pool.ended === true }),
  hasOpenTransaction,
  setMax: (pool, max) => {
    if (isInner(pool)) setMax(pool, max);
  },
  leaveIfTooMany: (pool, client) => {
    if (isInner(pool)) leaveIfTooMany(pool, client);
  },
};

/** Required, imported, transpiled by a loader, bundled into the application, several copies. */
export const pgPoolSource: PoolSource = {
  emitters: [
    {
      hasMark: '_pulseQueue',
      onMade: (emitter, found) => {
        if ('_acquireClient' in emitter) found(emitter, captureStack());
      },
    },
  ],
};

function isInner(pool: Pool): pool is InnerPool {
  return findPoolPrototype(pool) !== null && pool.options !== undefined;
}

/** Of the pg-pool whose constructor is among the frames. */
function versionOf(madeFrom: CapturedStack): string | null {
  const file = filesOf(madeFrom).find((path) => /[\\/]pg-pool[\w.-]*[\\/]index\.js$/u.test(path));
  if (file === undefined) return null;
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(dirname(file), 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? presentText(manifest.version)
      : null;
  } catch {
    return null;
  }
}

/** As many as a PostgreSQL server can be told to take is 262,143; what is larger is a slip. */
const mostClients = 10_000;

/**
 * Changes the size of a live pool. pg-pool reads `options.max` at each checkout (index.js, `_isFull`), but neither closes what is
 * open beyond it nor wakes those who wait, so both are done here. Clients that are out go when they come back: see `leaveIfTooMany`.
 * False for a number that is no size.
 */
export function setMax(pool: InnerPool, max: number): boolean {
  if (!Number.isInteger(max) || max < 1 || max > mostClients) return false;
  pool.options.max = max;
  if (pool.ending) return true;
  closeIdleBeyond(pool, max);
  serveQueue(pool);
  return true;
}

function closeIdleBeyond(pool: InnerPool, max: number): void {
  // The one that is idle for longest first. Somebody who waits for an idle client is served at the next tick: those are spared.
  let spare = pool._idle.length - pool._pendingQueue.length;
  while (pool._clients.length > max && spare > 0) {
    const client = pool._idle[0]?.client;
    if (client === undefined) return;
    pool._remove(client, () => pool._pulseQueue());
    spare -= 1;
  }
}

/** One call of pg-pool's `_pulseQueue` serves one caller. */
function serveQueue(pool: InnerPool): void {
  for (let left = pool._pendingQueue.length; left > 0; left--) {
    if (pool._idle.length === 0 && pool._clients.length >= pool.options.max) return;
    pool._pulseQueue();
  }
}

/** Called before a client is given back to a pool that was shrunk: marks it as one that pg-pool closes instead of lending it again. */
function leaveIfTooMany(pool: InnerPool, client: InnerClient): void {
  if (pool._clients.length <= pool.options.max) return;
  // Since 3.5 pg-pool closes what is expired, since 3.2 what was used `maxUses` times, of which none is `Infinity` times.
  if (pool._expired === undefined) client._poolUseCount = Number.POSITIVE_INFINITY;
  else pool._expired.add(client);
}
