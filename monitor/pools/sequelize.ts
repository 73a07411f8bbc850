import { AsyncLocalStorage } from 'node:async_hooks';
import type { Entrance } from '../watch/entrance.ts';
import { watchKey, type Marked } from '../watch/pool-watch.ts';
import { replaceInClass, type Method } from '../watch/replace-method.ts';
import { captureStack, putInside } from '../watch/stack.ts';
import { followLending } from './acquire-and-release.ts';
import { addressOf } from './address.ts';
import { hasOpenTransaction, sessionOf, type PgClient } from './pg-client.ts';
import type { OnFound, PoolKind, PoolSource } from './pool-kind.ts';

/** sequelize-pool 6 and 7, lib/Pool.js, from inside. */
interface LendingPool extends Marked {
  readonly size: number;
  readonly available: number;
  readonly using: number;
  readonly waiting: number;
  readonly maxSize: number;
  readonly minSize: number;
  readonly acquireTimeoutMillis: number;
  readonly _inUseObjects: readonly { readonly resource: PgClient }[];
  readonly _draining: boolean;
}

interface ReplicatedPool {
  readonly read: LendingPool;
  readonly write: LendingPool;
}

/** sequelize 6, lib/dialects/abstract/connection-manager.js. */
interface ConnectionManager {
  readonly dialectName?: string;
  readonly sequelize: object;
  readonly pool?: LendingPool | ReplicatedPool;
  readonly config?: Config;
}

interface Config {
  readonly host?: string;
  readonly port?: number | string;
  readonly database?: string;
  readonly username?: string;
  readonly dialectOptions?: { readonly application_name?: string };
}

/** Each pool beside the manager that has made it. */
const managers = new WeakMap<LendingPool, ConnectionManager>();

/** Sequelize asks for a connection after a few turns of the event loop, from a callback: only this finds back to who called it. */
const entrances = new AsyncLocalStorage<Entrance>();

export const sequelizePool: PoolKind<LendingPool, PgClient> = {
  library: 'Sequelize',
  findPool: (given) => {
    if (typeof given !== 'object' || given === null) return null;
    if (managers.has(given as LendingPool)) return given as LendingPool;
    const manager = (given as { readonly connectionManager?: ConnectionManager }).connectionManager;
    return manager === undefined ? null : (poolsOf(manager).at(-1) ?? null);
  },
  follow: (pool) => {
    followLending(pool, {
      // `getConnection` of the manager waits for that promise.
      promiseOf: (acquired) => acquired as Promise<object>,
      entrance: () => entrances.getStore(),
      waiting: waitingIn,
      isTimeout: (error) => (error as Error | null)?.constructor.name === 'TimeoutError',
      removals: ['destroy'],
    });
    const manager = managers.get(pool);
    if (manager === undefined || pool[watchKey]?.settings.stacks !== true) return;
    replaceInClass(manager.sequelize, 'query', enter(true));
    replaceInClass(manager.sequelize, 'transaction', enter(false));
  },
  isMade: () => true,
  describe: (pool) => {
    const { host, port, database, username, dialectOptions } = managers.get(pool)?.config ?? {};
    return {
      ...addressOf({
        ...dialectOptions,
        ...(host === undefined ? {} : { host }),
        ...(port === undefined ? {} : { port }),
        ...(database === undefined ? {} : { database }),
        ...(username === undefined ? {} : { user: username }),
      }),
      max: pool.maxSize,
      min: pool.minSize,
      connectionTimeoutMs: pool.acquireTimeoutMillis,
      driverVersion: null,
    };
  },
  counters: (pool) => ({
    total: pool.size,
    idle: pool.available,
    waiting: waitingIn(pool),
    max: pool.maxSize,
  }),
  lent: (pool) => pool._inUseObjects.map(({ resource }) => resource),
  session: sessionOf,
  end: ({ _draining, size }) => ({ isEnding: _draining, isEnded: _draining && size === 0 }),
  hasOpenTransaction,
};

/** Version 6. The manager's class is the only one that makes pools, whatever a `Sequelize` is called. */
export const sequelizeSource: PoolSource = {
  modules: [
    {
      request: /(?:^|[\\/])connection-manager(?:\.js)?$/u,
      onLoaded: (exported, found) => {
        const prototype = (exported as { readonly prototype?: unknown } | null)?.prototype;
        if (typeof prototype === 'object' && prototype !== null && 'initPools' in prototype)
          followManagers(prototype, found);
        return exported;
      },
    },
  ],
};

function followManagers(prototype: object, found: OnFound): void {
  replaceInClass(
    Object.create(prototype) as object,
    'initPools',
    (original) =>
      function initPools(this: ConnectionManager, ...args: unknown[]): unknown {
        const result = original.apply(this, args);
        const stack = captureStack();
        for (const pool of poolsOf(this)) found(pool, stack);
        return result;
      },
  );
}

/** Pools of other servers are none of ours. With replication there are two; the last one writes. */
function poolsOf(manager: ConnectionManager): readonly LendingPool[] {
  const { pool } = manager;
  if (manager.dialectName !== 'postgres' || pool === undefined) return [];
  const pools = 'write' in pool ? [pool.read, pool.write] : [pool];
  const own = pools.filter(({ _inUseObjects }) => Array.isArray(_inUseObjects));
  for (const each of own) managers.set(each, manager);
  return own;
}

const enter = (isQuery: boolean) => (original: Method) =>
  function query(this: object, ...args: unknown[]): unknown {
    const from = captureStack();
    const around = entrances.getStore()?.from ?? null;
    if (from !== null && around !== null) putInside(from, around);
    return entrances.run({ from, isQuery }, () => original.apply(this, args));
  };

/** Without those for whom a connection is being opened. */
function waitingIn({ waiting, size, using, available }: LendingPool): number {
  return Math.max(0, waiting - (size - using - available));
}
