import { expect, test } from 'vitest';
import type { PoolLook, Report } from '../../../../monitor/report.ts';
import { describeHeld } from '../../../../src/sweep/sweep-notes.ts';
import { createPoolWatch, type PoolWatch } from '../../../../src/sweep/watch/pool-watch.ts';

const look: PoolLook = {
  pool: 1,
  at: 0,
  total: 2,
  idle: 0,
  waiting: 0,
  max: 2,
  peakWaiting: 0,
  acquired: 0,
  failed: 0,
  wait: null,
  hold: null,
};

function watchOf(reports: readonly Report[]): PoolWatch {
  const watch = createPoolWatch(() => 9000);
  watch.onReport('app-1', {
    kind: 'hello',
    version: 1,
    token: '',
    pid: 7,
    parentPid: 1,
    threadId: 0,
    script: '/shop/server.mjs',
    folder: '/shop',
    node: 'v24',
    startedAt: 0,
  });
  watch.onReport('app-1', {
    kind: 'pool',
    pool: {
      id: 1,
      name: 'pool 1',
      applicationName: null,
      host: null,
      port: null,
      database: null,
      max: 2,
      connectionTimeoutMs: null,
      driverVersion: null,
      madeAt: null,
    },
  });
  for (const report of reports) watch.onReport('app-1', report);
  return watch;
}

function held(checkout: number, line: number): Report {
  return {
    kind: 'held',
    held: {
      pool: 1,
      checkout,
      since: 2000,
      backendPid: null,
      clientPort: null,
      acquiredAt: [{ file: '/shop/server.mjs', line, column: 3, function: null }],
    },
  };
}

test.each([
  ['callers who wait', { ...look, idle: 2, waiting: 3, peakWaiting: 12 }, [1, 12]],
  ['clients that are out', look, [1, 0]],
  ['nothing', { ...look, idle: 2 }, [0, null]],
])('a pool with %s', (_what, next, seen) => {
  const watch = watchOf([]);
  watch.begin();
  watch.onReport('app-1', { kind: 'look', look: next });
  expect([watch.seen().pools, watch.seen().peakWaiting]).toEqual(seen);
});

test('a pool that lost its clients before the load, and has nothing new to tell, is used', () => {
  const watch = watchOf([
    { kind: 'look', look: { ...look, acquired: 2, waiting: 5, peakWaiting: 8 } },
  ]);
  watch.begin();
  expect(watch.seen()).toMatchObject({
    pools: 1,
    max: 2,
    peakTotal: 2,
    peakWaiting: 5,
    hold: null,
  });
});

test('the line that keeps all clients is named', () => {
  const seen = watchOf([held(1, 5), held(2, 5)]).seen().held;
  expect(seen === null ? null : describeHeld(seen, '/shop')).toBe(
    'All 2 clients of the pool were still checked out when the load ended (for up to 7 s), acquired at server.mjs:5: look there for a way on which a client is never released.',
  );
});

test('a single client that is out is none of several, and those that came back are not out', () => {
  expect(watchOf([held(1, 5)]).seen().held).toBeNull();
  expect(
    watchOf([
      held(1, 5),
      held(2, 5),
      { kind: 'returned', pool: 1, checkout: 1, forMs: 3000 },
    ]).seen().held,
  ).toBeNull();
});
