import { fileURLToPath } from 'node:url';
import postgres, { type Sql, type TransactionSql } from 'postgres';
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

const statement = fileURLToPath(new URL('select-one.sql', import.meta.url));

function callsOf(sql: Sql): Calls<TransactionSql> {
  return {
    lends: { begin: (work) => sql.begin(work) },
    sends: {
      '': () => sql`SELECT 1`,
      unsafe: () => sql.unsafe('SELECT 1'),
      file: () => sql.file(statement),
      execute: () => sql`SELECT 1`.execute(),
      forEach: () => sql`SELECT 1`.forEach(() => {}),
    },
    harmless: (inner) => ({
      unawaited: () => void sql`INSERT INTO note VALUES ('unawaited')`,
      fragment: () => inner`SELECT text FROM note ${sql`WHERE text = ${'one'}`}`,
      list: () => inner`SELECT text FROM note WHERE text IN ${sql(['one', 'other'])}`,
    }),
    begins: {
      reserve: async () => {
        const reserved = await sql.reserve();
        return () => Promise.resolve(reserved.release());
      },
    },
    write: (text, inner) => (inner ?? sql)`INSERT INTO note VALUES (${text})`,
    end: () => sql.end(),
  };
}

function open(url: string, { max, patienceMs }: PoolOptions): Habitual<TransactionSql> {
  const sql = postgres(url, {
    max,
    connection: { idle_in_transaction_session_timeout: patienceMs },
  });
  const mistakes: Mistakes = {
    writes: (fails) =>
      sql.begin(async (tx) => {
        await tx`INSERT INTO note VALUES ('inner')`;
        await sql`INSERT INTO note VALUES ('outer')`; // expect: no-nested-checkout
        if (fails) throw new Error(rolledBack);
      }),
    asks: (url) =>
      sql.begin(async (tx) => {
        await fetch(url); // expect: no-external-await-while-holding
        await tx`INSERT INTO note VALUES ('asked')`;
      }),
    sendsTwo: () =>
      sql.begin(async (tx) => {
        await Promise.all([tx.unsafe(lock), tx.unsafe(second)]);
      }),
    async writesLate() {
      const [ended] = await sql.begin((tx) => Promise.resolve([tx]));
      await ended`INSERT INTO note VALUES ('late')`;
    },
  };
  const cures: Habits = {
    writes: (fails) =>
      sql.begin(async (tx) => {
        await tx`INSERT INTO note VALUES ('inner')`;
        await tx`INSERT INTO note VALUES ('outer')`;
        if (fails) throw new Error(rolledBack);
      }),
    async asks(url) {
      await fetch(url);
      await sql.begin(async (tx) => {
        await tx`INSERT INTO note VALUES ('asked')`;
      });
    },
    sendsTwo: () =>
      sql.begin(async (tx) => {
        await tx.unsafe(lock);
        await tx.unsafe(second);
      }),
  };
  return { ...callsOf(sql), mistakes, cures };
}

/** A call waits for a connection without limit, here until the server ends the transaction that holds it. */
export const postgresJs: HabitsSample = {
  module: 'postgres',
  exhausted: /CONNECTION_CLOSED/u,
  ended: null,
  isPipelined: true,
  open,
};
