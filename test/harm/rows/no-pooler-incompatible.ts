import type { Pool } from 'pg';
import { connectAsOther, harm, outcome } from '../harm.ts';

interface Users {
  findUser(id: number): Promise<unknown>;
}

export const poolerIncompatible = [
  harm<Users>({
    rule: 'no-pooler-incompatible',
    name: 'two clients that share a backend prepare the same name there',
    tables: 'CREATE TABLE users (id int)',
    pgBouncerBackends: 1,
    max: 2,
    play: async ({ example }) => {
      const requests = await Promise.all([outcome(example.findUser(1)), outcome(example.findUser(2))]);
      return { requests };
    },
    wrong: { example: '❌ A named statement.', seen: { requests: ['ok', 'prepared statement "find-user" already exists'] } },
    right: { example: '✅ No name.', seen: { requests: ['ok', 'ok'] } },
  }),
  harm<Users>({
    rule: 'no-pooler-incompatible',
    name: 'a client comes to a backend where its statement was never prepared',
    tables: 'CREATE TABLE users (id int)',
    pgBouncerBackends: 2,
    max: 1,
    play: async ({ example }) => {
      const first = await outcome(example.findUser(1));
      const other = await connectAsOther();
      await other.query('BEGIN');
      return { first, second: await outcome(example.findUser(2)) };
    },
    wrong: { example: '❌ A named statement.', seen: { first: 'ok', second: 'prepared statement "find-user" does not exist' } },
    right: { example: '✅ No name.', seen: { first: 'ok', second: 'ok' } },
  }),
  harm<{ readonly pool: Pool }>({
    rule: 'no-pooler-incompatible',
    name: 'PgBouncer refuses a parameter that it does not know',
    pgBouncerBackends: 1,
    play: async ({ example: { pool } }) => ({ query: await outcome(pool.query('SELECT 1')) }),
    wrong: { example: '❌ Startup parameter.', seen: { query: 'unsupported startup parameter: statement_timeout' } },
    right: { example: '✅ On the role.', seen: { query: 'ok' } },
  }),
];
