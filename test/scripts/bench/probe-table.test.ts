import { expect, test } from 'vitest';
import { fixtures, max } from '../../../scripts/bench/probe/fixtures.ts';
import { printTable } from '../../../scripts/bench/probe/print-table.ts';
import { toScore, type Run } from '../../../scripts/bench/probe/score.ts';

const aRun: Run = {
  fixture: 'pooler-4',
  run: 0,
  level: 'nothing else',
  pick: 4,
  confidence: 0.95,
  interval: [4, 6],
  isHeld: true,
  verdict: 'found',
  isRight: true,
  regret: 1,
  elapsedMs: 9000,
  foreignCores: 0.1,
};

test('a score tells refusals from mistakes, and the worst of each figure', () => {
  const score = toScore([
    aRun,
    { ...aRun, pick: 6, isRight: false, confidence: 0.4, elapsedMs: 12_000 },
    { ...aRun, pick: null, isRight: false, confidence: null, regret: null },
  ]);
  expect(score).toEqual({
    runs: 3,
    named: 2,
    rightShare: 0.5,
    confidenceWhenWrong: 0.4,
    regret: 1,
    picks: [4, 6],
    medianSeconds: 9,
    slowestSeconds: 12,
  });
});

test.each([
  ['pooler-10', [10], [8, 9, 12]],
  ['lock', [1, 2], [3]],
  ['locks-4', [16, 24], [8, 12]],
  ['sleep', [max], [24]],
])('%s: %o is right, and %o is not', (name, right, wrong) => {
  const fixture = fixtures.find((each) => each.name === name);
  expect(right.map((pick) => fixture?.isRight(pick))).toEqual(right.map(() => true));
  expect(wrong.map((pick) => fixture?.isRight(pick))).toEqual(wrong.map(() => false));
});

test('the table counts equal answers and names refusals', () => {
  const table = printTable({
    machine: 'a machine',
    measuredAt: '2026-01-02T00:00:00.000Z',
    runs: [aRun, { ...aRun, run: 1 }, { ...aRun, run: 2, pick: null, isRight: false }],
    truths: [],
    ratios: [],
  });
  expect(table).toContain(
    '| 4 | 4 × 2, too noisy × 1 | 100 % | – | 1.00 | 9.0 s (9.0 s) | 0.10 cores |',
  );
  expect(table).toContain('100 % right of 2 answers in 3 runs');
});

test('runs beside load have a line for each level, and are left out of the others', () => {
  const level = '60 % of the cores, in bursts';
  const table = printTable({
    machine: 'a machine',
    measuredAt: '2026-01-02T00:00:00.000Z',
    runs: [
      aRun,
      { ...aRun, level, pick: 8, isRight: false },
      { ...aRun, level, interval: [6, 6], isHeld: false, confidence: 0.4 },
      { ...aRun, level, pick: null, interval: null, isHeld: false },
    ],
    truths: [],
    ratios: [],
  });
  expect(table).toContain('100 % right of 1 answers in 1 runs');
  expect(table).toContain('| nothing else | 1 | 1 | 100 % | 0 | 1.5 | 9.0 s |');
  expect(table).toContain(`| ${level} | 3 | 2 | 50 % | 1 | 1.3 | 9.0 s |`);
});
