import { expect, test } from 'vitest';
import { pressKey, toOrder, type WatchChoice } from '../../../src/cli/watch-choice.ts';
import { sparkline } from '../../../src/cli/terminal-cells.ts';
import { sessionColumns } from '../../../src/activity/session-list.ts';

const start: WatchChoice = { intervalSeconds: 2, isPaused: false, listsAll: false, order: null };

function after(keys: string, from: WatchChoice = start): WatchChoice {
  return [...keys].reduce((choice, key) => {
    const answer = pressKey(key, choice);
    return answer.kind === 'choice' ? answer.choice : choice;
  }, from);
}

test.each<[string, Partial<WatchChoice>]>([
  ['p', { isPaused: true }],
  ['p ', {}],
  ['+', { intervalSeconds: 5 }],
  ['++++', { intervalSeconds: 10 }],
  ['----', { intervalSeconds: 1 }],
  ['s', { order: { column: 'pid', isDescending: false } }],
  ['sr', { order: { column: 'pid', isDescending: true } }],
  ['sss', { order: { column: 'state-age', isDescending: true } }],
  ['r', {}],
  ['a', { listsAll: true }],
  ['xyz', {}],
])('the keys %j', (keys, change) => {
  expect(after(keys)).toEqual({ ...start, ...change });
});

test('the columns end where they began', () => {
  expect(after('s'.repeat(sessionColumns.length + 1))).toEqual(start);
});

test('an interval that the command line chose is left by the next step', () => {
  expect(after('+', { ...start, intervalSeconds: 3 }).intervalSeconds).toBe(5);
  expect(after('-', { ...start, intervalSeconds: 30 }).intervalSeconds).toBe(10);
});

test.each([
  ['q', 'quit'],
  ['\u0003', 'quit'],
  ['l', 'look'],
  ['\u001B[A', 'nothing'],
  ['__proto__', 'nothing'],
])('%j: %s', (key, kind) => {
  expect(pressKey(key, start).kind).toBe(kind);
});

test('ages show the oldest first', () => {
  expect(
    [toOrder('transaction-age'), toOrder('application'), toOrder('pid')].map(
      ({ isDescending }) => isDescending,
    ),
  ).toEqual([true, false, false]);
});

test.each([
  [[], ''],
  [[0, 0], '▁▁'],
  [[0, 1, 2, 4, 8], '▁▂▃▅█'],
  [[9, 1, 1], '▁▁'],
])('the curve of %j', (values, curve) => {
  expect(sparkline(values, values[0] === 9 ? 2 : 20)).toBe(values[0] === 9 ? '██' : curve);
});
