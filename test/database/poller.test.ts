import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/activity/clock.ts';
import { startPoller, type Poller, type PollerState } from '../../src/activity/poller.ts';
import { createActivitySource } from '../../src/database/read-activity.ts';
import { parseTarget } from '../../src/database/target.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startRelay } from '../support/relay.ts';
import { createStateLog, type StateLog } from '../support/state-log.ts';

let database: FreshDatabase;
let watch: DatabaseWatch;
let poller: Poller | undefined;

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
});

afterEach(async () => {
  await poller?.stop();
  expect(await watch.sessions()).toEqual([]);
});

afterAll(async () => {
  await watch.close();
  await database.drop();
});

function start(
  url: string,
  options: { readonly intervalMs?: number; readonly signal?: AbortSignal } = {},
): StateLog<PollerState> {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const log = createStateLog<PollerState>();
  poller = startPoller({
    source: createActivitySource(parsed.target, parsed.secret),
    clock: systemClock,
    onState: log.add,
    intervalMs: 20,
    ...options,
  });
  return log;
}

async function ownPid(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'poolguard' AND datname = current_database()`,
  );
  await client.end();
  expect(rows).toHaveLength(1);
  return rows[0]?.pid ?? 0;
}

test('connects, then lives over one connection', async () => {
  const log = start(database.url);
  await log.until(({ kind }) => kind === 'live');
  const first = await ownPid();
  await log.next(({ kind }) => kind === 'live');
  expect(await ownPid()).toBe(first);
  expect(log.states[0]).toEqual({ kind: 'connecting' });
});

test('a connection killed on the server is a state, and comes back by itself', async () => {
  const log = start(database.url);
  await log.until(({ kind }) => kind === 'live');
  await asSuperuser(`SELECT pg_terminate_backend(${await ownPid()})`);
  const lost = await log.until(({ kind }) => kind === 'lost');
  expect(lost).toMatchObject({
    kind: 'lost',
    attempt: 1,
    retryInMs: 500,
    failure: { kind: 'lost' },
    report: { schemaVersion: 1 },
  });
  await log.until(
    (state) => state.kind === 'live' && log.states.indexOf(state) > log.states.indexOf(lost),
  );
});

test('a server that goes away and comes back', async () => {
  const url = new URL(database.url);
  const relay = await startRelay(Number(url.port));
  url.port = String(relay.port);
  const log = start(url.href);
  await log.until(({ kind }) => kind === 'live');
  await relay.stop();
  const gone = await log.until(
    (state) => state.kind === 'lost' && state.failure.kind === 'unreachable',
  );
  expect(gone).toMatchObject({
    attempt: 2,
    retryInMs: 1_000,
    failure: {
      sentence: `Connection refused: nothing listens on 127.0.0.1:${relay.port}. Start the server, or check the host and port.`,
    },
  });
  await relay.start();
  poller?.refresh();
  await log.next(({ kind }) => kind === 'live');
  await poller?.stop();
  await relay.stop();
  expect(log.states.map(({ kind }) => kind).join(' ')).toMatch(
    /^connecting (?:live )+lost lost (?:lost )*live/,
  );
});

test('pause closes the connection, resume opens another', async () => {
  const log = start(database.url);
  await log.until(({ kind }) => kind === 'live');
  poller?.pause();
  const paused = await log.next(({ kind }) => kind === 'paused');
  expect(paused).toMatchObject({ report: { schemaVersion: 1 } });
  expect(await watch.sessions()).toEqual([]);
  poller?.resume();
  await log.next(({ kind }) => kind === 'live');
  expect(log.states.filter(({ kind }) => kind === 'paused')).toHaveLength(1);
});

test('refresh looks at once, a new interval holds at once', async () => {
  const log = start(database.url, { intervalMs: 3_600_000 });
  await log.until(({ kind }) => kind === 'live');
  poller?.refresh();
  await log.next(({ kind }) => kind === 'live');
  poller?.setIntervalMs(10);
  await log.next(({ kind }) => kind === 'live');
  await log.next(({ kind }) => kind === 'live');
});

test('stop, by call or by signal, ends without another word', async () => {
  const controller = new AbortController();
  const log = start(database.url, { signal: controller.signal });
  await log.until(({ kind }) => kind === 'live');
  controller.abort();
  const { length } = log.states;
  await poller?.stop();
  expect(await watch.sessions()).toEqual([]);
  expect(log.states).toHaveLength(length);
});
