import pg from 'pg';
import { expect, test } from 'vitest';
import { createOwnedDatabase } from './owned-database.ts';
import { startPgBouncer } from './pgbouncer.ts';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

test('a real PgBouncer in transaction mode shares one backend among clients, and is gone afterwards', async () => {
  await using database = await createOwnedDatabase();
  const pgBouncer = await startPgBouncer(database.url, 1);
  const clients = await Promise.all([connect(pgBouncer.url), connect(pgBouncer.url)]);
  const pids = await Promise.all(
    clients.map(
      async (client) =>
        (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid,
    ),
  );
  await Promise.all(clients.map((client) => client.end()));
  await pgBouncer[Symbol.asyncDispose]();
  expect(pids).toEqual([expect.any(Number), pids[0]]);
  await expect(connect(pgBouncer.url)).rejects.toThrow('ECONNREFUSED');
});
