import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
});

afterAll(async () => {
  await database.drop();
});

/** What the first query of a new connection sees of two settings that a 'connect' listener made. */
async function firstQuerySees(listener: (client: PoolClient) => void): Promise<unknown> {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  pool.on('error', () => {});
  pool.on('connect', listener);
  try {
    const { rows } = await pool.query<object>(
      "SELECT current_setting('app.first', true) AS first, current_setting('app.second', true) AS second",
    );
    return rows[0];
  } finally {
    await pool.end();
  }
}

const noop = (): void => {};

test('what a listener asks at once runs before the first query of the borrower', async () => {
  const seen = await firstQuerySees((client) => {
    client.query("SET app.first = 'a'; SET app.second = 'b'").catch(noop);
  });
  expect(seen).toEqual({ first: 'a', second: 'b' });
});

test('what it asks behind an await runs after it', async () => {
  const seen = await firstQuerySees((client) => {
    client
      .query("SET app.first = 'a'")
      .then(() => client.query("SET app.second = 'b'"))
      .catch(noop);
  });
  expect(seen).toMatchObject({ first: 'a' });
  expect(seen).not.toMatchObject({ second: 'b' });
});
