import { expect, inject, test } from 'vitest';
import { readBackendMemory } from '../../src/database/backend-memory.ts';
import { connectSession } from '../../src/database/connect.ts';
import { parseTarget } from '../../src/database/target.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';

const mebibyte = 1024 * 1024;

async function read(url: string, isServerLocal: boolean) {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const answer = await connectSession(parsed.target, parsed.secret);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  try {
    return await readBackendMemory(answer.session, isServerLocal);
  } finally {
    await answer.session.close();
  }
}

test('a backend tells its memory contexts to a superuser', async () => {
  const memory = await read(inject('postgresUrl'), false);
  expect(memory).toMatchObject({ method: 'memory contexts (pg_backend_memory_contexts)', workMemBytes: 4 * mebibyte });
  expect(memory?.bytes).toBeGreaterThan(0.3 * mebibyte);
  expect(memory?.bytes).toBeLessThan(20 * mebibyte);
});

test('to an ordinary role it does not, and another machine cannot look', async () => {
  await using database = await createOwnedDatabase();
  expect(await read(database.url, false)).toBeNull();
});

test('on the same machine Linux tells', async () => {
  await using database = await createOwnedDatabase();
  const memory = await read(database.url, true);
  expect(memory?.method).toBe(process.platform === 'linux' ? 'private memory (/proc/PID/smaps_rollup)' : undefined);
  expect(memory?.bytes ?? mebibyte).toBeGreaterThan(0.3 * mebibyte);
  expect(memory?.bytes ?? mebibyte).toBeLessThan(40 * mebibyte);
});
