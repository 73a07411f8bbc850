import pg from 'pg';
import { expect, test } from 'vitest';
import { createFreshDatabase } from './fresh-database.ts';

test('the tests run on a real PostgreSQL 18', async () => {
  const database = await createFreshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ version: number; name: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_database() AS name",
  );
  await client.end();
  await database.drop();
  expect(rows.map(({ version, name }) => ({ major: Math.floor(version / 10_000), name }))).toEqual([
    { major: 18, name: database.name },
  ]);
});
