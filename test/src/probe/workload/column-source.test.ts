import { expect, test } from 'vitest';
import { createRandom } from '../../../../src/probe/random.ts';
import {
  createColumnSource,
  drawFromColumn,
  drawList,
} from '../../../../src/probe/workload/column-source.ts';

test('a message of the server about statistics is not repeated: it may hold a value', async () => {
  const findColumn = createColumnSource({
    run: () =>
      Promise.resolve({
        kind: 'failed',
        failure: {
          kind: 'statement',
          code: '22P02',
          sentence: 'malformed array literal: "s3cret"',
        },
      }),
  });
  expect(await findColumn([[{ schema: null, table: 'users', column: 'city' }]])).toEqual({
    kind: 'unknown',
    because: 'the statistics of city cannot be read (22P02)',
  });
});

const nothing = { common: null, shares: null, bounds: null, rest: 1, isWhole: false };

function drawn(values: Parameters<typeof drawFromColumn>[0], times = 10_000): readonly string[] {
  const draw = drawFromColumn(values);
  const random = createRandom(3);
  return Array.from({ length: times }, () => draw?.(random) ?? 'none');
}

test('common values come as often as the rows hold them, NULL left out', () => {
  const all = drawn({ ...nothing, common: ['Rome', 'Oslo'], shares: [0.3, 0.1], rest: 0.4 });
  expect(all.filter((value) => value === 'Rome').length / all.length).toBeCloseTo(0.75, 1);
  expect(new Set(all)).toEqual(new Set(['Rome', 'Oslo']));
});

test('the other values come out of the histogram', () => {
  const all = drawn({ ...nothing, common: ['a'], shares: [0.5], bounds: ['b', 'c', 'd'], rest: 1 });
  expect(all.filter((value) => value === 'a').length / all.length).toBeCloseTo(0.5, 1);
  expect(new Set(all)).toEqual(new Set(['a', 'b', 'c', 'd']));
});

test('integers are drawn between the bounds, each part as often', () => {
  const all = drawn({ ...nothing, bounds: ['1', '11', '1011'], isWhole: true }).map(Number);
  expect(all.filter((value) => value <= 11).length / all.length).toBeCloseTo(0.5, 1);
  expect(new Set(all).size).toBeGreaterThan(500);
  expect(all.every((value) => value >= 1 && value <= 1011)).toBe(true);
});

test('without values there is nothing to draw from', () => {
  expect(drawFromColumn(nothing)).toBeNull();
  expect(drawFromColumn({ ...nothing, bounds: [] })).toBeNull();
});

test('a list is an array as PostgreSQL reads it', () => {
  expect(drawList(() => 'say "a\\b"')(() => 0)).toBe(
    `{${Array.from({ length: 5 }, () => String.raw`"say \"a\\b\""`).join(',')}}`,
  );
});
