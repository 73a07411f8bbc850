import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../src/probe/random.ts';
import { correctionOf, trustIn } from '../../../../src/probe/size/contention.ts';
import type { SliceLoad } from '../../../../src/probe/size/slice.ts';
import { estimatePick } from '../../../../src/probe/size/statistics.ts';
import {
  calm,
  makeContendedSlices,
  throughputAlone,
  type Machine,
} from '../../../support/synthetic-slices.ts';

const alone: SliceLoad = {
  ...calm,
  cores: 2,
  ownCores: 0.1,
  foreignCores: 0,
  backendCores: 1.9,
  waiting: { backends: 0, probe: 0 },
};

test.each<readonly [string, number, Partial<SliceLoad>, number]>([
  [
    'nobody else works, however long our own line is',
    32,
    { waiting: { backends: 30, probe: 0 } },
    1,
  ],
  [
    'a backend gets two thirds of a core',
    1,
    { backendCores: 0.6, ownCores: 0.06, foreignCores: 1.3, waiting: { backends: 0.32, probe: 0 } },
    1.47,
  ],
  [
    'many backends get what others leave',
    32,
    { backendCores: 1.4, foreignCores: 0.5, waiting: { backends: 30, probe: 0 } },
    4 / 3,
  ],
  [
    'a host takes a fifth of the cores',
    32,
    { backendCores: 1.5, stolenCores: 0.4, waiting: { backends: 30, probe: 0 } },
    1.25,
  ],
  [
    'a statement waits for something else',
    32,
    { backendCores: 0.05, foreignCores: 1.8, waiting: { backends: 0.1, probe: 0.1 } },
    1.01,
  ],
  [
    'one client waits for the thread of the probe',
    1,
    { backendCores: 0.2, foreignCores: 1.5, waiting: { backends: 0, probe: 0.5 } },
    2,
  ],
  [
    'that thread is full',
    32,
    { backendCores: 0.5, ownCores: 0.8, foreignCores: 0.7, waiting: { backends: 1, probe: 0.2 } },
    1.25,
  ],
  [
    'everything waits',
    1,
    {
      backendCores: 0.02,
      ownCores: 0.01,
      foreignCores: 1.9,
      waiting: { backends: 0.97, probe: 0 },
    },
    4,
  ],
  [
    'the backends are out of sight',
    8,
    { foreignCores: null, backendCores: null, waiting: null },
    1,
  ],
  ['an older version measured it', 8, { foreignCores: 1.5, waiting: null }, 1],
])('a slice is corrected for others: %s', (_, size, load, factor) => {
  expect(Math.exp(correctionOf({ size, load: { ...alone, ...load } }))).toBeCloseTo(factor, 1);
});

test('the more a slice is corrected, the less it weighs', () => {
  expect(trustIn(0)).toBe(1);
  expect(trustIn(0.25)).toBeCloseTo(0.5);
  expect(trustIn(1)).toBeLessThan(0.1);
});

const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const machines: Readonly<Record<string, Machine>> = {
  'a statement on two cores': { cores: 2, cpuMs: 2, clientMs: 0.1, waitMs: 0 },
  'a statement on four cores': { cores: 4, cpuMs: 3, clientMs: 0.1, waitMs: 0 },
  'a point select': { cores: 2, cpuMs: 0.6, clientMs: 0.4, waitMs: 0 },
  'a statement that reads a disk': { cores: 2, cpuMs: 1, clientMs: 0.1, waitMs: 4 },
  'a lock': { cores: 2, cpuMs: 0.2, clientMs: 0.1, waitMs: 5, places: 1 },
  'a pooler with six backends': { cores: 2, cpuMs: 0.2, clientMs: 0.1, waitMs: 10, places: 6 },
};
const seeds = 24;

describe.each([
  [0, false, 8, 1.5],
  [0.3, false, 10, 1.5],
  [0.3, true, 10, 1.5],
  [0.6, false, 10, 2],
  [0.6, true, 10, 2],
  [0.9, false, 10, 3],
  [0.9, true, 10, 3],
] as const)(
  'where others want %f of the cores (in bursts: %s), after %i rounds',
  (others, inBursts, rounds, widest) => {
    const runs = Object.entries(machines).flatMap(([name, machine]) => {
      const throughputs = throughputAlone(machine, sizes);
      const best = Math.max(...throughputs);
      const smallest = (share: number) =>
        sizes[throughputs.findIndex((each) => each >= share * best)] ?? 0;
      return Array.from({ length: seeds }, (_, seed) => {
        const slices = makeContendedSlices({ ...machine, sizes, rounds, others, inBursts, seed });
        const { pick, interval, confidence } = estimatePick(slices, createRandom(seed), 150);
        const [low, high] = interval;
        return {
          name,
          confidence,
          width: high / low,
          // A size that reaches nearly or hardly nine tenths is as good an answer as the next one.
          isHeld: low <= smallest(0.92) && high >= smallest(0.88),
          isRight: pick >= smallest(0.88) && pick <= 2 * smallest(0.92),
        };
      });
    });
    const shareOf = (isSo: (run: (typeof runs)[number]) => boolean) =>
      runs.filter(isSo).length / runs.length;

    test(`the interval holds the answer in nine of ten of ${runs.length} runs`, () => {
      expect(shareOf(({ isHeld }) => isHeld)).toBeGreaterThanOrEqual(0.9);
    });

    test('hardly any wrong answer is confident', () => {
      expect(shareOf(({ isRight, confidence }) => !isRight && confidence >= 0.9)).toBeLessThan(
        0.02,
      );
    });

    test(`half of the intervals reach no further than ${widest} times their start`, () => {
      expect(shareOf(({ width }) => width <= widest)).toBeGreaterThanOrEqual(0.5);
    });
  },
);
