import { expect, test } from 'vitest';
import { describeHeldUp, wasHeldUp } from '../../../../src/probe/safety/held-up.ts';

test.each([
  [150, 151, false],
  [150, 400, false],
  [600, 1400, false],
  [150, 3150, true],
  [500, 3500, true],
])('%i ms that took %i: held up is %s', (plannedMs, tookMs, expected) => {
  expect(wasHeldUp(plannedMs, tookMs)).toBe(expected);
});

test('the note says for how long', () => {
  expect(describeHeldUp(3040)).toMatch(/stood still for 3\.0 s/);
});
