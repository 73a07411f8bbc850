import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../src/probe/random.ts';
import { createLanes } from '../../../../src/probe/size/lanes.ts';
import {
  aWorkload,
  measureQueue,
  type MeasuredQueueOptions,
} from '../../../support/measured-queue.ts';
import { constant, exponential, slowedBetween } from '../../../support/queue-server.ts';

const sleeping = { type: 'Timeout', event: 'PgSleep' };
const lock = { type: 'Lock', event: 'advisory' };

/** The share of the best that N clients of k random locks do: N / (N + k − 1) against that of the largest. */
function smallestGood(sizes: readonly number[], locks: number): number {
  const throughput = (size: number) => size / (size + locks - 1);
  return sizes.find((size) => throughput(size) >= 0.9 * throughput(sizes.at(-1) ?? 1)) ?? 0;
}

const grid = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

describe('a known answer is found, from end to end under a clock that jumps', () => {
  test.each<readonly [string, MeasuredQueueOptions, string, readonly number[], number]>([
    ...[1, 2, 4, 6, 10, 20].map(
      (places) =>
        [
          `a pooler of ${places} backends`,
          { meanMs: 5, places, service: constant(5), roundTripMs: 0.3, runsIn: sleeping },
          'found',
          [places],
          0.9,
        ] as const,
    ),
    ['two cores', { meanMs: 2, places: 2, service: exponential(2) }, 'found', [2], 0.9],
    ['four cores', { meanMs: 2, places: 4, service: exponential(2) }, 'found', [4], 0.9],
    [
      'a lock',
      { meanMs: 10, places: 1, service: constant(10), waitsFor: lock, runsIn: sleeping },
      'lock-bound',
      [1],
      0.9,
    ],
    [
      'a lock over a network',
      {
        meanMs: 6,
        places: 1,
        service: constant(5),
        roundTripMs: 1,
        waitsFor: lock,
        runsIn: sleeping,
      },
      'lock-bound',
      [2],
      0.9,
    ],
    [
      'four random locks',
      { meanMs: 2, places: 1, stations: 4, service: exponential(2), waitsFor: lock },
      'lock-bound',
      [smallestGood(grid, 4), smallestGood(grid, 4) - 2],
      0.3,
    ],
    [
      'nothing that keeps anybody waiting',
      { meanMs: 5, places: Infinity, service: constant(5), runsIn: sleeping },
      'not-saturated',
      [32],
      0.9,
    ],
    [
      'two cores that are slow for three seconds',
      { meanMs: 2, places: 2, service: slowedBetween(4000, 7000, 3, exponential(2)) },
      'found',
      [2, 3],
      0.6,
    ],
  ])('%s', async (_, options, kind, picks, sure) => {
    const { end, elapsedMs } = await measureQueue(options);
    if (end.kind !== 'decided' || end.decision.kind !== 'found')
      throw new Error(JSON.stringify(end));
    const { verdict, estimate } = end.decision;
    expect(picks).toContain(estimate.pick);
    expect(verdict.kind).toBe(kind);
    expect(estimate.confidence).toBeGreaterThan(sure);
    expect(elapsedMs).toBeLessThan(15_000);
  });
});

test('sizes that cannot be the answer are spared after two rounds, and 1, 2 and 3 never are', async () => {
  const { end } = await measureQueue({ meanMs: 2, places: 2, service: exponential(2) });
  if (end.kind !== 'decided') throw new Error(end.kind);
  const roundsOf = (size: number) =>
    new Set(end.evidence.slices.filter((slice) => slice.size === size).map(({ round }) => round))
      .size;
  const rounds = roundsOf(2);
  expect([roundsOf(1), roundsOf(3)]).toEqual([rounds, rounds]);
  expect([roundsOf(24), roundsOf(32)]).toEqual([2, 2]);
});

test.each([
  ['a slow lock, behind which all others stand in line', 400],
  ['a statement of a hundredth of a second behind a lock', 100],
])('the hard end holds for %s', async (_, serviceMs) => {
  const { end, elapsedMs } = await measureQueue({
    meanMs: serviceMs,
    places: 1,
    service: constant(serviceMs),
    waitsFor: lock,
    seconds: 15,
  });
  expect(end.kind).toBe('decided');
  expect(elapsedMs).toBeLessThanOrEqual(20_000);
});

test('a server on which everything fails stops the probe', async () => {
  const failed = { kind: 'failed', failure: { kind: 'statement', sentence: 'no', code: '22012' } };
  const change: MeasuredQueueOptions['change'] = (time) => {
    const session = {
      run: () => time.wait(1, new AbortController().signal).then(() => failed),
      settle: () => Promise.resolve(),
    } as never;
    return {
      lanes: createLanes({
        sessions: [session, session],
        workload: aWorkload,
        random: createRandom(1),
        clock: time,
      }),
    };
  };
  const { end } = await measureQueue({
    meanMs: 5,
    places: 1,
    service: constant(5),
    max: 2,
    change,
  });
  expect(end).toMatchObject({
    kind: 'stopped',
    sentence: expect.stringMatching(/100 % of its statements failed \(\d+ × 22012\)/) as string,
  });
});

test('a cancel ends it at once', async () => {
  const ending = new AbortController();
  const { end, elapsedMs } = await measureQueue({
    meanMs: 5,
    places: 1,
    service: constant(5),
    max: 4,
    change: (time) => (time.at(1234, () => ending.abort()), { signal: ending.signal }),
  });
  expect(end.kind).toBe('aborted');
  expect(elapsedMs).toBeLessThan(1400);
});
