import { createPool, sql, type CommonQueryMethods, type DatabasePool } from 'slonik';
import {
  rolledBack,
  type Calls,
  type Habits,
  type HabitsSample,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

const lock = sql.unsafe`SELECT pg_advisory_xact_lock(1)`;
const second = noteOf('second');

function noteOf(text: string) {
  return sql.unsafe`INSERT INTO note VALUES (${text})`;
}

function callsOf(pool: DatabasePool): Calls<CommonQueryMethods> {
  const one = sql.unsafe`SELECT 1`;
  return {
    lends: {
      transaction: (work) => pool.transaction(work),
      connect: (work) => pool.connect(work),
    },
    sends: {
      query: () => pool.query(one),
      any: () => pool.any(one),
      anyFirst: () => pool.anyFirst(one),
      many: () => pool.many(one),
      manyFirst: () => pool.manyFirst(one),
      maybeOne: () => pool.maybeOne(one),
      maybeOneFirst: () => pool.maybeOneFirst(one),
      one: () => pool.one(one),
      oneFirst: () => pool.oneFirst(one),
      exists: () => pool.exists(one),
      stream: () => pool.stream(one, (stream) => void stream.resume()),
    },
    begins: {},
    harmless: (inner) => ({
      fragment: () => inner.any(sql.unsafe`SELECT text FROM note ${sql.fragment`LIMIT 1`}`),
    }),
    write: (text, inner = pool) => inner.query(noteOf(text)),
    end: () => pool.end(),
  };
}

async function open(
  url: string,
  { max, patienceMs }: PoolOptions,
  dangerouslyAllowForeignConnections: boolean,
): Promise<Habitual<CommonQueryMethods>> {
  const pool = await createPool(url, {
    maximumPoolSize: max,
    connectionTimeout: 60_000,
    idleTimeout: 'DISABLE_TIMEOUT',
    idleInTransactionSessionTimeout: patienceMs,
    dangerouslyAllowForeignConnections,
  });
  const mistakes: Mistakes = {
    writes: (fails) =>
      pool.transaction(async (tx) => {
        await tx.query(noteOf('inner'));
        await pool.query(noteOf('outer')); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      pool.transaction(async (tx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await tx.query(noteOf('asked'));
      }),
    sendsTwo: () =>
      pool.transaction(async (tx) => {
        await Promise.all([tx.any(lock), tx.query(second)]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const [ended] = await pool.transaction((tx) => Promise.resolve([tx]));
      await ended?.query(noteOf('late'));
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      pool.transaction(async (tx) => {
        await tx.query(noteOf('inner'));
        await tx.query(noteOf('outer'));
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await pool.transaction(async (tx) => {
        await tx.query(noteOf('asked'));
      });
    },
    sendsTwo: () =>
      pool.transaction(async (tx) => {
        await tx.any(lock);
        await tx.query(second);
      }),
  };
  return { ...callsOf(pool), mistakes, cures };
}

/** A call waits for a connection without limit, here until the server ends the transaction that holds it. */
const common = {
  module: 'slonik',
  unawaited: 'seen',
  exhausted: /idle-in-transaction timeout/u,
  ended: /Cannot run a query using parent transaction/u,
} as const;

export const slonik: readonly HabitsSample[] = [
  {
    ...common,
    forbids: /Cannot run a query inside a transaction using a foreign connection/u,
    open: (url, options) => open(url, options, false),
  },
  {
    ...common,
    variant: 'foreign connections allowed',
    open: (url, options) => open(url, options, true),
  },
];
