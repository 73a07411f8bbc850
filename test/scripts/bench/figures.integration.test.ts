import { expect, test } from 'vitest';
import {
  addRounds,
  growthOf,
  isMet,
  rulesOf,
  shareOfParsing,
  spreadOf,
  type Row,
} from '../../../scripts/bench/figures.ts';
import { densestStretch, readPins } from '../../../scripts/bench/project-files.ts';
import {
  countLines,
  generatePlainFile,
  generateService,
} from '../../../scripts/bench/generated-service.ts';

test('a spread has the middle and the extremes, in whatever order it was measured', () => {
  expect(spreadOf([9, 1, 4])).toEqual({ median: 4, low: 1, high: 9 });
  expect(spreadOf([4, 1])).toEqual({ median: 2.5, low: 1, high: 4 });
  expect(spreadOf([]).median).toBeNaN();
});

test('the rules cost what they add to the same linter, as a share of the parser in the same round', () => {
  const rounds = [
    { parse: 100, bare: 120, ruled: 135 },
    { parse: 200, bare: 220, ruled: 260 },
    { parse: 100, bare: 110, ruled: 115 },
  ];
  expect(rounds.map(rulesOf)).toEqual([15, 40, 5]);
  expect(shareOfParsing(rounds)).toEqual({ median: 15, low: 5, high: 20 });
  expect(addRounds(rounds)).toEqual({ parse: 400, bare: 450, ruled: 510 });
});

test.each([
  ['linear', 1, [1, 5, 20].map((size) => ({ size, cost: size * 3 }))],
  ['quadratic', 2, [1, 5, 20].map((size) => ({ size, cost: size * size }))],
  ['constant', 0, [1, 5, 20].map((size) => ({ size, cost: 7 }))],
])('growth is %s', (_name, power, points) => {
  expect(growthOf(points)).toBeCloseTo(power, 6);
});

test('growth of fewer than two costs is unknown', () => {
  expect(
    growthOf([
      { size: 1, cost: 0 },
      { size: 2, cost: 1 },
    ]),
  ).toBeNaN();
});

test('a goal is met up to its limit, and missed by what could not be measured', () => {
  const row: Row = { group: 'g', name: 'n', unit: '%', value: spreadOf([15]), goal: 15, note: '' };
  expect(isMet(row)).toBe(true);
  expect(isMet({ ...row, value: spreadOf([15.1]) })).toBe(false);
  expect(isMet({ ...row, value: spreadOf([]) })).toBe(false);
  expect(isMet({ ...row, goal: null })).toBeNull();
});

test('pins are the first two columns of any table, once a repository', () => {
  const table = 'repo\tcommit\tpath\na/b\t0123abc\tx.ts\na/b\t0123abc\ty.ts\nc/d\t89abcde\n\n';
  expect([...readPins(table)]).toEqual([
    ['a/b', '0123abc'],
    ['c/d', '89abcde'],
  ]);
});

test('the stretch with most marks is found, the first of several', () => {
  const marks = [true, false, false, true, true, false, true];
  expect(densestStretch(marks, 2)).toBe(3);
  expect(densestStretch(marks, 10)).toBe(0);
  expect(densestStretch([], 3)).toBe(0);
});

test('generated files have the size that was asked for', () => {
  const service = generateService(1_000, 50);
  expect(
    service.match(
      /(?:await|const client =|connection =) (?:pool\.connect|getClient)\(\)|pool\.connect\(\(/gu,
    ),
  ).toHaveLength(50);
  expect(countLines(service) / 1_000).toBeCloseTo(1, 1);
  expect(countLines(generatePlainFile(300)) / 300).toBeCloseTo(1, 1);
});
