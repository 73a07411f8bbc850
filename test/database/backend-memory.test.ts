import pg from 'pg';
import { expect, test } from 'vitest';
import { readBackendMemory, type MemoryReading } from '../../src/database/backend-memory.ts';
import { connectSession } from '../../src/database/connect.ts';
import type { Asker } from '../../src/database/probe-server.ts';
import { parseTarget } from '../../src/database/target.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { postgresUrl } from '../support/postgres-url.ts';

/** Runs one statement as the superuser, in the database that a connection string of its owner names. */
async function asSuperuserIn(ownersUrl: string, toSql: (role: string) => string): Promise<void> {
  const { username, pathname } = new URL(ownersUrl);
  const client = new pg.Client({
    connectionString: Object.assign(new URL(postgresUrl()), { pathname }).href,
  });
  await client.connect();
  try {
    await client.query(toSql(username));
  } finally {
    await client.end();
  }
}

const mebibyte = 1024 * 1024;

interface Reading {
  readonly memory: MemoryReading | null;
  /** Sentences about statements that the server refused. */
  readonly refused: readonly string[];
}

async function read(url: string, isServerLocal: boolean): Promise<Reading> {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const answer = await connectSession(parsed.target, parsed.secret);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  const { session } = answer;
  const refused: string[] = [];
  const asker: Asker = {
    async query(statement, row) {
      const asked = await session.query(statement, row);
      if (asked.kind === 'failed') refused.push(asked.failure.sentence);
      return asked;
    },
  };
  try {
    return { memory: await readBackendMemory(asker, isServerLocal), refused };
  } finally {
    await session.close();
  }
}

test('a backend tells its memory contexts to a superuser', async () => {
  const { memory } = await read(postgresUrl(), false);
  expect(memory).toMatchObject({
    method: 'memory contexts (pg_backend_memory_contexts)',
    workMemBytes: 4 * mebibyte,
  });
  expect(memory?.bytes).toBeGreaterThan(0.3 * mebibyte);
  expect(memory?.bytes).toBeLessThan(20 * mebibyte);
});

test('to an ordinary role it does not, and another machine cannot look', async () => {
  await using database = await createOwnedDatabase();
  expect((await read(database.url, false)).memory).toBeNull();
});

test('an ordinary role writes no error into the log of the server when its memory is asked for', async () => {
  await using database = await createOwnedDatabase();
  expect((await read(database.url, true)).refused).toEqual([]);
});

test('a role that may read the view but not run its function is not refused either', async () => {
  await using database = await createOwnedDatabase();
  await asSuperuserIn(
    database.url,
    (role) => `GRANT SELECT ON pg_catalog.pg_backend_memory_contexts TO ${role}`,
  );
  expect(await read(database.url, false)).toEqual({ memory: null, refused: [] });
});

test('a member of pg_read_all_stats reads memory contexts', async () => {
  await using database = await createOwnedDatabase();
  await asSuperuserIn(database.url, (role) => `GRANT pg_read_all_stats TO ${role}`);
  const { memory, refused } = await read(database.url, false);
  expect(memory?.method).toBe('memory contexts (pg_backend_memory_contexts)');
  expect(refused).toEqual([]);
});

test('on the same machine Linux tells', async () => {
  await using database = await createOwnedDatabase();
  const { memory } = await read(database.url, true);
  expect(memory?.method).toBe(
    process.platform === 'linux' ? 'private memory (/proc/PID/smaps_rollup)' : undefined,
  );
  expect(memory?.bytes ?? mebibyte).toBeGreaterThan(0.3 * mebibyte);
  expect(memory?.bytes ?? mebibyte).toBeLessThan(40 * mebibyte);
});
