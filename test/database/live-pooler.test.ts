import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/activity/clock.ts';
import { consoleOf, createPoolerSource } from '../../src/database/pooler-console.ts';
import { parseTarget } from '../../src/database/target.ts';
import type { OpenConnection } from '../../src/editor/activity/live-connection.ts';
import { LivePooler, type PoolerWay } from '../../src/editor/pooler/live-pooler.ts';
import type { PoolerState } from '../../src/webview/to-pooler-page.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { createStateLog } from '../support/state-log.ts';

let database: OwnedDatabase;
let bouncer: PgBouncer;
let stop: (() => Promise<void>) | undefined;
let user = 'watcher';

beforeAll(async () => {
  database = await createOwnedDatabase();
  bouncer = await startPgBouncer(database.url, 2, { settings: { stats_users: 'watcher' } });
});

afterEach(() => stop?.());

afterAll(async () => {
  await bouncer[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function start() {
  const log = createStateLog<PoolerState>();
  let opened = 0;
  const pooler: LivePooler = new LivePooler({
    chooseRole: ({ target }) => Promise.resolve({ target: consoleOf(target, user), secret: null }),
    createSource: (console, secret) => {
      const source = createPoolerSource(console, secret, {
        wantsSockets: () => false,
        now: () => new Date(),
        elapsed: () => systemClock.now(),
      });
      return {
        open: (signal) => {
          opened += 1;
          return source.open(signal);
        },
      };
    },
    clock: systemClock,
    onChange: () => log.add(pooler.state),
    onError: () => undefined,
  });
  stop = () => pooler.stop();
  return { pooler, log, opened: () => opened };
}

function way(change: Partial<PoolerWay> = {}): PoolerWay {
  const parsed = parseTarget(bouncer.url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const open: OpenConnection = { target: parsed.target, secret: null };
  return { open, isPooled: true, isPausedByUser: false, intervalSeconds: 0.05, ...change };
}

test('nothing is asked while nobody knows of a pooler, nor where there is none', () => {
  const { pooler, opened } = start();
  pooler.setWatched(true);
  expect(pooler.state).toEqual({ kind: 'unknown' });
  pooler.follow(way({ isPooled: undefined }));
  expect(pooler.state).toEqual({ kind: 'unknown' });
  pooler.follow(way({ isPooled: false }));
  expect(pooler.state).toEqual({ kind: 'direct' });
  expect(opened()).toBe(0);
});

test('a pooler is looked at while somebody watches, and no longer', async () => {
  user = 'watcher';
  const { pooler, log, opened } = start();
  const through = way();
  pooler.follow(through);
  expect(opened()).toBe(0);
  pooler.setWatched(true);
  expect(await log.until(({ kind }) => kind === 'live')).toMatchObject({
    model: { report: { pooler: { product: 'PgBouncer' } } },
  });
  await log.next((state) => state.kind === 'live' && state.model.waiting.length > 2);
  const paused = log.next(({ kind }) => kind === 'paused');
  pooler.follow({ ...through, isPausedByUser: true });
  expect(await paused).toMatchObject({ model: { report: { schemaVersion: 1 } } });
  const back = log.next(({ kind }) => kind === 'live');
  pooler.follow(through);
  await back;
  expect(opened()).toBe(2);
  pooler.follow(way({ open: undefined, isPooled: undefined }));
  expect(pooler.state).toEqual({ kind: 'unknown' });
});

test('a console that is closed to the role is asked once, and again with another', async () => {
  await using strict = await startPgBouncer(database.url, 2, {
    settings: { stats_users: 'watcher', auth_type: 'trust' },
    users: { watcher: '', stranger: '' },
  });
  user = 'stranger';
  const { pooler, log, opened } = start();
  pooler.setWatched(true);
  const parsed = parseTarget(strict.url);
  pooler.follow(way({ open: parsed.kind === 'target' ? parsed : undefined }));
  expect(await log.until(({ kind }) => kind === 'closed')).toMatchObject({
    isForRole: true,
    sentence: expect.stringContaining('stats_users') as string,
  });
  pooler.refresh();
  expect(opened()).toBe(1);
  user = 'watcher';
  pooler.retry();
  await log.until(({ kind }) => kind === 'live');
  expect(opened()).toBe(2);
  await pooler.stop();
});
