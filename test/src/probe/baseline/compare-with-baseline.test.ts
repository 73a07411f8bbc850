import { describe, expect, test } from 'vitest';
import {
  compareWithBaseline,
  pairedRatio,
} from '../../../../src/probe/baseline/compare-with-baseline.ts';
import type { ComparisonKind } from '../../../../src/probe/baseline/comparison.ts';
import { createRandom } from '../../../../src/probe/random.ts';
import type { SizeResult } from '../../../../src/probe/result.ts';
import { estimatePick } from '../../../../src/probe/size/statistics.ts';
import { aLoad, foundTwo } from '../../../support/probe-result.ts';
import { makeSlices, type SyntheticCurve } from '../../../support/synthetic-slices.ts';

const sizes = [1, 2, 4, 6, 8, 16];

/** A run on a machine that rewards that many connections. */
function runOf(best: number, change: Partial<SyntheticCurve> = {}): SizeResult {
  const slices = makeSlices({
    sizes,
    rounds: 6,
    throughput: (size) => 100 * Math.min(size, best),
    ...change,
  });
  const { pick, interval, confidence, curve } = estimatePick(slices, createRandom(1));
  return {
    ...foundTwo,
    recommendation: {
      max: pick,
      interval,
      confidence,
      limitedBy: 'the measured curve',
      defaultPoolSize: null,
      connectionTimeoutMs: 5000,
    },
    goodSize: pick,
    sizes: curve.map((point) => ({ ...point, meanMs: 1, slices: 6 })),
    slices,
  };
}

function judge(baseline: SizeResult, current: SizeResult): ComparisonKind {
  return compareWithBaseline(baseline, current, createRandom(2)).verdict.kind;
}

describe('the judgement', () => {
  test('the same server on a day when the machine is four times as slow is unchanged', () => {
    expect(
      judge(runOf(6), runOf(6, { seed: 5, throughput: (size) => 25 * Math.min(size, 6) })),
    ).toBe('unchanged');
  });

  test('more is needed where the server rewards more connections now', () => {
    const { verdict, paired } = compareWithBaseline(
      runOf(4),
      runOf(8, { seed: 5 }),
      createRandom(2),
    );
    expect(verdict.kind).toBe('larger-needed');
    expect(paired?.ratio).toBeCloseTo(0.5, 1);
  });

  test('less is enough where fewer connections do the same', () => {
    expect(judge(runOf(8), runOf(2, { seed: 5 }))).toBe('smaller-is-enough');
  });

  test('less is better where the earlier size does harm now', () => {
    expect(
      judge(
        runOf(8),
        runOf(4, { seed: 5, throughput: (size) => (size <= 4 ? 100 * size : 800 / size) }),
      ),
    ).toBe('smaller-is-enough');
  });

  test('rounds that disagree judge nothing', () => {
    expect(judge(runOf(4), runOf(5, { seed: 5, noise: 0.5, rounds: 4 }))).toBe('too-noisy');
  });

  test('a run that gave no number judges nothing', () => {
    expect(
      judge(runOf(4), {
        ...runOf(4),
        verdict: { kind: 'too-noisy', because: 'Others are at work.' },
        recommendation: null,
        goodSize: null,
      }),
    ).toBe('too-noisy');
  });

  test('a baseline without a number is said to be none', () => {
    const { verdict } = compareWithBaseline(
      { ...runOf(4), recommendation: null, goodSize: null },
      runOf(4),
      createRandom(2),
    );
    expect(verdict).toEqual({
      kind: 'too-noisy',
      because: 'The baseline names no size, so there is nothing to hold against. Make a new one.',
    });
  });

  test('a size that never ran in the rounds of this run judges nothing', () => {
    expect(judge({ ...runOf(4), goodSize: 5 }, runOf(4))).toBe('too-noisy');
  });

  test('more failed requests are worse, whatever the throughput', () => {
    const failing = {
      ...runOf(4),
      validation: {
        max: 4,
        closed: { callers: 16, load: { ...aLoad, errors: { '53300': 100 } } },
        open: null,
      },
    };
    expect(judge(runOf(4), failing)).toBe('worse');
    expect(judge(failing, failing)).toBe('unchanged');
  });

  test('a max beyond what the server leaves to each pool is worse', () => {
    const limit = {
      kind: 'max_connections',
      name: 'max_connections',
      value: 40,
      perPool: 3,
      arithmetic: '(40 − 13) / 8 pools = 3',
    } as const;
    const { verdict } = compareWithBaseline(
      runOf(4),
      { ...runOf(4), limits: { pools: 8, limits: [limit], binding: limit } },
      createRandom(2),
    );
    expect(verdict).toEqual({
      kind: 'worse',
      because:
        'max 4 in each of 8 pools is beyond what max_connections leaves: (40 − 13) / 8 pools = 3.',
    });
  });
});

test('what the machine did to a round drops out of the ratio', () => {
  const slices = makeSlices({
    sizes: [2, 4],
    rounds: 8,
    noise: 0,
    throughput: (size) => size * 100,
  });
  const paired = pairedRatio(slices, 2, 4, createRandom(1));
  for (const value of [paired?.ratio, paired?.low, paired?.high]) expect(value).toBeCloseTo(0.5);
  expect(paired?.rounds).toBe(8);
});

test('the curve is compared as multiples of its smallest size', () => {
  const { scaling } = compareWithBaseline(
    runOf(4, { noise: 0 }),
    runOf(4, { noise: 0, seed: 9, throughput: (size) => 10 * Math.min(size, 2) }),
    createRandom(1),
  );
  expect(scaling.map(({ size, then, now }) => [size, Math.round(then), Math.round(now)])).toEqual([
    [1, 1, 1],
    [2, 2, 2],
    [4, 4, 2],
    [6, 4, 2],
    [8, 4, 2],
    [16, 4, 2],
  ]);
});

test('tells what differs beside the figures', () => {
  const current: SizeResult = {
    ...runOf(4),
    server: { ...foundTwo.server, version: '19.0' },
    workload: { ...foundTwo.workload, statements: [] },
  };
  expect(compareWithBaseline(runOf(4), current, createRandom(1)).differences).toEqual([
    'The baseline was measured with another workload.',
    'The server was PostgreSQL 18.4 then, and is 19.0 now.',
  ]);
});
