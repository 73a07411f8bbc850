import { expect, test } from 'vitest';
import { calm, judgeAlert, type AlertState } from '../../../monitor/watch/sample-pool.ts';

const rule = { raiseAfterMs: 50, clearAfterMs: 1_000 };
const bad = { isBad: true, isWell: false };
const between = { isBad: false, isWell: false };
const well = { isBad: false, isWell: true };

/** At which times the alert is over, when a figure is judged at each of these. */
function course(steps: readonly (readonly [at: number, figure: typeof bad])[]): readonly boolean[] {
  let state: AlertState = calm;
  return steps.map(([at, figure]) => (state = judgeAlert(state, figure, at, rule)).isOver);
}

test('is raised when the figure stays over its threshold', () => {
  expect(
    course([
      [0, bad],
      [49, bad],
      [50, bad],
    ]),
  ).toEqual([false, false, true]);
});

test('a burst that is gone at the next look is no alert', () => {
  expect(
    course([
      [0, bad],
      [49, well],
      [60, bad],
      [100, well],
    ]),
  ).toEqual([false, false, false, false]);
});

test('a figure that swings about its threshold does not flap', () => {
  expect(
    course([
      [0, bad],
      [50, bad],
      [100, between],
      [150, bad],
      [1_300, between],
      [1_400, well],
      [1_500, bad],
      [2_600, between],
    ]),
  ).toEqual([false, true, true, true, true, true, true, true]);
});

test('is cleared when the figure stays well', () => {
  expect(
    course([
      [0, bad],
      [50, bad],
      [100, well],
      [1_099, well],
      [1_100, well],
    ]),
  ).toEqual([false, true, true, true, false]);
});
