import { describe, expect, test } from 'vitest';
import {
  allowTime,
  chooseSizes,
  listSizes,
  planSlices,
  shortenPlan,
} from '../../../../src/probe/size/plan.ts';

test.each([
  [32, 'fine', [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]],
  [20, 'fine', [1, 2, 3, 4, 6, 8, 12, 16, 20]],
  [17, 'fine', [1, 2, 3, 4, 6, 8, 12, 16]],
  [2, 'fine', [1, 2]],
  [32, 'coarse', [1, 2, 4, 8, 16, 32]],
  [32, 'sparse', [1, 4, 16, 32]],
] as const)('sizes up to %i, grid: %s', (cap, grid, sizes) => {
  expect(listSizes(cap, grid)).toEqual(sizes);
});

describe('planSlices', () => {
  const budget = { totalMs: 15_000, validationMs: 2500 };

  test.each([0.1, 1, 5, 20, 50, 120, 400])('a statement of %f ms fits its time', (meanMs) => {
    const answer = planSlices(32, meanMs, budget);
    if (answer.kind === 'refused') throw new Error(answer.sentence);
    const { plan } = answer;
    expect(plan.sliceMs).toBeGreaterThanOrEqual(150);
    expect(plan.sliceMs).toBeLessThanOrEqual(600);
    expect(plan.measuringMs).toBeGreaterThanOrEqual(plan.roundMs * 3);
    expect(plan.expectedMs).toBeLessThanOrEqual(meanMs <= 20 ? 15_500 : 20_000);
    expect(1200 + plan.hardMs + budget.validationMs).toBeLessThanOrEqual(20_000);
  });

  test.each([
    ['a slow statement', 80, 15_000],
    ['a short time', 1, 6000],
  ])('%s is measured at fewer sizes', (_, meanMs, totalMs) => {
    expect(planSlices(32, meanMs, { totalMs, validationMs: 1000 })).toMatchObject({
      plan: { sizes: [1, 2, 4, 8, 16, 32] },
    });
  });

  test('refuses a statement that is too slow, and offers the formula', () => {
    expect(planSlices(32, 800, budget)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringMatching(/800 ms.*max = .* × 0\.80 s × 1\.2/) as string,
    });
  });
});

describe('the sizes of the next round', () => {
  const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
  test.each<
    readonly [string, number, readonly [number, number], readonly number[], readonly number[]]
  >([
    ['sizes beyond four times the interval are spared', 2, [2, 2], sizes, [1, 2, 3, 4, 6, 8]],
    ['1, 2 and 3 never are', 1, [1, 1], sizes, [1, 2, 3, 4]],
    [
      'a gap below the leading size is halved',
      12,
      [8, 12],
      sizes,
      [1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32],
    ],
    ['but once only', 16, [8, 16], [...sizes, 10], [1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32]],
    [
      'an added size that leads needs no other',
      10,
      [8, 12],
      [...sizes, 10],
      [1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32],
    ],
    ['a curve that rises to its end is left as it is', 32, [32, 32], sizes, sizes],
  ])('%s', (_, pick, interval, measured, expected) => {
    expect(chooseSizes({ sizes }, measured, { pick, interval })).toEqual(expected);
  });
});

test('a late start takes its time from the rounds, never from the hard end', () => {
  const answer = planSlices(32, 1, { totalMs: 15_000, validationMs: 2500 });
  if (answer.kind === 'refused') throw new Error(answer.sentence);
  const { plan } = answer;
  expect(shortenPlan(plan, 2000)).toMatchObject({
    measuringMs: plan.measuringMs - 2000,
    hardMs: plan.hardMs - 2000,
  });
  expect(shortenPlan(plan, 10_000)).toMatchObject({
    measuringMs: plan.roundMs * 3,
    hardMs: plan.hardMs - 10_000,
  });
  expect(shortenPlan(plan, -500)).toEqual(plan);
});

test.each([
  ['a quiet machine', 0.1, 5, 15, null],
  ['others at 60 % of the processors', 0.6, 5, 45, /other programs use 60 % of the processors/],
  ['others at a third', 0.325, 5, 30, /other programs use 33 % of the processors/],
  ['a statement of 200 ms', 0, 200, 45, /the statement takes 200 ms/],
] as const)('the time follows the need: %s', (_, othersShare, meanMs, seconds, because) => {
  const time = allowTime({ seconds: 15, atMostSeconds: 45 }, { othersShare, meanMs });
  expect(time).toEqual({
    seconds,
    because: because === null ? null : (expect.stringMatching(because) as string),
  });
});

test('who gives a time gets no more', () => {
  expect(allowTime({ seconds: 20 }, { othersShare: 0.9, meanMs: 200 })).toEqual({
    seconds: 20,
    because: null,
  });
});
