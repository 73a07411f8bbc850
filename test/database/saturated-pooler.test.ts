import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/activity/clock.ts';
import type { ConnectOptions } from '../../src/database/connect.ts';
import { connectSession } from '../../src/database/connect.ts';
import { createActivitySource } from '../../src/database/read-activity.ts';
import { consoleOf, createPoolerSource } from '../../src/database/pooler-console.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import { parseTarget } from '../../src/database/target.ts';
import type { PoolerSocket } from '../../src/pooler/pooler-report.ts';
import { anyRow } from '../support/any-row.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';

let database: OwnedDatabase;
let pooler: PgBouncer;
let hog: pg.Client;

beforeAll(async () => {
  database = await createOwnedDatabase();
  pooler = await startPgBouncer(database.url, 1, { settings: { stats_users: 'watcher' } });
  hog = new pg.Client({ connectionString: pooler.url, application_name: 'hog' });
  await hog.connect();
});

afterAll(async () => {
  await hog.end();
  await pooler[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function targetOf(url: string) {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return parsed.target;
}

async function connect(options: ConnectOptions = {}): Promise<DatabaseSession> {
  const answer = await connectSession(targetOf(pooler.url), null, options);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  return answer.session;
}

async function ownInLine(): Promise<readonly PoolerSocket[]> {
  const opened = await createPoolerSource(consoleOf(targetOf(pooler.url), 'watcher'), null, {
    wantsSockets: () => true,
    now: () => new Date(),
    elapsed: () => systemClock.now(),
  }).open(new AbortController().signal);
  if (opened.kind === 'failed') throw new Error(opened.failure.sentence);
  const answer = await opened.reader.read();
  await opened.reader.close();
  const clients = answer.kind === 'report' ? (answer.report.clients ?? []) : [];
  return clients.filter(
    ({ application, state }) => application === 'poolguard' && state === 'waiting',
  );
}

test('whoever looks again and again keeps one place in the line, and is answered when its turn comes', async () => {
  const patient = await connect({ statementTimeoutMs: 1, backendPatienceMs: 60_000 });
  await hog.query('BEGIN');
  const answer = patient.query<{ answer: number }>('SELECT 42 AS answer', anyRow);
  // The time limit of a statement and its grace are long over by then, by the clock of the pooler.
  await expect
    .poll(async () => (await ownInLine()).map(({ waitMs }) => (waitMs ?? 0) > 3_500))
    .toEqual([true]);
  await hog.query('COMMIT');
  expect(await answer).toEqual({ kind: 'rows', rows: [{ answer: 42 }] });
  await expect.poll(ownInLine).toEqual([]);
  await patient.close();
});

test('where no backend is free, a connection is made all the same, known to be pooled; patience ends in a sentence that says why', async () => {
  await hog.query('BEGIN');
  const session = await connect({ backendPatienceMs: 200 });
  expect(session.isPooled).toBe(true);
  await expect.poll(ownInLine).toEqual([]);
  expect(await session.query('SELECT 1', anyRow)).toMatchObject({
    kind: 'failed',
    failure: {
      kind: 'timeout',
      sentence: expect.stringContaining(
        'Timed out waiting for a server connection of the pooler',
      ) as string,
    },
  });
  await session.close();
  await hog.query('COMMIT');
});

test('its console is no database, and says what it is', async () => {
  const opened = await createActivitySource(
    { ...targetOf(pooler.url), database: 'pgbouncer', user: 'watcher' },
    null,
  ).open(new AbortController().signal);
  expect(opened).toMatchObject({
    kind: 'failed',
    failure: {
      kind: 'statement',
      sentence: expect.stringMatching(
        /^This is the console of the pooler at .*`poolguard pooler` shows the console\.$/,
      ) as string,
    },
  });
});
