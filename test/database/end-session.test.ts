import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { EndingAction, EndingOutcome } from '../../src/activity/ending-words.ts';
import type { ActivityReport, Session } from '../../src/activity/snapshot.ts';
import { connectSession } from '../../src/database/connect.ts';
import { endSession } from '../../src/database/end-session.ts';
import { readActivity } from '../../src/database/read-activity.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import { parseTarget } from '../../src/database/target.ts';
import { anyRow } from '../support/any-row.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { postgresUrl } from '../support/postgres-url.ts';

let database: FreshDatabase;
let watch: DatabaseWatch;
const clients: pg.Client[] = [];
const sessions: DatabaseSession[] = [];
const roles = { app: 'app', plain: 'plain', signaller: 'signaller', blind: 'blind' };

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
  for (const role of Object.values(roles))
    await asSuperuser(`CREATE ROLE ${database.name}_${role} LOGIN PASSWORD '${role}-secret'`);
  await asSuperuser(`GRANT pg_monitor TO ${database.name}_plain, ${database.name}_signaller`);
  await asSuperuser(
    `GRANT pg_signal_backend TO ${database.name}_signaller, ${database.name}_blind`,
  );
});

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
  expect(await watch.sessions()).toEqual([]);
});

afterAll(async () => {
  await watch.close();
  await database.drop();
  for (const role of Object.values(roles)) await asSuperuser(`DROP ROLE ${database.name}_${role}`);
});

function urlOf(role: keyof typeof roles): string {
  const url = new URL(database.url);
  return Object.assign(url, { username: `${database.name}_${role}`, password: `${role}-secret` })
    .href;
}

async function application(name: string, connectionString = urlOf('app')): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

/** Starts a statement and gives what becomes of it: the SQLSTATE of its failure, or "done". */
function running(client: pg.Client, sql: string): Promise<string> {
  return client.query(sql).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
}

async function connect(url = database.url): Promise<DatabaseSession> {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const answer = await connectSession(parsed.target, parsed.secret);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  sessions.push(answer.session);
  return answer.session;
}

async function look(session: DatabaseSession): Promise<ActivityReport> {
  const answer = await readActivity(session);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  return answer.report;
}

function sessionOf(report: ActivityReport, name: string): Session {
  const found = report.sessions.find(
    (session) => session.application === name && session.database === database.name,
  );
  if (found === undefined) throw new Error(`No session is called ${name}.`);
  return found;
}

function end(
  asker: DatabaseSession,
  action: EndingAction,
  { pid, backendStart }: Pick<Session, 'pid' | 'backendStart'>,
  seenAt = new Date().toISOString(),
): Promise<EndingOutcome> {
  return endSession(asker, { action, pid, backendStart, seenAt }, sleep);
}

describe('what stops', () => {
  test('a running statement is cancelled; its session lives on', async () => {
    const client = await application('sleeper');
    const outcome = running(client, 'SELECT pg_sleep(600)');
    await watch.until(`application_name = 'sleeper' AND state = 'active'`);
    const own = await connect();
    const report = await look(own);
    expect(await end(own, 'cancel', sessionOf(report, 'sleeper'), report.takenAt)).toEqual({
      kind: 'ended',
    });
    expect(await outcome).toBe('57014');
    expect(await running(client, 'SELECT 1')).toBe('done');
  });

  test('a session that is idle in transaction is terminated, and its lock is free', async () => {
    await asSuperuserHere(
      'CREATE TABLE stock (id int)',
      `GRANT ALL ON stock TO ${database.name}_app`,
    );
    const client = await application('leaker');
    await client.query('BEGIN; LOCK TABLE stock IN ACCESS EXCLUSIVE MODE');
    const own = await connect();
    expect(await end(own, 'terminate', sessionOf(await look(own), 'leaker'))).toEqual({
      kind: 'ended',
    });
    expect(
      await running(
        await application('next'),
        'BEGIN; LOCK TABLE stock IN ACCESS EXCLUSIVE MODE NOWAIT; COMMIT',
      ),
    ).toBe('done');
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  test('by a role in pg_signal_backend', async () => {
    const outcome = running(await application('sleeper'), 'SELECT pg_sleep(600)');
    await watch.until(`application_name = 'sleeper' AND state = 'active'`);
    const own = await connect(urlOf('signaller'));
    expect(await end(own, 'terminate', sessionOf(await look(own), 'sleeper'))).toEqual({
      kind: 'ended',
    });
    expect(await outcome).toBe('57P01');
  });

  test('behind a pooler too, in a read-only transaction', async () => {
    await using pooler = await startPgBouncer(database.url, 2);
    await (await application('leaker')).query('BEGIN');
    const own = await connect(pooler.url);
    expect(own.isPooled).toBe(true);
    expect(await end(own, 'terminate', sessionOf(await look(own), 'leaker'))).toEqual({
      kind: 'ended',
    });
    await own.close();
  });
});

describe('what is refused, without a signal', () => {
  test('to cancel what runs nothing', async () => {
    const client = await application('leaker');
    await client.query('BEGIN');
    const own = await connect();
    expect(await end(own, 'cancel', sessionOf(await look(own), 'leaker'))).toEqual({
      kind: 'runs-nothing',
    });
    expect(await running(client, 'COMMIT')).toBe('done');
  });

  test('to cancel another statement than the one that was seen', async () => {
    const client = await application('busy');
    const own = await connect();
    const before = await look(own);
    await watch.until(`clock_timestamp() > '${before.takenAt}'::timestamptz + interval '400 ms'`);
    const holder = await application('holder');
    await holder.query('SELECT pg_advisory_lock(5)');
    const outcome = running(client, 'SELECT pg_advisory_lock(5)');
    await watch.until(`application_name = 'busy' AND wait_event = 'advisory'`);
    expect(await end(own, 'cancel', sessionOf(before, 'busy'), before.takenAt)).toEqual({
      kind: 'moved-on',
    });
    await holder.query('SELECT pg_advisory_unlock(5)');
    expect(await outcome).toBe('done');
  });

  test('a process id that another backend has now', async () => {
    const client = await application('newcomer');
    const own = await connect();
    const { pid, backendStart } = sessionOf(await look(own), 'newcomer');
    const oneMicrosecondOff = backendStart.replace(
      /(\d)Z$/,
      (_, digit: string) => `${(Number(digit) + 1) % 10}Z`,
    );
    expect(await end(own, 'terminate', { pid, backendStart: oneMicrosecondOff })).toEqual({
      kind: 'replaced',
    });
    expect(await running(client, 'SELECT 1')).toBe('done');
  });

  test("Poolguard's own: the one that asks, and every other", async () => {
    const [own, other] = [await connect(), await connect()];
    const report = await look(own);
    const those = report.sessions.filter(({ pid }) => pid === own.pid || pid === other.pid);
    expect(those).toHaveLength(2);
    for (const session of those)
      expect(await end(own, 'terminate', session)).toEqual({ kind: 'refused', because: 'own' });
    expect((await look(other)).sessions.length).toBeGreaterThan(1);
  });

  test('every backend that serves no client', async () => {
    const own = await connect();
    const answer = await own.query<{ pid: number; backend_start: string; backend_type: string }>(
      `SELECT pid, backend_type, to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS backend_start FROM pg_stat_activity WHERE backend_type <> 'client backend' AND backend_type NOT LIKE '%worker'`,
      anyRow,
    );
    const background = answer.kind === 'rows' ? answer.rows : [];
    expect(background.map(({ backend_type }) => backend_type)).toEqual(
      expect.arrayContaining(['checkpointer', 'walwriter', 'background writer']),
    );
    for (const { pid, backend_start: backendStart } of background)
      expect(await end(own, 'terminate', { pid, backendStart })).toEqual({
        kind: 'refused',
        because: 'background',
      });
  });

  test('a replication connection', async () => {
    const replication = new pg.Client({
      connectionString: postgresUrl(),
      application_name: 'standby',
      ...{ replication: 'database' },
    });
    clients.push(replication);
    await replication.connect();
    const own = await connect();
    const answer = await own.query<{ pid: number; backend_start: string }>(
      `SELECT pid, to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS backend_start FROM pg_stat_activity WHERE backend_type = 'walsender'`,
      anyRow,
    );
    const [standby] = answer.kind === 'rows' ? answer.rows : [];
    expect(standby).toBeDefined();
    expect(
      await end(own, 'terminate', {
        pid: standby?.pid ?? 0,
        backendStart: standby?.backend_start ?? '',
      }),
    ).toEqual({ kind: 'refused', because: 'background' });
    expect((await replication.query('IDENTIFY_SYSTEM')).rows).toHaveLength(1);
  });

  test('a session that is gone already', async () => {
    const client = await application('leaver');
    const own = await connect();
    const session = sessionOf(await look(own), 'leaver');
    await client.end();
    await expect.poll(() => end(own, 'terminate', session)).toEqual({ kind: 'gone' });
  });

  test('a session that the role may not see', async () => {
    await application('stranger');
    const pid = sessionOf(await look(await connect()), 'stranger').pid;
    const blind = await connect(urlOf('blind'));
    const hidden = (await look(blind)).sessions.find((session) => session.pid === pid);
    expect(hidden).toMatchObject({ state: 'hidden', backendStart: '' });
    expect(await end(blind, 'terminate', { pid, backendStart: '' })).toEqual({ kind: 'hidden' });
    expect(
      await end(blind, 'terminate', { pid, backendStart: '2026-01-01T00:00:00.000000Z' }),
    ).toEqual({ kind: 'hidden' });
  });

  test('by the server, to a role without the right: which role, of whom', async () => {
    await (await application('leaker')).query('BEGIN');
    const own = await connect(urlOf('plain'));
    const names = {
      ownRole: `${database.name}_plain`,
      ownerRole: `${database.name}_app`,
      ownerIsSuperuser: false,
    };
    expect(await end(own, 'terminate', sessionOf(await look(own), 'leaker'))).toEqual({
      kind: 'not-allowed',
      ...names,
    });
  });

  test("by the server, a superuser's session, whatever else the role may", async () => {
    await application('admin-tool', database.url);
    const own = await connect(urlOf('signaller'));
    expect(await end(own, 'terminate', sessionOf(await look(own), 'admin-tool'))).toMatchObject({
      kind: 'not-allowed',
      ownerRole: 'postgres',
      ownerIsSuperuser: true,
    });
  });
});

test('a backend that does not stop is said to be still there, a lost connection to have failed', async () => {
  const outcome = running(await application('stubborn'), 'SELECT pg_sleep(600)');
  await watch.until(`application_name = 'stubborn' AND state = 'active'`);
  const own = await connect();
  const session = sessionOf(await look(own), 'stubborn');
  // A backend that does not listen looks from outside like one that was never signalled.
  const deaf = {
    query: (statement, row) =>
      own.query(
        typeof statement === 'string' || !statement.text.includes('pg_cancel_backend')
          ? statement
          : {
              ...statement,
              text: statement.text.replace('pg_catalog.pg_cancel_backend(session.pid)', 'true'),
            },
        row,
      ),
  } as DatabaseSession;
  expect(
    await endSession(deaf, { action: 'cancel', ...session, seenAt: new Date().toISOString() }, () =>
      Promise.resolve(),
    ),
  ).toEqual({ kind: 'still-there' });
  await own.close();
  expect(await end(own, 'cancel', session)).toMatchObject({
    kind: 'failed',
    failure: { kind: 'cancelled' },
  });
  await asSuperuser(`SELECT pg_terminate_backend(${session.pid})`);
  expect(await outcome).toBe('57P01');
});

async function asSuperuserHere(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
