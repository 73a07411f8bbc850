import { knex as createKnex, type Knex } from 'knex';
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

function callsOf(db: Knex): Calls<Knex.Transaction> {
  return {
    lends: { transaction: (work) => db.transaction(work) },
    sends: {
      '': () => db('note').insert({ text: 'outer' }),
      select: () => db.select('text').from('note'),
      insert: () => db.insert({ text: 'outer' }).into('note'),
      raw: () => db.raw('SELECT 1'),
      from: () => db.from('note').select('text'),
      with: () => db.with('outer', db('note').select('text')).select('text').from('outer'),
      into: () => db.into('note').insert({ text: 'outer' }),
      table: () => db.table('note').select('text'),
      first: () => db.first('text').from('note'),
      batchInsert: () => db.batchInsert('note', [{ text: 'outer' }]),
      withSchema: () => db.withSchema('public').from('note').select('text'),
    },
    harmless: (inner) => ({
      unawaited: () => void db('note').insert({ text: 'unawaited' }),
      transactionProvider: () => db.transactionProvider(),
      toSQL: () => db('note').insert({ text: 'text' }).toSQL(),
      subquery: () => inner('note').whereIn('text', db('note').select('text')),
      raw: () => inner('note').select(db.raw('1')),
      transacting: () => db('note').select('text').transacting(inner),
      connection: async () => {
        const { client } = inner as { readonly client: Knex.Client };
        const connection: unknown = await client.acquireConnection();
        await db('note').select('text').connection(connection);
      },
    }),
    begins: {
      transaction: async () => {
        const trx = await db.transaction();
        return () => trx.commit();
      },
      transactionProvider: async () => {
        const provide = db.transactionProvider();
        const trx = await provide();
        const same = await provide();
        return () => (same === trx ? same.commit() : Promise.reject(new Error('another one')));
      },
    },
    write: (text, inner) => (inner ?? db)('note').insert({ text }),
    end: () => db.destroy(),
  };
}

function open(url: string, { max, patienceMs }: PoolOptions): Habitual<Knex.Transaction> {
  const db = createKnex({
    client: 'pg',
    connection: url,
    pool: { min: 0, max },
    acquireConnectionTimeout: patienceMs,
    // It warns of each time-out that a test waits for.
    log: { warn: () => {} },
  });
  const mistakes: Mistakes = {
    writes: (fails) =>
      db.transaction(async (trx) => {
        await trx('note').insert({ text: 'inner' });
        await db('note').insert({ text: 'outer' }); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      db.transaction(async (trx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await trx('note').insert({ text: 'asked' });
      }),
    sendsTwo: () =>
      db.transaction(async (trx) => {
        await Promise.all([trx.raw(lock), trx.raw(second)]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const [ended] = await db.transaction((trx) => Promise.resolve([trx]));
      await ended?.('note').insert({ text: 'late' });
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      db.transaction(async (trx) => {
        await trx('note').insert({ text: 'inner' });
        await trx('note').insert({ text: 'outer' });
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await db.transaction(async (trx) => {
        await trx('note').insert({ text: 'asked' });
      });
    },
    sendsTwo: () =>
      db.transaction(async (trx) => {
        await trx.raw(lock);
        await trx.raw(second);
      }),
  };
  return { ...callsOf(db), mistakes, cures };
}

export const knex: HabitsSample = {
  module: 'knex',
  exhausted: /Timeout acquiring a connection\. The pool is probably full/u,
  ended: /Transaction query already complete/u,
  open,
};
