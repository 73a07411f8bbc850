import pgPromise, { type IBaseProtocol, type IDatabase } from 'pg-promise';
import { pgPoolExhausted } from '../pg-pool.ts';
import {
  lock,
  rolledBack,
  second,
  type Calls,
  type Habits,
  type HabitsSample,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

const makeDatabase = pgPromise();

function callsOf(db: IDatabase<object>): Calls<IBaseProtocol<object>> {
  const one = 'SELECT 1';
  return {
    lends: {
      tx: (work) => db.tx(work),
      txIf: (work) => db.txIf({ cnd: true }, work),
      task: (work) => db.task(work),
      taskIf: (work) => db.taskIf({ cnd: true }, work),
    },
    sends: {
      none: () => db.none(one),
      one: () => db.one(one),
      oneOrNone: () => db.oneOrNone(one),
      any: () => db.any(one),
      many: () => db.many(one),
      manyOrNone: () => db.manyOrNone(one),
      result: () => db.result(one),
      multi: () => db.multi(one),
      multiResult: () => db.multiResult(one),
      func: () => db.func('now'),
      proc: () => db.proc('now'),
      map: () => db.map(one, [], (row: unknown) => row),
      each: () => db.each(one, [], (row: unknown) => row),
      query: () => db.query(one),
    },
    harmless: (inner) => ({
      format: () => makeDatabase.as.format('SELECT $1', [1]),
      nested: () => inner.tx((innermost) => innermost.one(one)),
    }),
    begins: {
      connect: async () => {
        const connection = await db.connect();
        return () => Promise.resolve(connection.done());
      },
    },
    write: (text, inner = db) => inner.none('INSERT INTO note VALUES ($1)', [text]),
    end: () => db.$pool.end(),
  };
}

function open(url: string, { max, patienceMs }: PoolOptions): Habitual<IBaseProtocol<object>> {
  const db = makeDatabase({ connectionString: url, max, connectionTimeoutMillis: patienceMs });
  const mistakes: Mistakes = {
    writes: (fails) =>
      db.tx(async (t) => {
        await t.none('INSERT INTO note VALUES ($1)', 'inner');
        await db.none('INSERT INTO note VALUES ($1)', 'outer'); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      db.tx(async (t) => {
        await fetch(url); // expect: no-external-await-while-holding
        await t.none('INSERT INTO note VALUES ($1)', 'asked');
      }),
    sendsTwo: () =>
      db.tx(async (t) => {
        await Promise.all([t.any(lock), t.none(second)]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const [ended] = await db.tx((t) => Promise.resolve([t]));
      await ended?.none('INSERT INTO note VALUES ($1)', 'late');
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      db.tx(async (t) => {
        await t.none('INSERT INTO note VALUES ($1)', 'inner');
        await t.none('INSERT INTO note VALUES ($1)', 'outer');
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await db.tx(async (t) => {
        await t.none('INSERT INTO note VALUES ($1)', 'asked');
      });
    },
    sendsTwo: () =>
      db.tx(async (t) => {
        await t.any(lock);
        await t.none(second);
      }),
  };
  return { ...callsOf(db), mistakes, cures };
}

export const pgPromiseSample: HabitsSample = {
  module: 'pg-promise',
  exhausted: pgPoolExhausted,
  ended: /Querying against a released or lost connection/u,
  open,
};
