import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/activity/clock.ts';
import { startPoller, type Poller, type PollerState } from '../../src/activity/poller.ts';
import { consoleOf, createPoolerSource } from '../../src/database/pooler-console.ts';
import { Secret } from '../../src/database/secret.ts';
import { parseTarget, type ConnectionTarget } from '../../src/database/target.ts';
import { findPoolerConcerns } from '../../src/pooler/pooler-concern.ts';
import type { PoolerReport } from '../../src/pooler/pooler-report.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { createStateLog, type StateLog } from '../support/state-log.ts';

let database: OwnedDatabase;
let pooler: PgBouncer;
let poller: Poller | undefined;
const clients: pg.Client[] = [];
const settings = {
  stats_users: 'watcher',
  admin_users: 'keeper',
  max_client_conn: 50,
  query_wait_timeout: 90,
};

beforeAll(async () => {
  database = await createOwnedDatabase();
  pooler = await startPgBouncer(database.url, 2, { settings });
});

afterEach(async () => {
  await poller?.stop();
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
});

afterAll(async () => {
  await pooler[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function targetOf(url: string): ConnectionTarget {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return parsed.target;
}

function source(user: string, url = pooler.url, password?: string) {
  return createPoolerSource(
    consoleOf(targetOf(url), user),
    password === undefined ? null : new Secret(password),
    { wantsSockets: () => true, now: () => new Date(), elapsed: () => systemClock.now() },
  );
}

async function look(
  user: string,
  url = pooler.url,
  password?: string,
): Promise<PoolerReport | string> {
  const opened = await source(user, url, password).open(new AbortController().signal);
  if (opened.kind === 'failed') return opened.failure.sentence;
  const answer = await opened.reader.read();
  await opened.reader.close();
  return answer.kind === 'report' ? answer.report : answer.failure.sentence;
}

async function report(user = 'watcher'): Promise<PoolerReport> {
  const answer = await look(user);
  if (typeof answer === 'string') throw new Error(answer);
  return answer;
}

function watchWith(user: string): StateLog<PollerState<PoolerReport>> {
  const log = createStateLog<PollerState<PoolerReport>>();
  poller = startPoller({
    source: source(user),
    clock: systemClock,
    onState: log.add,
    intervalMs: 20,
  });
  return log;
}

async function client(application: string): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: pooler.url, application_name: application });
  made.on('error', () => undefined);
  await made.connect();
  clients.push(made);
  return made;
}

test('an idle pooler: what it is, its limits, and nobody waiting', async () => {
  await (await client('api')).query('SELECT 1');
  const { pooler: facts, totals, pools, clients: sockets } = await report();
  const { port } = targetOf(pooler.url);
  expect(facts).toMatchObject({
    product: 'PgBouncer',
    version: expect.stringMatching(/^1\.\d+/) as string,
    host: '127.0.0.1',
    port,
    user: 'watcher',
  });
  expect(facts.limits).toMatchObject({
    maxClients: 50,
    defaultPoolSize: 2,
    mode: 'transaction',
    queryWaitTimeoutMs: 90_000,
  });
  expect(totals).toMatchObject({
    clientsActive: 1,
    clientsWaiting: 0,
    serversActive: 0,
    longestWaitMs: 0,
  });
  expect(pools).toMatchObject([{ size: 2, mode: 'transaction', cancelRequests: 0 }]);
  expect(sockets).toMatchObject([
    { state: 'active', application: 'api', waitMs: null, address: '127.0.0.1' },
  ]);
});

test('saturated by ten clients in transactions: who waits, since when, and on what', async () => {
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, index) => client(`worker-${index}`)),
  );
  const begun = all.map((each) => each.query('BEGIN').catch(() => undefined));
  await Promise.race(begun);
  await expect
    .poll(async () => (await report()).totals)
    .toMatchObject({ clientsActive: 2, clientsWaiting: 8, serversActive: 2, serversFree: 0 });
  await expect.poll(async () => (await report()).totals.longestWaitMs).toBeGreaterThan(1_100);
  const saturated = await report('keeper');
  expect(saturated.clients?.filter(({ state }) => state === 'waiting')).toHaveLength(8);
  expect(saturated.clients?.filter(({ waitMs }) => waitMs !== null && waitMs > 1_000)).toHaveLength(
    8,
  );
  expect(saturated.servers).toHaveLength(2);
  const linked = saturated.clients?.filter(({ link }) =>
    saturated.servers?.some(({ id }) => id === link),
  );
  expect(linked).toHaveLength(2);
  const [concern] = findPoolerConcerns(saturated);
  expect(concern).toMatchObject({ kind: 'clients-wait', severity: 'warning' });
  expect(concern?.sentence).toMatch(
    /^8 clients wait for a server connection, the longest for 1\.\d s: all 2 of the pool are in use\. After 1 min 30 s the pooler disconnects it\.$/,
  );
  for (const each of all) each.connection.stream.destroy();
});

describe('who may look', () => {
  test('a role in neither list is told which one to join, a wrong password is named as such', async () => {
    await using strict = await startPgBouncer(database.url, 2, {
      settings: { stats_users: 'watcher' },
      users: { watcher: 'watchword', stranger: 'password' },
    });
    expect(await look('stranger', strict.url, 'password')).toMatch(
      /denied "stranger" access to its console\. Add the role to stats_users/,
    );
    expect(await look('watcher', strict.url, 'guessed')).toMatch(
      /rejected the password of "watcher" for its console/,
    );
    expect(await look('nobody', strict.url, 'guessed')).toMatch(
      /rejected the password of "nobody" for its console/,
    );
    expect(await look('watcher', strict.url, 'watchword')).toMatchObject({
      pooler: { user: 'watcher' },
    });
  });

  test('PostgreSQL itself has no console', async () => {
    const { username, password } = new URL(database.url);
    const direct = parseTarget(database.url);
    if (direct.kind === 'problem') throw new Error(direct.sentence);
    const opened = await createPoolerSource(consoleOf(direct.target, username), direct.secret, {
      wantsSockets: () => false,
      now: () => new Date(),
      elapsed: () => systemClock.now(),
    }).open(new AbortController().signal);
    expect(opened).toMatchObject({
      kind: 'failed',
      failure: {
        kind: 'no-such-database',
        sentence: expect.stringContaining('There is no pooler console at 127.0.0.1') as string,
      },
    });
    expect(JSON.stringify(opened)).not.toContain(password);
  });
});

test('a pooler that restarts is lost, and comes back by itself', async () => {
  const log = watchWith('watcher');
  const first = await log.until(({ kind }) => kind === 'live');
  expect(first).toMatchObject({ report: { pooler: { product: 'PgBouncer' } } });
  const { port } = targetOf(pooler.url);
  await pooler[Symbol.asyncDispose]();
  expect(await log.next(({ kind }) => kind === 'lost')).toMatchObject({
    report: { schemaVersion: 1 },
    failure: { sentence: expect.stringContaining(`127.0.0.1:${port}`) as string },
  });
  pooler = await startPgBouncer(database.url, 2, { settings, port });
  expect(await log.next(({ kind }) => kind === 'live')).toMatchObject({
    report: { totals: { clientsWaiting: 0 } },
  });
});
