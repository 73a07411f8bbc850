import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ActivityReport, Session } from '../../src/activity/snapshot.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { lookOnce } from '../support/activity-watch.ts';

let database: FreshDatabase;
let watch: DatabaseWatch;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
  await asSuperuser(`CREATE ROLE ${database.name}_app LOGIN PASSWORD 'app-secret'`);
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
  await watch.sessions();
});

afterAll(async () => {
  await watch.close();
  await database.drop();
  await asSuperuser(`DROP ROLE ${database.name}_app`);
});

function urlOf(user: string, password: string): string {
  const url = new URL(database.url);
  url.username = user;
  url.password = password;
  return url.href;
}

async function application(name: string, connectionString = database.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

function look(url = database.url): Promise<ActivityReport> {
  return lookOnce(url);
}

/** The one session of that application in this test's database. */
function sessionOf(report: ActivityReport, name: string): Session {
  const found = report.sessions.filter(
    (session) => session.application === name && session.database === database.name,
  );
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${found.length} sessions are called ${name}.`);
  return found[0];
}

describe('what a look at the server gives', () => {
  test('facts and headroom, whose parts add up', async () => {
    const { server, headroom, sessions, takenAt } = await look();
    expect(server).toMatchObject({
      version: expect.stringMatching(/^18\./) as string,
      host: '127.0.0.1',
      database: database.name,
      user: 'postgres',
      seesAllSessions: true,
      inRecovery: false,
    });
    expect(headroom).toMatchObject({
      maxConnections: 100,
      superuserReserved: 3,
      reserved: 0,
      usable: 97,
      used: sessions.length,
      free: 97 - sessions.length,
      forRole: { free: 100 - sessions.length, boundBy: 'server', isSuperuser: true },
    });
    expect(Object.values(headroom.split).reduce((sum, part) => sum + part)).toBe(headroom.used);
    expect(new Date(takenAt).toISOString()).toBe(takenAt);
  });

  test('its own session, marked', async () => {
    expect(sessionOf(await look(), 'poolguard')).toMatchObject({
      isOwn: true,
      state: 'active',
      isWaiting: false,
      clientAddress: '127.0.0.1',
    });
  });

  test('an application called poolguard-something is not ours', async () => {
    await application('poolguard-demo');
    expect(sessionOf(await look(), 'poolguard-demo').isOwn).toBe(false);
  });

  test('an idle session: no wait, no transaction', async () => {
    const client = await application('idler');
    await client.query('SELECT 1');
    expect(sessionOf(await look(), 'idler')).toMatchObject({
      state: 'idle',
      isWaiting: false,
      transactionAgeMs: null,
      query: 'SELECT 1',
      waitEvent: 'ClientRead',
      isOwn: false,
    });
  });

  test('idle in transaction: three ages', async () => {
    const client = await application('leaker');
    await client.query('BEGIN');
    await watch.until(`application_name = 'leaker' AND clock_timestamp() - state_change > '60 ms'`);
    await client.query('SELECT 2');
    await watch.until(`application_name = 'leaker' AND clock_timestamp() - state_change > '30 ms'`);
    const session = sessionOf(await look(), 'leaker');
    expect(session).toMatchObject({ state: 'idle in transaction', query: 'SELECT 2' });
    expect(session.stateAgeMs).toBeGreaterThanOrEqual(30);
    expect(session.queryAgeMs).toBeGreaterThanOrEqual(session.stateAgeMs ?? Infinity);
    expect(session.transactionAgeMs).toBeGreaterThanOrEqual((session.queryAgeMs ?? Infinity) + 30);
  });

  test('a failed transaction that nobody rolled back', async () => {
    const client = await application('aborted');
    await client.query('BEGIN');
    await expect(client.query('SELECT 1/0')).rejects.toThrow('division by zero');
    const report = await look();
    expect(sessionOf(report, 'aborted').state).toBe('idle in transaction (aborted)');
    expect(report.headroom.split.aborted).toBeGreaterThanOrEqual(1);
  });

  test('a session that works', async () => {
    const client = await application('worker');
    const running = client.query('SELECT pg_sleep(30)').catch(() => undefined);
    await watch.until(`application_name = 'worker' AND wait_event = 'PgSleep'`);
    expect(sessionOf(await look(), 'worker')).toMatchObject({
      state: 'active',
      isWaiting: false,
      waitEventType: 'Timeout',
      blockedBy: [],
    });
    await asSuperuser(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'worker' AND datname = '${database.name}'`,
    );
    await running;
  });

  test('a session that waits for a lock, and who holds it', async () => {
    const holder = await application('holder');
    await holder.query('CREATE TABLE orders (id int)');
    await holder.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
    const waiter = await application('waiter');
    const waiting = waiter.query('SELECT * FROM orders').catch(() => undefined);
    await watch.until(`application_name = 'waiter' AND wait_event_type = 'Lock'`);
    const report = await look();
    expect(sessionOf(report, 'waiter')).toMatchObject({
      state: 'active',
      isWaiting: true,
      waitEventType: 'Lock',
      waitEvent: 'relation',
      blockedBy: [sessionOf(report, 'holder').pid],
    });
    expect(report.headroom.split.waiting).toBeGreaterThanOrEqual(1);
    await holder.query('ROLLBACK');
    await waiting;
  });

  test('hostile names and statements arrive as they are', async () => {
    const client = await application('<img onerror=x>');
    await client.query(`SELECT '\u001B[31m</script>'`);
    expect(sessionOf(await look(), '<img onerror=x>').query).toBe(`SELECT '\u001B[31m</script>'`);
  });
});

describe('a role that may not read other sessions', () => {
  test('hidden sessions are counted, and nothing of them is invented', async () => {
    await application('secretive');
    await application('visible', urlOf(`${database.name}_app`, 'app-secret'));
    const report = await look(urlOf(`${database.name}_app`, 'app-secret'));
    const hidden = report.sessions.filter(({ state }) => state === 'hidden');
    expect(report.server.seesAllSessions).toBe(false);
    expect(report.headroom.split.hidden).toBe(hidden.length);
    expect(hidden.find((session) => session.database === database.name)).toMatchObject({
      application: 'secretive',
      user: 'postgres',
      backendStart: '',
      query: '',
      transactionAgeMs: null,
      blockedBy: [],
      isWaiting: false,
    });
    expect(sessionOf(report, 'visible').state).toBe('idle');
    expect(report.headroom.used).toBe(report.sessions.length);
  });

  test('pg_read_all_stats lifts the curtain', async () => {
    await asSuperuser(`GRANT pg_read_all_stats TO ${database.name}_app`);
    await application('secretive');
    const report = await look(urlOf(`${database.name}_app`, 'app-secret'));
    await asSuperuser(`REVOKE pg_read_all_stats FROM ${database.name}_app`);
    expect(report.server.seesAllSessions).toBe(true);
    expect(report.headroom.split.hidden).toBe(0);
    expect(sessionOf(report, 'secretive').state).toBe('idle');
  });
});
