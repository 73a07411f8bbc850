import { drizzle } from 'drizzle-orm/node-postgres';
import {
  pgMaterializedView,
  pgTable,
  text,
  type PgDatabase,
  type PgQueryResultHKT,
} from 'drizzle-orm/pg-core';
import { createPgPool, pgPoolExhausted } from '../pg-pool.ts';
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

const note = pgTable('note', { text: text('text') });
const seen = pgMaterializedView('seen').as((query) => query.select().from(note));
export const schema = { note };

type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** What is the same over every driver. */
export function callsOf(db: Database): Omit<Calls<Database>, 'end'> {
  return {
    lends: { transaction: (work) => db.transaction(work) },
    sends: {
      select: () => db.select().from(note),
      selectDistinct: () => db.selectDistinct().from(note),
      selectDistinctOn: () => db.selectDistinctOn([note.text]).from(note),
      insert: () => db.insert(note).values({ text: 'outer' }),
      update: () => db.update(note).set({ text: 'outer' }),
      delete: () => db.delete(note),
      execute: () => db.execute('SELECT 1'),
      $count: () => db.$count(note),
      refreshMaterializedView: () => db.refreshMaterializedView(seen),
      'query.*.findMany': () => db.query.note.findMany(),
      'query.*.findFirst': () => db.query.note.findFirst(),
    },
    begins: {},
    harmless: (inner) => ({
      unawaited: () => void db.insert(note).values({ text: 'unawaited' }),
      toSQL: () => db.insert(note).values({ text: 'text' }).toSQL(),
      subquery: () => inner.select().from(db.select().from(note).as('outer')),
    }),
    write: (line, inner = db) => inner.insert(note).values({ text: line }),
  };
}

function open(url: string, options: PoolOptions): Habitual<Database> {
  const pool = createPgPool(url, options);
  const db = drizzle(pool, { schema });
  const mistakes: Mistakes = {
    writes: (fails) =>
      db.transaction(async (tx) => {
        await tx.insert(note).values({ text: 'inner' });
        await db.insert(note).values({ text: 'outer' }); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      db.transaction(async (tx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await tx.insert(note).values({ text: 'asked' });
      }),
    sendsTwo: () =>
      db.transaction(async (tx) => {
        await Promise.all([tx.execute(lock), tx.execute(second)]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const ended = await db.transaction((tx) => Promise.resolve([tx]));
      await ended[0]?.insert(note).values({ text: 'late' });
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      db.transaction(async (tx) => {
        await tx.insert(note).values({ text: 'inner' });
        await tx.insert(note).values({ text: 'outer' });
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await db.transaction(async (tx) => {
        await tx.insert(note).values({ text: 'asked' });
      });
    },
    sendsTwo: () =>
      db.transaction(async (tx) => {
        await tx.execute(lock);
        await tx.execute(second);
      }),
  };
  return { ...callsOf(db), mistakes, cures, end: () => pool.end() };
}

export const drizzleOnNodePostgres: HabitsSample = {
  module: 'drizzle-orm/node-postgres',
  exhausted: pgPoolExhausted,
  ended: null,
  open,
};
