import type { Pool, PoolClient } from 'pg';
import { connectAsOther, harm, outcome, until } from '../harm.ts';

interface Orders {
  orderOf(id: number): Promise<unknown>;
  firstPage(client?: PoolClient): Promise<unknown>;
}

const named = {
  example: '❌ A named statement, behind a pooler without support for them.',
};
const unnamed = {
  example: '✅ The same statement without a name: it is prepared and run in one step.',
};

export const poolerIncompatible = [
  harm<Orders>({
    rule: 'no-pooler-incompatible',
    name: 'two clients that share a backend prepare the same name there',
    tables: 'CREATE TABLE orders (id int)',
    pgBouncerBackends: 1,
    max: 2,
    play: async ({ example }) => {
      const requests = await Promise.all([
        outcome(example.orderOf(1)),
        outcome(example.orderOf(2)),
      ]);
      return { requests: requests.sort() };
    },
    wrong: { ...named, seen: { requests: ['ok', 'prepared statement "order" already exists'] } },
    right: { ...unnamed, seen: { requests: ['ok', 'ok'] } },
  }),
  harm<Orders>({
    rule: 'no-pooler-incompatible',
    name: 'a client comes to a backend where its statement was never prepared',
    tables: 'CREATE TABLE orders (id int)',
    pgBouncerBackends: 2,
    max: 1,
    play: async ({ example }) => {
      const first = await outcome(example.orderOf(1));
      const other = await connectAsOther();
      await other.query('BEGIN');
      return { first, second: await outcome(example.orderOf(2)) };
    },
    wrong: { ...named, seen: { first: 'ok', second: 'prepared statement "order" does not exist' } },
    right: { ...unnamed, seen: { first: 'ok', second: 'ok' } },
  }),
  harm<Orders>({
    rule: 'no-pooler-incompatible',
    name: 'a cursor that outlives its transaction stays behind on a backend that somebody else has by then',
    tables: 'CREATE VIEW orders AS SELECT pg_sleep(0.1)::text AS slow',
    pgBouncerBackends: 2,
    play: async ({ example, pool, states }) => {
      const client = await pool.connect();
      const [holder, next] = [await connectAsOther(), await connectAsOther()];
      await holder.query('BEGIN');
      const page = outcome(example.firstPage(client));
      await until(async () => (await states()).includes('active'));
      await next.query('BEGIN');
      await holder.query('ROLLBACK');
      return { page: await page };
    },
    wrong: {
      example: '❌ A cursor that outlives its transaction.',
      seen: { page: 'cursor "page" does not exist' },
    },
    right: { example: '✅ A cursor that is read inside one transaction.', seen: { page: 'ok' } },
  }),
  harm<{ readonly pool: Pool }>({
    rule: 'no-pooler-incompatible',
    name: 'PgBouncer refuses a parameter that it does not know',
    pgBouncerBackends: 1,
    play: async ({ example: { pool } }) => ({ query: await outcome(pool.query('SELECT 1')) }),
    wrong: {
      example: '❌ A startup parameter that the pooler does not know.',
      seen: { query: 'unsupported startup parameter: statement_timeout' },
    },
    right: {
      example:
        "✅ The role sets the limit on every connection that the pooler opens: `ALTER ROLE app SET statement_timeout = '10s'`.",
      seen: { query: 'ok' },
    },
  }),
];
