import createConnectionPool, { sql, type ConnectionPool, type Queryable } from '@databases/pg';
import {
  rolledBack,
  type Calls,
  type Habits,
  type HabitsSample,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

const lock = sql`SELECT pg_advisory_xact_lock(1)`;
const second = noteOf('second');

function noteOf(text: string) {
  return sql`INSERT INTO note VALUES (${text})`;
}

function callsOf(db: ConnectionPool): Calls<Queryable> {
  return {
    lends: {
      tx: (work) => db.tx(work),
      task: (work) => db.task(work),
    },
    sends: { query: () => db.query(sql`SELECT 1`) },
    begins: {},
    harmless: (inner) => ({
      text: () => inner.query(sql`SELECT text FROM note ${sql`LIMIT 1`}`),
      nested: () => inner.tx((innermost) => innermost.query(sql`SELECT 1`)),
    }),
    write: (text, inner = db) => inner.query(noteOf(text)),
    end: () => db.dispose(),
  };
}

function open(url: string, { max, patienceMs }: PoolOptions): Habitual<Queryable> {
  const db = createConnectionPool({
    connectionString: url,
    poolSize: max,
    queueTimeoutMilliseconds: patienceMs,
    bigIntMode: 'bigint',
  });
  const mistakes: Mistakes = {
    writes: (fails) =>
      db.tx(async (tx) => {
        await tx.query(noteOf('inner'));
        await db.query(noteOf('outer')); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      db.tx(async (tx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await tx.query(noteOf('asked'));
      }),
    sendsTwo: () =>
      db.tx(async (tx) => {
        await Promise.all([tx.query(lock), tx.query(second)]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const [ended] = await db.tx((tx) => Promise.resolve([tx]));
      await ended?.query(noteOf('late'));
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      db.tx(async (tx) => {
        await tx.query(noteOf('inner'));
        await tx.query(noteOf('outer'));
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await db.tx(async (tx) => {
        await tx.query(noteOf('asked'));
      });
    },
    sendsTwo: () =>
      db.tx(async (tx) => {
        await tx.query(lock);
        await tx.query(second);
      }),
  };
  return { ...callsOf(db), mistakes, cures };
}

export const databases: HabitsSample = {
  module: '@databases/pg',
  exhausted: /Timed out waiting for connection from pool/u,
  ended: /You cannot run any operations on a Transaction after it has been committed/u,
  open,
};
