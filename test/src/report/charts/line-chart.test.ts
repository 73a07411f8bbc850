import { expect, test } from 'vitest';
import { placeLabels, spread } from '../../../../src/report/charts/line-chart.ts';

test('labels that would touch stand above each other', () => {
  const labels = placeLabels(
    [
      { x: 100, text: 'knee 6' },
      { x: 110, text: 'pick 8' },
      { x: 300, text: 'limit' },
    ],
    [0, 400],
  );
  expect(labels.map(({ index, row }) => [index, row])).toEqual([
    [0, 0],
    [1, 1],
    [2, 0],
  ]);
});

test('labels at the edges stay inside', () => {
  expect(
    placeLabels(
      [
        { x: 2, text: 'pick 1' },
        { x: 398, text: 'max_connections' },
      ],
      [0, 400],
    ).map(({ anchor }) => anchor),
  ).toEqual(['start', 'end']);
});

test('names at the ends of lines keep their distance, in order, above the axis', () => {
  expect(spread([100, 102, 40], 15, 260)).toEqual([100, 115, 40]);
  expect(spread([250, 252, 254], 15, 260)).toEqual([230, 245, 260]);
});
