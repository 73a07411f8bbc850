import { expect, test } from 'vitest';
import type { Report } from '../../../monitor/report.ts';
import { kept, nextRunningApps, type RunningEvent } from '../../../src/running/running-apps.ts';
import type { RunningApp, RunningApps, RunningPool } from '../../../src/running/running-app.ts';
import {
  heldSince,
  hello,
  lookAt,
  mistakeAt,
  place,
  watchedPool,
} from '../../support/monitor-reports.ts';

const poolTold: Report = { kind: 'pool', pool: watchedPool() };

function after(events: readonly RunningEvent[], key = 'a', before: RunningApps = []): RunningApps {
  return events.reduce(
    (apps, event, index) => nextRunningApps(apps, key, event, 10_000 + index),
    before,
  );
}

function onlyApp(apps: RunningApps): RunningApp {
  const [app, ...others] = apps;
  if (app === undefined || others.length > 0)
    throw new Error(`There are ${apps.length} applications.`);
  return app;
}

function onlyPool(apps: RunningApps): RunningPool {
  const [pool, ...others] = onlyApp(apps).pools;
  if (pool === undefined || others.length > 0) throw new Error('There is not one pool.');
  return pool;
}

test('an application is named by its script and folder', () => {
  expect(onlyApp(after([hello]))).toMatchObject({
    key: 'a',
    pid: 4711,
    parentPid: 4700,
    name: 'server.js (orders)',
    pools: [],
    broken: null,
    end: null,
  });
  expect(
    onlyApp(after([{ ...hello, script: 'C:\\shop\\server.js', folder: 'C:\\shop\\' }])).name,
  ).toBe('server.js (shop)');
  expect(onlyApp(after([{ ...hello, script: '', folder: '/' }])).name).toBe('node');
});

test('the last look counts, the last 120 are kept, and checkouts add up', () => {
  const looks = Array.from({ length: 130 }, (_, index): Report => ({
    kind: 'look',
    look: lookAt(index, { waiting: index, acquired: 2, failed: 1 }),
  }));
  const pool = onlyPool(after([hello, poolTold, ...looks]));
  expect(pool.look?.waiting).toBe(129);
  expect([pool.history.length, pool.history[0]?.at, pool.history.at(-1)?.at]).toEqual([
    kept.looks,
    10,
    129,
  ]);
  expect([pool.acquired, pool.failed]).toEqual([260, 130]);
});

test('what is held stays until it is returned, the longest first', () => {
  const held = [heldSince(3_000), heldSince(2_000)].map((each): Report => ({
    kind: 'held',
    held: each,
  }));
  const pool = onlyPool(after([hello, poolTold, ...held, ...held]));
  expect(pool.held.map(({ since }) => since)).toEqual([2_000, 3_000]);
  expect(
    onlyPool(
      after([
        hello,
        poolTold,
        ...held,
        { kind: 'returned', pool: 1, checkout: 2_000, forMs: 9_000 },
      ]),
    ).held.map(({ since }) => since),
  ).toEqual([3_000]);
});

test('mistakes of one kind at one place are one, the latest first', () => {
  const elsewhere = mistakeAt(30, { misusedAt: [place('/srv/orders/src/other.ts', 1)] });
  const mistakes = [
    mistakeAt(10),
    mistakeAt(20),
    elsewhere,
    mistakeAt(40, { mistake: 'use-after-release' }),
  ].map((mistake): Report => ({ kind: 'mistake', mistake }));
  const pool = onlyPool(after([hello, poolTold, ...mistakes]));
  expect(
    pool.mistakes.map(({ mistake, at, firstAt, count }) => [mistake, firstAt, at, count]),
  ).toEqual([
    ['use-after-release', 40, 40, 1],
    ['double-release', 30, 30, 1],
    ['double-release', 10, 20, 2],
  ]);
});

test('mistakes without stacks are one a kind', () => {
  const mistakes = [1, 2, 3].map((at): Report => ({
    kind: 'mistake',
    mistake: mistakeAt(at, { acquiredAt: [], releasedAt: [], misusedAt: [] }),
  }));
  expect(
    onlyPool(after([hello, poolTold, ...mistakes])).mistakes.map(({ count }) => count),
  ).toEqual([3]);
});

test('an alert stands until the figure is on the right side of its threshold again', () => {
  const alert: Report = {
    kind: 'alert',
    pool: 1,
    alert: 'waiting',
    isOver: true,
    value: 21,
    threshold: 20,
  };
  expect(onlyPool(after([hello, poolTold, alert, alert])).alerts).toEqual(['waiting']);
  expect(onlyPool(after([hello, poolTold, alert, { ...alert, isOver: false }])).alerts).toEqual([]);
  expect(onlyPool(after([hello, poolTold, alert, { kind: 'ended', pool: 1 }]))).toMatchObject({
    alerts: [],
    isEnded: true,
  });
});

test('what pool.end() waits for is shown when it is told as held, and gone when it comes back', () => {
  const ending: Report = { kind: 'ending', pool: 1, out: [heldSince(5)] };
  expect(onlyPool(after([hello, poolTold, ending]))).toMatchObject({ held: [], isEnded: false });
  expect(
    onlyPool(after([hello, poolTold, ending, { kind: 'held', held: heldSince(5) }])).held,
  ).toHaveLength(1);
  expect(
    onlyPool(
      after([
        hello,
        poolTold,
        { kind: 'held', held: heldSince(5) },
        ending,
        { kind: 'returned', pool: 1, checkout: 5, forMs: 9_000 },
      ]),
    ).held,
  ).toEqual([]);
});

test('a pool that is told again, with another max, keeps what is known of it', () => {
  const pool = onlyPool(
    after([
      hello,
      poolTold,
      { kind: 'look', look: lookAt(1) },
      { kind: 'pool', pool: watchedPool({ max: 20 }) },
    ]),
  );
  expect([pool.pool.max, pool.history.length]).toEqual([20, 1]);
});

test('what is said of an unknown thread or pool changes nothing', () => {
  const apps = after([hello, poolTold]);
  expect(nextRunningApps(apps, 'b', { kind: 'look', look: lookAt(1) }, 1)).toBe(apps);
  expect(nextRunningApps(apps, 'b', { kind: 'gone' }, 1)).toBe(apps);
  expect(nextRunningApps(apps, 'a', { kind: 'look', look: lookAt(1, { pool: 9 }) }, 1)).toBe(apps);
});

test('an application that exits stays as ended, with what never came back', () => {
  const app = onlyApp(
    after([hello, poolTold, { kind: 'exit', out: [heldSince(5)] }, { kind: 'gone' }]),
  );
  expect(app.end).toEqual({ at: 10_002, wasTold: true, out: [heldSince(5)] });
});

test('of an application that is killed, what was held stays known', () => {
  const app = onlyApp(
    after([hello, poolTold, { kind: 'held', held: heldSince(5) }, { kind: 'gone' }]),
  );
  expect(app.end).toEqual({ at: 10_003, wasTold: false, out: [heldSince(5)] });
});

test('a program that never had a pool is forgotten when it is gone', () => {
  expect(after([hello, { kind: 'gone' }])).toEqual([]);
});

test('the last two that ended are kept', () => {
  const ends = ['a', 'b', 'c'].reduce(
    (apps, key) =>
      after([{ ...hello, script: key }, poolTold, { kind: 'gone' }], key, apps).map((each) =>
        each.key === key && each.end !== null
          ? { ...each, end: { ...each.end, at: key.charCodeAt(0) } }
          : each,
      ),
    [] as RunningApps,
  );
  expect(ends.map(({ key }) => key)).toEqual(['b', 'c']);
});

test('an application that starts again takes the place of its last run, unless that one has something to tell', () => {
  const quiet = after([hello, poolTold, { kind: 'exit', out: [] }, { kind: 'gone' }]);
  expect(after([hello], 'b', quiet).map(({ key }) => key)).toEqual(['b']);
  const leaky = after([hello, poolTold, { kind: 'exit', out: [heldSince(5)] }, { kind: 'gone' }]);
  expect(after([hello], 'b', leaky).map(({ key }) => key)).toEqual(['a', 'b']);
});
