import { readFileSync } from 'node:fs';
import pg from 'pg';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { readBackendMemory, type MemoryReading } from '../../src/database/backend-memory.ts';
import { connectSession } from '../../src/database/connect.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import type { Asker } from '../../src/database/session.ts';
import { parseTarget } from '../../src/database/target.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
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
  /** What the test sees in `/proc` before the session closes; null elsewhere. */
  readonly own: number | null;
  /** Sentences about statements that the server refused. */
  readonly refused: readonly string[];
}

/** Private pages of a process without those of shared memory, mapping by mapping; null where there is no `/proc`. */
function privateLessShared(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const mappings = readFileSync(`/proc/${pid}/smaps`, 'latin1').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const kilobytes = mappings
    .filter((mapping) => !/^\S+ ...s /.test(mapping))
    .flatMap((mapping) => [...mapping.matchAll(/^Private_Dirty:\s+(\d+)/gm)])
    .reduce((sum, [, digits]) => sum + Number(digits), 0);
  return kilobytes * 1024;
}

async function backendOf(session: DatabaseSession): Promise<number> {
  const answer = await session.query(
    'SELECT pg_backend_pid() AS pid',
    v.object({ pid: v.number() }),
  );
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  return answer.rows[0]?.pid ?? 0;
}

async function read(url: string, isServerLocal: boolean, workload?: string): Promise<Reading> {
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
    if (workload !== undefined) await session.run({ text: workload });
    await session.settle();
    const memory = await readBackendMemory(asker, isServerLocal);
    const own = isServerLocal ? privateLessShared(await backendOf(session)) : null;
    return { memory, own, refused };
  } finally {
    await session.close();
  }
}

test('a backend tells its memory contexts to a superuser', async () => {
  const { memory } = await read(postgresUrl(), false);
  expect(memory).toMatchObject({
    method: 'memory contexts, without shared_buffers (pg_backend_memory_contexts)',
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
  expect(await read(database.url, false)).toEqual({ memory: null, own: null, refused: [] });
});

test('a member of pg_read_all_stats reads memory contexts', async () => {
  await using database = await createOwnedDatabase();
  await asSuperuserIn(database.url, (role) => `GRANT pg_read_all_stats TO ${role}`);
  const { memory, refused } = await read(database.url, false);
  expect(memory?.method).toBe(
    'memory contexts, without shared_buffers (pg_backend_memory_contexts)',
  );
  expect(refused).toEqual([]);
});

test('on the same machine it is what /proc says without shared memory, directly and through a pooler', async () => {
  await using database = await createOwnedDatabase({
    tables:
      "CREATE TABLE wide AS SELECT n, repeat('x', 1000) AS text FROM generate_series(1, 12000) AS n",
  });
  await using pooler = await startPgBouncer(database.url, 1);
  const workload = 'SELECT count(*) FROM wide';
  const direct = await read(database.url, true, workload);
  const pooled = await read(pooler.url, true, workload);
  for (const { memory, own } of [direct, pooled]) {
    if (own === null) expect(memory).toBeNull();
    else expect(Math.abs((memory?.bytes ?? 0) - own)).toBeLessThan(0.4 * mebibyte);
  }
  expect(direct.memory?.method).toBe(
    process.platform === 'linux'
      ? 'anonymous memory, without shared_buffers (Pss_Anon in /proc/PID/smaps_rollup)'
      : undefined,
  );
  const difference = (direct.memory?.bytes ?? 0) - (pooled.memory?.bytes ?? 0);
  expect(Math.abs(difference)).toBeLessThan(0.5 * mebibyte);
});
