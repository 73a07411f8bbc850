import { describe, expect, test } from 'vitest';
import { listSizes, planSlices } from '../../../../src/probe/size/plan.ts';

test.each([
  [32, false, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]],
  [20, false, [1, 2, 3, 4, 6, 8, 12, 16, 20]],
  [17, false, [1, 2, 3, 4, 6, 8, 12, 16]],
  [2, false, [1, 2]],
  [32, true, [1, 2, 4, 8, 16, 32]],
])('sizes up to %i, coarse: %s', (cap, isCoarse, sizes) => {
  expect(listSizes(cap, isCoarse)).toEqual(sizes);
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
    expect(plan.expectedMs).toBeLessThanOrEqual(meanMs <= 20 ? 15_500 : meanMs <= 120 ? 20_000 : 25_000);
  });

  test.each([
    ['a slow statement', 80, 15_000],
    ['a short time', 1, 6000],
  ])('%s is measured at fewer sizes', (_, meanMs, totalMs) => {
    expect(planSlices(32, meanMs, { totalMs, validationMs: 1000 })).toMatchObject({ plan: { sizes: [1, 2, 4, 8, 16, 32] } });
  });

  test('refuses a statement that is too slow, and offers the formula', () => {
    expect(planSlices(32, 800, budget)).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(/800 ms.*max = .* × 0\.80 s × 1\.2/) as string });
  });
});
