import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf } from '../../watch/code-places.ts';
import { captureStack, type CapturedStack } from '../../watch/stack.ts';
import { addressOf, presentText } from '../address.ts';
import { hasOpenTransaction, sessionOf } from '../pg-client.ts';
import type { PoolKind, PoolSource } from '../pool-kind.ts';
import { patchPoolClass } from './patch-pool.ts';
import { findPoolPrototype, type InnerClient, type InnerPool } from './pool-shape.ts';
import { leaveIfTooMany, setMax } from './set-max.ts';

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
