import { AsyncLocalStorage } from 'node:async_hooks';
import { type Entrance, type Marked, watchKey } from '../watch/pool-watch.ts';
import { replaceInClass, type Method } from '../watch/replace-method.ts';
import { captureStack, putInside } from '../watch/stack.ts';
import { followLending } from './acquire-and-release.ts';
import { addressOf, type AddressOptions } from './address.ts';
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
  readonly read: LendingPool | null;
  readonly write: LendingPool;
}

/** sequelize 6, lib/dialects/abstract/connection-manager.js. */
interface ConnectionManager {
  readonly dialectName?: string;
  readonly sequelize: object;
  readonly pool?: LendingPool | ReplicatedPool;
  readonly config?: Config;
}

interface Config extends AddressOptions {
  readonly username?: string;
  readonly dialectOptions?: { readonly application_name?: string };
}

/** @sequelize/core 7.0.0-alpha.48, lib/sequelize-typescript.js. */
interface SequelizeOf7 {
  readonly dialect?: { readonly name?: string };
  readonly pool?: ReplicatedPool;
  readonly options?: { readonly replication?: { readonly write?: AddressOptions } };
}

/** Whoever makes a pool, and where its connections go. */
interface Owner {
  readonly sequelize: object;
  readonly address: AddressOptions;
}

/** Each pool beside its owner. */
const owners = new WeakMap<LendingPool, Owner>();

/** Sequelize asks for a connection after a few turns of the event loop, from a callback: only this finds back to who called it. */
const entrances = new AsyncLocalStorage<Entrance>();

export const sequelizePool: PoolKind<LendingPool, PgClient> = {
  library: 'Sequelize',
  findPool: (given) => {
    if (typeof given !== 'object' || given === null) return null;
    if (owners.has(given as LendingPool)) return given as LendingPool;
    const { connectionManager } = given as { readonly connectionManager?: ConnectionManager };
    const pools = connectionManager === undefined ? poolsOf7(given) : poolsOf(connectionManager);
    return pools.at(-1) ?? null;
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
    const owner = owners.get(pool);
    if (owner === undefined || pool[watchKey]?.settings.stacks !== true) return;
    for (const [name, isQuery] of asking)
      if (name in owner.sequelize) replaceInClass(owner.sequelize, name, enter(isQuery));
  },
  isMade: () => true,
  describe: (pool) => ({
    ...addressOf(owners.get(pool)?.address ?? {}),
    max: pool.maxSize,
    min: pool.minSize,
    connectionTimeoutMs: pool.acquireTimeoutMillis,
    driverVersion: null,
  }),
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

/** Methods of a `Sequelize` that ask for a connection, and whether it is for one statement. */
const asking: readonly (readonly [name: string, isQuery: boolean])[] = [
  ['query', true],
  ['queryRaw', true],
  ['transaction', false],
  ['startUnmanagedTransaction', false],
  ['withConnection', false],
];

/** Of version 6 the manager's class is the only one that makes pools, whatever a `Sequelize` is called; version 7 says what it has made. */
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
    {
      request: /(?:^|[\\/])sequelize(?:\.js)?$/u,
      onLoaded: (exported, found) => {
        const hooks = (exported as { readonly Sequelize?: { readonly hooks?: Hooks } }).Sequelize
          ?.hooks;
        if (typeof hooks?.addListener === 'function' && !heard.has(hooks)) listen(hooks, found);
        return exported;
      },
    },
  ],
};

/** @sequelize/core, lib/hooks.js. */
interface Hooks {
  addListener?(hook: 'afterInit', listener: (made: object) => void): void;
}

const heard = new WeakSet<Hooks>();

function listen(hooks: Hooks, found: OnFound): void {
  heard.add(hooks);
  hooks.addListener?.('afterInit', (made) => {
    const stack = captureStack();
    for (const pool of poolsOf7(made)) found(pool, stack);
  });
}

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

function poolsOf({ pool, dialectName, sequelize, config }: ConnectionManager) {
  const { username, dialectOptions, ...address } = config ?? {};
  return ownPools(pool, dialectName, {
    sequelize,
    address: { ...address, ...dialectOptions, user: username },
  });
}

function poolsOf7(made: object): readonly LendingPool[] {
  const { pool, dialect, options } = made as SequelizeOf7;
  return ownPools(pool, dialect?.name, {
    sequelize: made,
    address: options?.replication?.write ?? {},
  });
}

/** Pools of other servers are none of ours. With replication there are two; the last one writes. */
function ownPools(
  pool: LendingPool | ReplicatedPool | undefined,
  dialect: string | undefined,
  owner: Owner,
): readonly LendingPool[] {
  if (dialect !== 'postgres' || pool === undefined) return [];
  const pools = 'write' in pool ? [pool.read, pool.write] : [pool];
  const own = pools.filter((each) => each !== null && Array.isArray(each._inUseObjects));
  for (const each of own) if (each !== null) owners.set(each, owner);
  return own.filter((each) => each !== null);
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
