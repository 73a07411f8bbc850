import { expect, test } from 'vitest';
import { RowPlaces } from '../../../src/webview/row-window.ts';

const folds = [
  { index: 2, height: 100 },
  { index: 5, height: 40 },
];

test('rows follow each other, and what is unfolded pushes those below it down', () => {
  const places = new RowPlaces(10, 20, folds);
  expect([0, 2, 3, 5, 6, 9].map((row) => places.startOf(row))).toEqual([0, 40, 160, 200, 260, 320]);
  expect(places.total).toBe(340);
  expect(new RowPlaces(0, 20).total).toBe(0);
});

test('every pixel belongs to one row', () => {
  const places = new RowPlaces(10, 20, folds);
  for (let offset = 0; offset < places.total; offset += 1) {
    const row = places.rowAt(offset);
    expect(places.startOf(row)).toBeLessThanOrEqual(offset);
    expect(places.startOf(row + 1)).toBeGreaterThan(offset);
  }
  expect([places.rowAt(-5), places.rowAt(9_999)]).toEqual([0, 9]);
});

test('of a long list those in sight are shown and some beyond, of a short one all', () => {
  expect(new RowPlaces(1_000, 20).between(4_000, 4_400)).toEqual([188, 232]);
  expect(new RowPlaces(1_000, 20).between(0, 400)).toEqual([0, 32]);
  expect(new RowPlaces(1_000, 20).between(19_600, 20_000)).toEqual([968, 999]);
  expect(new RowPlaces(200, 20).between(0, 400)).toEqual([0, 199]);
  expect(new RowPlaces(0, 20).between(0, 400)).toEqual([0, -1]);
});
