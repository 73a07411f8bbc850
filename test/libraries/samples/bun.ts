import { SQL, type TransactionSQL } from 'bun';
import { fileURLToPath } from 'node:url';
import {
  lock,
  rolledBack,
  second,
  type Calls,
  type Habits,
  type Habitual,
  type Mistakes,
  type PoolOptions,
} from '../sample.ts';

const statement = fileURLToPath(new URL('select-one.sql', import.meta.url));

function callsOf(sql: SQL): Calls<TransactionSQL> {
  return {
    lends: {
      begin: (work) => sql.begin(work),
      transaction: (work) => sql.transaction(work),
      async beginDistributed(work) {
        const unprepared = (error: Error) => {
          if (!error.message.includes('prepared transactions are disabled')) throw error;
        };
        await sql.beginDistributed('note', work).catch(unprepared);
      },
    },
    sends: {
      unsafe: () => sql.unsafe('SELECT 1'),
      file: () => sql.file(statement),
      '': () => sql`SELECT 1`,
      execute: () => sql`SELECT 1`.execute(),
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

export function open(url: string, { max, patienceMs }: PoolOptions): Habitual<TransactionSQL> {
  const sql = new SQL(url, {
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
      if (ended !== undefined) await ended`INSERT INTO note VALUES ('late')`;
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
