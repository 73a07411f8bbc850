import { knex as createKnex, type Knex } from 'knex';
import { Model, transaction } from 'objection';
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

class Note extends Model {
  static override tableName = 'note';
  static override idColumn = 'text';
  static override relationMappings = {
    same: {
      relation: Model.HasManyRelation,
      modelClass: this,
      join: { from: 'note.text', to: 'note.text' },
    },
  };
  text = '';
}

function callsOf(db: Knex): Calls<Knex.Transaction> {
  const note = Note.fromJson({ text: 'before' });
  return {
    lends: {
      transaction: (work) => Note.transaction(work),
      '': (work) =>
        transaction(Note, async (_bound, trx) => {
          if (trx !== undefined) await work(trx);
        }),
    },
    sends: {
      query: () => Note.query(),
      relatedQuery: () => Note.relatedQuery('same').for('before'),
      fetchGraph: () => Note.fetchGraph([note], 'same'),
      knexQuery: () => Note.knexQuery(),
      $query: () => note.$query(),
      $relatedQuery: () => note.$relatedQuery('same'),
      $fetchGraph: () => note.$fetchGraph('same'),
    },
    harmless: (inner) => ({
      unawaited: () => void Note.query().insert({ text: 'unawaited' }),
      subquery: () => Note.query(inner).whereIn('text', Note.query().select('text')),
      bound: () => Note.bindTransaction(inner).query(),
      transacting: () => Note.query().transacting(inner),
      connection: async () => {
        const { client } = inner as { readonly client: Knex.Client };
        const connection: unknown = await client.acquireConnection();
        await Note.knexQuery().connection(connection);
      },
      query: () => Note.query(inner),
      relatedQuery: () => Note.relatedQuery('same', inner).for('before'),
      fetchGraph: () => Note.fetchGraph([note], 'same', { transaction: inner }),
      $query: () => note.$query(inner),
      $relatedQuery: () => note.$relatedQuery('same', inner),
      $fetchGraph: () => note.$fetchGraph('same', { transaction: inner }),
      transaction: () =>
        Note.transaction(inner, async (innermost) => {
          await Note.query(innermost);
        }),
      start: async () => (await transaction.start(inner)).commit(),
      startTransaction: async () => (await Note.startTransaction(inner)).commit(),
    }),
    begins: {
      startTransaction: async () => {
        const trx = await Note.startTransaction();
        return () => trx.commit();
      },
      start: async () => {
        const trx = await transaction.start(Note);
        return () => trx.commit();
      },
    },
    write: (text, inner) => Note.query(inner).insert({ text }),
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
  Note.knex(db);
  const mistakes: Mistakes = {
    writes: (fails) =>
      Note.transaction(async (trx) => {
        await Note.query(trx).insert({ text: 'inner' });
        await Note.query().insert({ text: 'outer' }); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      Note.transaction(async (trx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await Note.query(trx).insert({ text: 'asked' });
      }),
    sendsTwo: () =>
      Note.transaction(async (trx) => {
        await Promise.all([
          Note.query(trx).select(trx.raw('pg_advisory_xact_lock(1)')),
          Note.query(trx).insert({ text: 'second' }),
        ]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const [ended] = await Note.transaction((trx) => Promise.resolve([trx]));
      await Note.query(ended).insert({ text: 'late' });
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      Note.transaction(async (trx) => {
        await Note.query(trx).insert({ text: 'inner' });
        await Note.query(trx).insert({ text: 'outer' });
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await Note.transaction(async (trx) => {
        await Note.query(trx).insert({ text: 'asked' });
      });
    },
    sendsTwo: () =>
      Note.transaction(async (trx) => {
        await trx.raw(lock);
        await trx.raw(second);
      }),
  };
  return { ...callsOf(db), mistakes, cures };
}

export const objection: HabitsSample = {
  module: 'objection',
  unawaited: 'late',
  exhausted: /Timeout acquiring a connection\. The pool is probably full/u,
  ended: /Transaction query already complete/u,
  open,
};
