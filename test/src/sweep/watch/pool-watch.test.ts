import { expect, test } from 'vitest';
import type { CounterSample, Distribution, Report, Span } from '../../../../monitor/report.ts';
import { systemClock } from '../../../../src/probe/clock.ts';
import { describeHeld } from '../../../../src/sweep/sweep-notes.ts';
import { createPoolWatch, type PoolWatch } from '../../../../src/sweep/watch/pool-watch.ts';
import type { Asker } from '../../../../src/sweep/watch/span-cuts.ts';

const look: CounterSample = {
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

/** Monitors that answer a cut at once with these spans. */
function askerOf(watch: PoolWatch, spans: readonly Span[], keys = ['app-1']): Asker {
  return {
    clock: systemClock,
    signal: new AbortController().signal,
    listener: {
      cut: (cut) => {
        queueMicrotask(() => {
          for (const span of spans) watch.onReport('app-1', { kind: 'span', cut, span });
          watch.onReport('app-1', { kind: 'cut', cut });
        });
        return keys;
      },
    },
  };
}

const silent: Asker = {
  clock: systemClock,
  signal: AbortSignal.abort(),
  listener: { cut: () => ['app-1'] },
};

function distributionOf(...times: readonly number[]): Distribution {
  return {
    count: times.length,
    sumMs: times.reduce((sum, ms) => sum + ms, 0),
    maxMs: Math.max(...times),
    steps: times.toSorted((one, other) => one - other).map((ms) => [ms, 1] as const),
  };
}

test('waits and holds are those between the cuts, whatever looks tell of the time around them', async () => {
  const times = { count: 9, averageMs: 900, p50Ms: 900, p95Ms: 900, p99Ms: 900, maxMs: 900 };
  const watch = watchOf([{ kind: 'look', look: { ...look, acquired: 9, wait: times } }]);
  await watch.begin(askerOf(watch, [{ pool: 1, wait: distributionOf(900), hold: null }]));
  watch.onReport('app-1', { kind: 'look', look: { ...look, acquired: 9, wait: times } });
  const span = { pool: 1, wait: distributionOf(1, 3), hold: distributionOf(4, 6) };
  await watch.end(askerOf(watch, [span]));
  expect(watch.seen()).toMatchObject({ waits: [span.wait], holds: [span.hold], isWhole: true });
});

test('a monitor that does not answer leaves them unknown', async () => {
  const span = { pool: 1, wait: distributionOf(1, 3), hold: distributionOf(4, 6) };
  const late = watchOf([]);
  await late.begin(silent);
  late.onReport('app-1', { kind: 'look', look: { ...look, acquired: 9 } });
  await late.end(askerOf(late, [span]));
  expect(late.seen()).toMatchObject({ pools: 1, waits: [], isWhole: false });
  const stuck = watchOf([]);
  await stuck.begin(askerOf(stuck, []));
  stuck.onReport('app-1', { kind: 'look', look: { ...look, acquired: 9 } });
  await stuck.end(silent);
  expect(stuck.seen()).toMatchObject({ pools: 1, waits: [], isWhole: false });
});

test.each([
  ['callers who wait', { ...look, idle: 2, waiting: 3, peakWaiting: 12 }, [1, 12]],
  ['clients that are out', look, [1, 0]],
  ['nothing', { ...look, idle: 2 }, [0, null]],
])('a pool with %s', async (_what, next, seen) => {
  const watch = watchOf([]);
  await watch.begin(askerOf(watch, []));
  watch.onReport('app-1', { kind: 'look', look: next });
  expect([watch.seen().pools, watch.seen().peakWaiting]).toEqual(seen);
});

test('a pool that lost its clients before the load, and has nothing new to tell, is used', async () => {
  const watch = watchOf([
    { kind: 'look', look: { ...look, acquired: 2, waiting: 5, peakWaiting: 8 } },
  ]);
  await watch.begin(askerOf(watch, []));
  expect(watch.seen()).toMatchObject({
    pools: 1,
    max: 2,
    peakTotal: 2,
    peakWaiting: 5,
    holds: [],
  });
});

test('the line that keeps all clients is named', () => {
  const seen = watchOf([held(1, 5), held(2, 5)]).seen().held;
  expect(seen === null ? null : describeHeld(seen, '/shop')).toBe(
    'All 2 clients of the pool were still checked out when the load ended (for up to 7 s), acquired at server.mjs:5: look there for a path on which the client is never released.',
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
