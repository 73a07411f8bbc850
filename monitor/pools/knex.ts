import { watchKey, type Marked } from '../watch/pool-watch.ts';
import { replaceInClass, type Method } from '../watch/replace-method.ts';
import { captureStack, type CapturedStack } from '../watch/stack.ts';
import { followLending } from './acquire-and-release.ts';
import { addressOf, type AddressOptions } from './address.ts';
import { hasOpenTransaction, sessionOf, type PgClient } from './pg-client.ts';
import type { OnFound, PoolKind, PoolSource } from './pool-kind.ts';

/** tarn 3.0, lib/Pool.js, from inside. */
interface TarnPool extends Marked {
  readonly max: number;
  readonly min: number;
  readonly acquireTimeoutMillis: number;
  readonly destroyed: boolean;
  readonly used: readonly { readonly resource: PgClient }[];
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
  numPendingCreates(): number;
}

/** lib/client.js of Knex 0.95 to 3.3. A transaction has one of its own, made without the constructor, over the same pool. */
interface KnexClient {
  readonly dialect?: string;
  readonly transacting?: boolean;
  readonly pool?: TarnPool;
  readonly connectionSettings?: AddressOptions;
}

/** Builders, raw statements, schema builders and transactions: what the application made, and where. */
interface Made {
  readonly [madeKey]?: CapturedStack | null;
  readonly client?: KnexClient;
}

const madeKey = Symbol('poolguard-monitor.made');
const clients = new WeakMap<TarnPool, KnexClient>();

export const knexPool: PoolKind<TarnPool, PgClient> = {
  library: 'Knex',
  findPool: (given) => {
    if (typeof given !== 'object' && typeof given !== 'function') return null;
    if (given !== null && clients.has(given as TarnPool)) return given as TarnPool;
    const client = (given as { readonly client?: KnexClient } | null)?.client;
    return client === undefined ? null : poolOf(client);
  },
  follow: (pool) => {
    followLending(pool, {
      // knex/lib/client.js, `acquireConnection`, waits for that promise and for no other.
      promiseOf: (acquired) => (acquired as { readonly promise: Promise<object> }).promise,
      waiting: waitingIn,
      isTimeout: (error) => (error as Error | null)?.constructor.name === 'TimeoutError',
      removals: [],
    });
    const client = clients.get(pool);
    if (client !== undefined) followMaking(client);
  },
  isMade: () => true,
  describe: (pool) => {
    const settings = clients.get(pool)?.connectionSettings;
    return {
      ...addressOf(settings ?? {}),
      max: pool.max,
      min: pool.min,
      connectionTimeoutMs: pool.acquireTimeoutMillis,
      driverVersion: null,
    };
  },
  counters: (pool) => ({
    total: pool.numUsed() + pool.numFree() + pool.numPendingCreates(),
    idle: pool.numFree(),
    waiting: waitingIn(pool),
    max: pool.max,
  }),
  lent: (pool) => pool.used.map(({ resource }) => resource),
  session: sessionOf,
  end: (pool) => ({
    isEnding: pool.destroyed,
    isEnded: pool.destroyed && pool.numUsed() + pool.numFree() + pool.numPendingCreates() === 0,
  }),
  hasOpenTransaction,
};

/** Its client is an emitter. */
export const knexSource: PoolSource = {
  emitters: [
    {
      hasMark: 'initializePool',
      onMade: (emitter, found) => {
        if ('acquireRawConnection' in emitter) seePoolsOf(emitter, found);
      },
    },
  ],
};

/** Pools of other servers are none of ours, and a `pg.Pool` that it was given is seen as what it is. */
function poolOf(client: KnexClient): TarnPool | null {
  const { pool } = client;
  if (client.dialect !== 'postgresql' || typeof pool?.numUsed !== 'function') return null;
  clients.set(pool, client);
  return pool;
}

function seePoolsOf(client: object, found: OnFound): void {
  replaceInClass(
    client,
    'initializePool',
    (original) =>
      function initializePool(this: KnexClient, ...args: unknown[]): unknown {
        const result = original.apply(this, args);
        const pool = poolOf(this);
        if (pool !== null) found(pool, captureStack());
        return result;
      },
  );
}

/** A builder is sent when it is awaited, where no line of the application is on the stack any more: what counts is where it was made. */
function followMaking(client: KnexClient): void {
  for (const name of ['queryBuilder', 'raw', 'schemaBuilder'])
    replaceInClass(client, name, keepWhereMade);
  replaceInClass(client, 'transaction', keepWhereBegun);
  replaceInClass(
    client,
    'runner',
    (original) =>
      function runner(this: KnexClient, ...args: unknown[]): unknown {
        const made = original.apply(this, args);
        if (isObject(made)) followRunner(made);
        return made;
      },
  );
}

const keepWhereMade = (original: Method) =>
  function make(this: Made | KnexClient, ...args: unknown[]): unknown {
    const made = original.apply(this, args);
    const client = 'client' in this ? this.client : (this as KnexClient);
    if (!isObject(made) || client?.transacting === true) return made;
    keep(made, client?.pool?.[watchKey]?.whereMade() ?? null);
    replaceInClass(made, 'clone', keepWhereMade);
    return made;
  };

const keepWhereBegun = (original: Method) =>
  function transaction(this: KnexClient, ...args: unknown[]): unknown {
    const made = original.apply(this, args);
    if (!isObject(made) || this.pool?.[watchKey]?.settings.stacks !== true) return made;
    keep(made, captureStack());
    replaceInClass(
      made,
      'acquireConnection',
      (acquire) =>
        function acquireConnection(this: Made, ...more: unknown[]): unknown {
          return enter(this, false, () => acquire.apply(this, more));
        },
    );
    return made;
  };

function followRunner(runner: object): void {
  replaceInClass(runner, 'run', run(true));
  // What is streamed is held until it has been read.
  replaceInClass(runner, 'stream', run(false));
}

const run = (isQuery: boolean) => (original: Method) =>
  function run(this: { readonly builder?: Made }, ...args: unknown[]): unknown {
    return enter(this.builder, isQuery, () => original.apply(this, args));
  };

function enter<T>(made: Made | undefined, isQuery: boolean, work: () => T): T {
  const watch = made?.client?.pool?.[watchKey];
  return watch === undefined
    ? work()
    : watch.enterFrom({ from: made?.[madeKey] ?? null, isQuery }, work);
}

function keep(made: object, stack: CapturedStack | null): void {
  Object.defineProperty(made, madeKey, { value: stack, configurable: true });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Without those for whom a connection is being opened. */
function waitingIn(pool: TarnPool): number {
  return Math.max(0, pool.numPendingAcquires() - pool.numPendingCreates());
}
