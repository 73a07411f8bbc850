import { quietly } from '../../quietly.ts';
import { type Checkout, type Entrance, watchKey } from '../../watch/pool-watch.ts';
import { type Method, replaceInClass, replaceMethod } from '../../watch/replace-method.ts';
import { type CapturedStack, captureStack, stackOfText } from '../../watch/stack.ts';
import { type Holder, SqlPool } from './sql-pool.ts';
import type { Backend, Query, ReservedSql, Sql } from './sql-shape.ts';

interface Held {
  readonly pool: SqlPool;
  readonly holder: Holder;
}

/** A caller from asking to giving back. */
interface Turn {
  readonly pool: SqlPool;
  readonly ask: Checkout;
  holder: Holder | null;
}

/** Whose statements a handler sends: those of a pool, or of a reserved connection. */
const pools = new WeakMap<object, SqlPool>();
const holders = new WeakMap<object, Held>();
/** Where the application made a statement without a template. */
const madeFrom = new WeakMap<Query, CapturedStack | null>();
/** Where a `sql` keeps its pool, whichever bundle of the monitor has found it. */
const poolKey = Symbol.for('poolguard-monitor.sql-pool');
/** The call of a pool's `begin` that is being made. */
const beginnings = new WeakMap<SqlPool, Turn>();

/** The pool behind what `postgres()` gave. It is followed from then on, by calls of `sql` that take the place of its own. */
export function poolOf(sql: Sql & { readonly [poolKey]?: SqlPool }): SqlPool {
  const before = sql[poolKey];
  if (before !== undefined) return before;
  const pool = new SqlPool(sql.options);
  Object.defineProperty(sql, poolKey, { value: pool, enumerable: false });
  // A statement that nobody waits for is never sent.
  const query = sql.unsafe('');
  pools.set(query.handler, pool);
  replaceInClass(query, 'handle', watchHandle);
  replaceMethod(sql, 'begin', watchBegin(pool));
  replaceMethod(sql, 'reserve', watchReserve(pool));
  for (const name of ['unsafe', 'file']) replaceMethod(sql, name, keepWhereMade(pool));
  replaceMethod(sql, 'end', watchEnd(pool));
  watchClosing(pool);
  return pool;
}

const keepWhereMade = (pool: SqlPool) => (original: Method) =>
  function make(this: unknown, ...args: unknown[]): unknown {
    const query = original.apply(this, args) as Query;
    madeFrom.set(query, pool[watchKey]?.whereMade() ?? null);
    return query;
  };

const watchHandle = (original: Method) =>
  function handle(this: Query, ...args: unknown[]): unknown {
    if (!this.executed) quietly(() => started(this))();
    return original.apply(this, args);
  };

function started(query: Query): void {
  const inside = holders.get(query.handler);
  if (inside !== undefined)
    return inside.holder.backend === null ? learn(query, inside) : undefined;
  const pool = pools.get(query.handler);
  if (pool === undefined) return;
  const beginning = beginnings.get(pool);
  if (beginning !== undefined) return followBegin(query, beginning);
  const asking = ask(pool, { from: whereMade(query), isQuery: true });
  if (asking !== null) followTurn(query, asking, true);
}

/** A reserved connection tells its backend with its first statement. */
function learn(query: Query, { pool, holder }: Held): void {
  followQuery(query, { onSent: (backend) => pool.use(holder, backend), onEnd: () => undefined });
}

/** The BEGIN, which `begin` sends before it returns; what it took is held beyond it. */
function followBegin(query: Query, turn: Turn): void {
  beginnings.delete(turn.pool);
  followTurn(query, turn, false);
}

function followTurn(query: Query, turn: Turn, isWhole: boolean): void {
  const { pool, ask: asked } = turn;
  followQuery(query, {
    onSent: (backend) => {
      turn.holder ??= pool.acquire(asked, backend);
    },
    onEnd: (wasSent) => {
      if (turn.holder === null)
        pool.gaveUp(asked, !wasSent && query.cancelled === null && !pool.isEnding);
      else if (isWhole) pool.release(turn.holder);
    },
  });
}

/** Without a stack of its own where it has a template: postgres.js keeps one of each. */
function whereMade(query: Query): CapturedStack | null {
  return query.tagged ? stackOfText(() => query.origin ?? '') : (madeFrom.get(query) ?? null);
}

function ask(pool: SqlPool, entrance: Entrance): Turn | null {
  const asked = pool.ask(entrance);
  if (asked === null) return null;
  pool.asked(asked);
  return { pool, ask: asked, holder: null };
}

const watchBegin = (pool: SqlPool) => (original: Method) =>
  function begin(this: unknown, ...args: unknown[]): unknown {
    const turn = ask(pool, { from: captureStack(), isQuery: false });
    if (turn === null) return original.apply(this, args);
    beginnings.set(pool, turn);
    try {
      return finishing(original.apply(this, args), () => {
        if (turn.holder !== null) pool.release(turn.holder);
      });
    } finally {
      beginnings.delete(pool);
    }
  };

const watchReserve = (pool: SqlPool) => (original: Method) =>
  function reserve(this: unknown, ...args: unknown[]): unknown {
    const turn = ask(pool, { from: captureStack(), isQuery: false });
    const reserving = original.apply(this, args);
    return turn === null
      ? reserving
      : finishing(reserving, (reserved) => {
          if (reserved === undefined) pool.gaveUp(turn.ask, !pool.isEnding);
          else hold(reserved as ReservedSql, turn);
        });
  };

function hold(reserved: ReservedSql, { pool, ask: asked }: Turn): void {
  const holder = pool.acquire(asked, null);
  if (holder === null) return;
  holders.set(reserved.unsafe('').handler, { pool, holder });
  replaceMethod(
    reserved,
    'release',
    (original) =>
      function release(this: unknown, ...args: unknown[]): unknown {
        quietly(() => pool.release(holder))();
        return original.apply(this, args);
      },
  );
}

/** The caller waits for what `finish` has seen: a promise that is watched beside its caller would be handled although he does not. */
function finishing(promise: unknown, finish: (value?: unknown) => void): Promise<unknown> {
  return (promise as Promise<unknown>).then(
    (value) => {
      quietly(() => finish(value))();
      return value;
    },
    (error: unknown) => {
      quietly(() => finish())();
      throw error;
    },
  );
}

const watchEnd = (pool: SqlPool) => (original: Method) =>
  function end(this: unknown, ...args: unknown[]): unknown {
    pool.isEnding = true;
    pool[watchKey]?.change();
    return original.apply(this, args);
  };

/** src/index.js reads the option whenever a connection is closed. */
function watchClosing(pool: SqlPool): void {
  const { options } = pool;
  const { onclose } = options;
  options.onclose = (connection) => {
    quietly(() => pool.connectionClosed())();
    onclose?.(connection);
  };
}

interface QueryListener {
  readonly onSent: (backend: Backend) => void;
  /** Answered, refused or given up. */
  readonly onEnd: (wasSent: boolean) => void;
}

/**
 * Sees a statement sent and ended. src/connection.js says both by two fields of it, `state` and `active`, and nothing else of what it
 * does then can be seen without touching the caller's promise.
 */
function followQuery(query: Query, { onSent, onEnd }: QueryListener): void {
  let wasSent = query.state !== null;
  let isOver = false;
  watchField(query, 'state', (backend) => {
    if (backend === null || isOver) return;
    wasSent = true;
    onSent(backend);
  });
  watchField(query, 'active', (isActive) => {
    if (isActive || isOver) return;
    isOver = true;
    onEnd(wasSent);
  });
}

function watchField<K extends 'state' | 'active'>(
  query: Query,
  field: K,
  onSet: (value: Query[K]) => void,
): void {
  let value = query[field];
  Object.defineProperty(query, field, {
    get: () => value,
    set: (next: Query[K]) => {
      value = next;
      quietly(() => onSet(next))();
    },
    enumerable: true,
    configurable: true,
  });
}
