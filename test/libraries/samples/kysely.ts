import { Kysely, PostgresDialect, sql } from 'kysely';
import { createPgPool, pgPoolExhausted } from '../pg-pool.ts';
import {
  rolledBack,
  type Calls,
  type Habits,
  type HabitsSample,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

interface Tables {
  readonly note: { readonly text: string };
}

const lock = sql`pg_advisory_xact_lock(1)`.as('lock');
const second = { text: 'second' };

function callsOf(db: Kysely<Tables>): Calls<Kysely<Tables>> {
  const all = () => db.selectFrom('note').selectAll();
  return {
    lends: {
      transaction: (work) => db.transaction().execute(work),
      connection: (work) => db.connection().execute(work),
    },
    sends: {
      executeQuery: () => db.executeQuery(all().compile()),
      'sql.execute': () => sql`SELECT 1`.execute(db),
      selectFrom: () => all().execute(),
      selectNoFrom: () => db.selectNoFrom((build) => build.lit(1).as('one')).execute(),
      insertInto: () => db.insertInto('note').values({ text: 'outer' }).execute(),
      replaceInto: () => db.replaceInto('note').values({ text: 'outer' }).execute(),
      updateTable: () => db.updateTable('note').set({ text: 'outer' }).execute(),
      deleteFrom: () => db.deleteFrom('note').execute(),
      mergeInto: () =>
        db
          .mergeInto('note')
          .using('note as other', 'other.text', 'note.text')
          .whenMatched()
          .thenDelete()
          .execute(),
      with: () => db.with('outer', all).selectFrom('outer').selectAll().execute(),
      withRecursive: () => db.withRecursive('outer', all).selectFrom('outer').selectAll().execute(),
      execute: () => all().execute(),
      executeTakeFirst: () => all().executeTakeFirst(),
      executeTakeFirstOrThrow: () => all().executeTakeFirstOrThrow(),
      stream: () => all().stream().next(),
      explain: () => all().explain(),
    },
    harmless: (inner) => ({
      awaited: async () => {
        const builder: unknown = db.insertInto('note').values({ text: 'awaited' });
        await builder;
      },
      compile: () => all().compile(),
      transaction: () => db.transaction(),
      subquery: () => inner.insertInto('note').expression(all().limit(0)).execute(),
    }),
    begins: {
      startTransaction: async () => {
        const trx = await db.startTransaction().execute();
        return () => trx.commit().execute();
      },
    },
    write: (text, inner = db) => inner.insertInto('note').values({ text }).execute(),
    end: () => db.destroy(),
  };
}

function open(url: string, options: PoolOptions): Habitual<Kysely<Tables>> {
  const pool = createPgPool(url, options);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const mistakes: Mistakes = {
    writes: (fails) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('note').values({ text: 'inner' }).execute();
        await db.insertInto('note').values({ text: 'outer' }).execute(); // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      db.transaction().execute(async (trx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await trx.insertInto('note').values({ text: 'asked' }).execute();
      }),
    sendsTwo: () =>
      db.transaction().execute(async (tx) => {
        await Promise.all([
          tx.selectNoFrom(lock).execute(),
          tx.insertInto('note').values(second).execute(),
        ]); // expect: no-concurrent-client-query
      }),
    async writesLate() {
      const [ended] = await db.transaction().execute((trx) => Promise.resolve([trx]));
      await ended?.insertInto('note').values({ text: 'late' }).execute();
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('note').values({ text: 'inner' }).execute();
        await trx.insertInto('note').values({ text: 'outer' }).execute();
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('note').values({ text: 'asked' }).execute();
      });
    },
    sendsTwo: () =>
      db.transaction().execute(async (trx) => {
        await trx.selectNoFrom(lock).execute();
        await trx.insertInto('note').values(second).execute();
      }),
  };
  return { ...callsOf(db), mistakes, cures };
}

export const kysely: HabitsSample = {
  module: 'kysely',
  exhausted: pgPoolExhausted,
  ended: /Transaction is already committed/u,
  open,
};
