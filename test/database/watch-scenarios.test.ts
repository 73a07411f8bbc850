import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedServer, type EmbeddedServer } from '../../scripts/embedded-server.ts';
import type { PollerState } from '../../src/activity/poller.ts';
import { watchActivity, type ActivityWatch } from '../support/activity-watch.ts';
import { createApplicationClients } from '../support/application-clients.ts';
import { startRelay } from '../support/relay.ts';

/** Changes that an administrator makes to a whole server, so this one is not shared. */
let server: EmbeddedServer;
let admin: pg.Client;
let name: string;
let url: string;
const clients = createApplicationClients(() => server.url());

beforeAll(async () => {
  server = await startEmbeddedServer({ maxConnections: 20, inMemory: true });
  admin = await connectAdmin();
});

beforeEach(async () => {
  name = `app_${randomBytes(4).toString('hex')}`;
  url = server.url(name).replace(/\/\/[^@]+@/, `//${name}:secret@`);
  await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
  await admin.query(`CREATE DATABASE ${name}`);
});

afterEach(async () => {
  await clients.endAll();
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`DROP ROLE IF EXISTS ${name}`);
  await expectNoSessionOfOurs();
});

afterAll(async () => {
  await admin.end();
  await server.stop();
});

async function connectAdmin(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url() });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The server may take a moment to notice a closed socket. */
async function expectNoSessionOfOurs(): Promise<void> {
  await expect
    .poll(
      async () =>
        (await admin.query(`SELECT FROM pg_stat_activity WHERE application_name = 'poolguard'`))
          .rowCount,
    )
    .toBe(0);
}

async function terminateUs(): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'poolguard'`,
  );
}

const isLive = ({ kind }: PollerState) => kind === 'live';
const isLost = ({ kind }: PollerState) => kind === 'lost';
/** Lost again, after trying to come back. */
const isRefused = (state: PollerState) => state.kind === 'lost' && state.attempt === 2;

async function live(options: Parameters<typeof watchActivity>[1] = {}): Promise<ActivityWatch> {
  const watch = watchActivity(url, options);
  await watch.until(isLive);
  return watch;
}

describe('what an administrator does while we watch', () => {
  test('privileges are taken away: what was seen is hidden from the next look on', async () => {
    await admin.query(`GRANT pg_read_all_stats TO ${name}`);
    await using watch = await live();
    await clients.connect('orders-api');
    const seen = await watch.next(
      (state) =>
        state.kind === 'live' &&
        state.report.sessions.some(
          ({ application, state: its }) => application === 'orders-api' && its === 'idle',
        ),
    );
    await admin.query(`REVOKE pg_read_all_stats FROM ${name}`);
    const hidden = await watch.next(
      (state) => state.kind === 'live' && state.report.headroom.split.hidden > 0,
    );
    expect(seen).toMatchObject({
      report: { server: { seesAllSessions: true }, headroom: { split: { hidden: 0 } } },
    });
    expect(hidden).toMatchObject({
      report: {
        server: { seesAllSessions: false },
        headroom: { used: seen.kind === 'live' ? seen.report.headroom.used : 0 },
      },
    });
  });

  test('the right to connect is taken away: the session goes on, the next one is refused, and tried again in no haste', async () => {
    await using watch = await live();
    await admin.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    await watch.next(isLive);
    await terminateUs();
    const refused = await watch.until(isRefused);
    expect(refused).toMatchObject({
      failure: {
        kind: 'permission',
        sentence: expect.stringMatching(
          /denied user "app_\w+" access to database "app_\w+" \(permission denied for database/,
        ) as string,
      },
      retryInMs: 30_000,
    });
  });

  test.each([
    ['the password is changed', () => `ALTER ROLE ${name} PASSWORD 'another'`, 'wrong-password'],
    ['the role may not log in any more', () => `ALTER ROLE ${name} NOLOGIN`, 'no-such-role'],
    ['the role is dropped', () => `DROP ROLE ${name}`, 'wrong-password'],
  ])(
    '%s: the session goes on, the next one is refused, and tried again in no haste',
    async (_name, statement, kind) => {
      await using watch = await live();
      await admin.query(statement());
      await watch.next(isLive);
      await terminateUs();
      expect(await watch.until(isRefused)).toMatchObject({
        failure: { kind },
        retryInMs: 30_000,
        report: { schemaVersion: 1 },
      });
      expect(JSON.stringify(watch.states)).not.toContain('secret');
    },
  );

  test('the database is dropped', async () => {
    await using watch = await live();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    expect(await watch.until(isLost)).toMatchObject({ failure: { kind: 'lost' }, attempt: 1 });
    expect(await watch.until(isRefused)).toMatchObject({
      failure: { kind: 'no-such-database' },
      retryInMs: 30_000,
    });
  });

  test('a limit of the role is seen with the next connection', async () => {
    await admin.query(`ALTER ROLE ${name} CONNECTION LIMIT 3`);
    await using watch = await live();
    const state = watch.states.find(isLive);
    expect(state).toMatchObject({
      report: { headroom: { forRole: { free: 2, boundBy: 'role', isSuperuser: false } } },
    });
    expect(state?.kind === 'live' ? state.report.headroom.limits : []).toEqual([
      { scope: 'role', name, limit: 3, used: 1, free: 2, isOwn: true },
      { scope: 'database', name, limit: null, used: 1, free: null, isOwn: true },
    ]);
  });
});

test('others have taken every connection: said so, and back when one leaves', async () => {
  const { rows } = await admin.query<{ used: number }>(
    `SELECT count(*)::int AS used FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  const crowd = await clients.connectMany('crowd', 17 - (rows[0]?.used ?? 0));
  await using watch = watchActivity(url);
  const full = await watch.until(isLost);
  expect(full).toMatchObject({
    failure: {
      kind: 'too-many',
      sentence: expect.stringMatching(
        /has no free connections for this role \(remaining connection slots are reserved/,
      ) as string,
    },
    retryInMs: 500,
  });
  await crowd[0]?.end();
  await watch.until(isLive);
});

test('the server is restarted: lost, tried again more and more slowly, and back with one session', async () => {
  await using watch = await live();
  await server.halt();
  await watch.until((state) => state.kind === 'lost' && state.attempt === 3);
  await server.startAgain();
  await watch.next(isLive);
  admin = await connectAdmin();
  const { rows } = await admin.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = 'poolguard'`,
  );
  const lost = watch.states.flatMap((state) =>
    state.kind === 'lost' ? [[state.failure.kind, state.retryInMs]] : [],
  );
  expect(rows).toHaveLength(1);
  expect(lost.slice(0, 3)).toEqual([
    ['lost', 500],
    ['unreachable', 1_000],
    ['unreachable', 2_000],
  ]);
});

describe('a network that passes nothing on', () => {
  /** Between us and the server. */
  async function relayed() {
    const relay = await startRelay(server.port);
    url = url.replace(`:${server.port}/`, `:${relay.port}/`);
    return relay;
  }

  test('is lost by the time limits, and comes back', async () => {
    const relay = await relayed();
    await using watch = await live({ statementTimeoutMs: 300, connectTimeoutMs: 2_000 });
    relay.freeze();
    expect(await watch.until(isLost)).toMatchObject({ failure: { kind: 'timeout' } });
    expect(await watch.until(isRefused)).toMatchObject({
      failure: {
        sentence: expect.stringMatching(/accepted the connection but did not respond/) as string,
      },
    });
    relay.thaw();
    watch.poller.refresh();
    await watch.next(isLive);
    await watch.poller.stop();
    await relay.stop();
  });

  test('leaves no session behind: the server ends one of which it hears nothing', async () => {
    const relay = await relayed();
    await using watch = await live({ idleSessionTimeoutMs: 300 });
    relay.freeze();
    await expectNoSessionOfOurs();
    await relay.stop();
    await watch.poller.stop();
  });
});
