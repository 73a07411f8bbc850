import { describe, expect, test } from 'vitest';
import { callersOf, closedLoop } from '../../../../src/probe/load/closed-loop.ts';
import { openLoop } from '../../../../src/probe/load/open-loop.ts';
import { erlangC } from '../../../../src/probe/advise/formulas.ts';
import { createRandom } from '../../../../src/probe/random.ts';
import { usersAt } from '../../../../src/probe/users/users-at.ts';
import { constant, exponential } from '../../../support/queue-server.ts';
import {
  createVirtualLender,
  type VirtualLenderOptions,
} from '../../../support/virtual-connections.ts';
import { createVirtualTime } from '../../../support/virtual-time.ts';

const never = new AbortController().signal;

function setUp(change: Partial<VirtualLenderOptions> = {}) {
  const time = createVirtualTime();
  const random = createRandom(3);
  return {
    time,
    random,
    source: createVirtualLender({ time, random, clients: 4, service: constant(10), ...change }),
  };
}

function sqlError(code: string): Error {
  return Object.assign(new Error('no'), { code });
}

describe('a closed loop', () => {
  test('of four callers for each client keeps the pool busy and the others in line', async () => {
    const { time, source } = setUp();
    const { load, samples, trouble } = await time.run(
      closedLoop({
        source,
        clock: time,
        signal: never,
        durationMs: 1000,
        callersAt: callersOf(16),
        thinkMs: 0,
      }),
    );
    expect(trouble).toBeNull();
    expect(load).toMatchObject({
      throughput: expect.closeTo(400, -1) as number,
      peakWaiting: 12,
      errors: {},
      dropped: 0,
      lagP99Ms: null,
    });
    expect(load.database?.averageMs).toBeCloseTo(10, 6);
    expect(Math.abs((load.wait?.averageMs ?? 0) - 30)).toBeLessThan(1);
    expect(load.latency?.p99Ms).toBeNull();
    expect(samples.length).toBeGreaterThan(10);
    expect(samples.at(3)).toMatchObject({ total: 4, idle: 0, waiting: 12 });
    expect(samples.reduce((sum, { answered }) => sum + answered, 0)).toBeLessThanOrEqual(
      load.requests,
    );
  });

  test('of users who pause asks as often as they can', async () => {
    const { time, source } = setUp({ clients: 10 });
    const { load } = await time.run(
      closedLoop({
        source,
        clock: time,
        signal: never,
        durationMs: 11_000,
        callersAt: callersOf(5),
        thinkMs: 100,
      }),
    );
    expect(load.requests).toBe(500);
    expect(load.peakWaiting).toBe(0);
  });

  test('follows the stages up and down', async () => {
    const { time, source } = setUp({ clients: 1000 });
    const stages = [
      { seconds: 10, users: 100 },
      { seconds: 10, users: 0 },
    ];
    const { load } = await time.run(
      closedLoop({
        source,
        clock: time,
        signal: never,
        durationMs: 20_000,
        callersAt: (ms) => usersAt(stages, ms),
        thinkMs: 90,
      }),
    );
    // 1,000 user seconds at ten requests a second, but for what begins at ticks.
    expect(load.requests).toBeGreaterThan(9_700);
    expect(load.requests).toBeLessThan(10_300);
  });

  test('keeps failures out of the times, and ends when there are too many', async () => {
    const { time, source } = setUp({
      failing: (statement) => (statement % 4 === 0 ? sqlError('40001') : undefined),
    });
    const { load, trouble } = await time.run(
      closedLoop({
        source,
        clock: time,
        signal: never,
        durationMs: 5000,
        callersAt: callersOf(4),
        thinkMs: 0,
      }),
    );
    expect(trouble).toMatch(/^2\d % of the requests failed \(\d+ × 40001\)\.$/);
    expect(load.seconds).toBeLessThan(1);
    expect(load.latency?.count).toBe(load.requests);
  });

  test('returns as soon as it is aborted, with what it has', async () => {
    const { time, source } = setUp({ service: constant(60_000) });
    const ending = new AbortController();
    time.at(500, () => ending.abort());
    const { load, trouble } = await time.run(
      closedLoop({
        source,
        clock: time,
        signal: ending.signal,
        durationMs: 5000,
        callersAt: callersOf(8),
        thinkMs: 0,
      }),
    );
    expect({
      seconds: load.seconds,
      requests: load.requests,
      errors: load.errors,
      trouble,
    }).toEqual({ seconds: 0.5, requests: 0, errors: {}, trouble: null });
  });
});

describe('an open loop', () => {
  test('makes the line that Erlang foretells', async () => {
    const { time, source, random } = setUp({ clients: 15, service: exponential(15) });
    const { load } = await time.run(
      openLoop({
        source,
        clock: time,
        random,
        signal: never,
        durationMs: 100_000,
        rate: 800,
        mostUnderWay: 10_000,
      }),
    );
    // Of those who wait, each does so for hold / (clients − offered) on average.
    const foretold = (erlangC(15, 12) * 15) / (15 - 12);
    expect(load.throughput).toBeCloseTo(800, -2);
    expect(load.dropped).toBe(0);
    expect(load.wait?.averageMs).toBeGreaterThan(0.8 * foretold);
    expect(load.wait?.averageMs).toBeLessThan(1.25 * foretold + 1);
    // Timers know milliseconds only, and an arrival is timed from its own moment.
    expect(load.lagP99Ms).toBeLessThanOrEqual(1);
    expect(load.latency?.averageMs).toBeCloseTo(
      (load.wait?.averageMs ?? 0) + (load.database?.averageMs ?? 0),
      6,
    );
  });

  test('counts who gives up waiting as a cause of its own, which is no trouble', async () => {
    const { time, source, random } = setUp({ waitLimitMs: 200 });
    const { load, trouble } = await time.run(
      openLoop({
        source,
        clock: time,
        random,
        signal: never,
        durationMs: 5000,
        rate: 800,
        mostUnderWay: 10_000,
      }),
    );
    expect(trouble).toBeNull();
    expect(Object.keys(load.errors)).toEqual(['wait-timeout']);
    expect(load.errors['wait-timeout']).toBeGreaterThan(1500);
    expect(load.wait?.maxMs).toBeLessThanOrEqual(201);
    expect(load.throughput).toBeGreaterThan(380);
  });

  test('drops what would be too much at once', async () => {
    const { time, source, random } = setUp();
    const { load } = await time.run(
      openLoop({
        source,
        clock: time,
        random,
        signal: never,
        durationMs: 2000,
        rate: 800,
        mostUnderWay: 50,
      }),
    );
    expect(load.dropped).toBeGreaterThan(600);
    expect(load.peakWaiting).toBe(46);
    expect(load.requests + load.dropped).toBeGreaterThan(1450);
  });
});

test.each([
  [0, 0],
  [5000, 5],
  [10_000, 10],
  [20_000, 20],
  [30_000, 30],
  [60_000, 60],
  [65_000, 80],
  [77_500, 125],
  [84_999, 150],
  [89_999, 75],
  [95_001, 0],
  [200_000, 0],
])('after %d ms the stages of the field report have %d users', (ms, users) => {
  const stages = [
    { seconds: 10, users: 10 },
    { seconds: 20, users: 30 },
    { seconds: 30, users: 60 },
    { seconds: 10, users: 100 },
    { seconds: 15, users: 150 },
    { seconds: 10, users: 0 },
  ];
  expect(usersAt(stages, ms)).toBeGreaterThanOrEqual(users - 1);
  expect(usersAt(stages, ms)).toBeLessThanOrEqual(users + 1);
});
