import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { EndingRequest } from '../../src/activity/ending-words.ts';
import { connectSession } from '../../src/database/connect.ts';
import { readActivity } from '../../src/database/read-activity.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import { parseTarget } from '../../src/database/target.ts';
import { endThrough } from '../../src/database/end-through.ts';
import type { OpenConnection } from '../../src/editor/activity/live-connection.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';

/** Room for the one that watches, and one more. */
let database: OwnedDatabase;
let watching: DatabaseSession;
let victim: pg.Client;
let lost: Promise<unknown>;

beforeAll(async () => {
  database = await createOwnedDatabase({ connectionLimit: 2 });
});

afterEach(async () => {
  await watching.close();
  await victim.end().catch(() => undefined);
});

afterAll(() => database[Symbol.asyncDispose]());

function open(): OpenConnection {
  const parsed = parseTarget(database.url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return parsed;
}

/** Fills the database's last place with a leak, and gives what ends it. */
async function leak(): Promise<EndingRequest> {
  const answer = await connectSession(open().target, open().secret);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  watching = answer.session;
  victim = new pg.Client({ connectionString: database.url, application_name: 'leaker' });
  lost = new Promise((resolve) =>
    victim.on('error', (error: Error & { code?: string }) => resolve(error.code)),
  );
  await victim.connect();
  await victim.query('BEGIN');
  const look = await readActivity(watching);
  if (look.kind === 'failed') throw new Error(look.failure.sentence);
  const session = look.report.sessions.find(
    ({ application, database: name }) =>
      application === 'leaker' && name === open().target.database,
  );
  if (session === undefined) throw new Error('The leaker was not seen.');
  return {
    action: 'terminate',
    pid: session.pid,
    backendStart: session.backendStart,
    seenAt: look.report.takenAt,
  };
}

test('where no place is free, the connection that watches ends the session', async () => {
  const request = await leak();
  expect(await connectSession(open().target, open().secret)).toMatchObject({
    kind: 'failed',
    failure: { kind: 'too-many' },
  });
  expect(await endThrough(watching, open(), request, new AbortController().signal)).toEqual({
    kind: 'ended',
  });
  expect(await lost).toBe('57P01');
});

test('where nobody watches any more, a connection of its own does, and is gone afterwards', async () => {
  const request = await leak();
  await watching.close();
  expect(await endThrough(watching, open(), request, new AbortController().signal)).toEqual({
    kind: 'ended',
  });
  expect(await lost).toBe('57P01');
  const both = await Promise.all([
    connectSession(open().target, open().secret),
    connectSession(open().target, open().secret),
  ]);
  expect(both.map(({ kind }) => kind)).toEqual(['connected', 'connected']);
  for (const answer of both) if (answer.kind === 'connected') await answer.session.close();
});

test('where the connection is lost once it has asked, the session counts as ended, not as one that had ended before', async () => {
  const request = await leak();
  const breaking = Object.assign(Object.create(watching) as DatabaseSession, {
    async query(...asked: Parameters<DatabaseSession['query']>) {
      await watching.query(...asked);
      await lost;
      await watching.close();
      return watching.query(...asked);
    },
  });
  expect(await endThrough(breaking, open(), request, new AbortController().signal)).toEqual({
    kind: 'ended',
  });
});

test('where neither is possible, why', async () => {
  const request = await leak();
  expect(await endThrough(undefined, open(), request, new AbortController().signal)).toMatchObject({
    kind: 'failed',
    failure: {
      kind: 'too-many',
      sentence: expect.stringContaining('no free connections') as string,
    },
  });
  expect((await victim.query('SELECT 1')).rows).toHaveLength(1);
});
