import { expect, test } from 'vitest';
import { sessionColumns } from '../../../src/activity/session-list.ts';
import { layOut } from '../../../src/webview/grid-columns.ts';
import { expectToRead } from '../../support/spoilt.ts';
import {
  firstLayout,
  parseLayout,
  withColumn,
  withoutWidth,
  withWidths,
  type ColumnLayout,
} from '../../../src/webview/column-layout.ts';

const layout: ColumnLayout = { widths: { pid: 60, query: 400 }, hidden: ['user'] };

test('what was kept is read back, and anything else is a layout that can be kept', () => {
  expectToRead([layout, firstLayout], parseLayout);
  expect(parseLayout({ widths: { pid: 'url(evil)' }, hidden: [] })).toEqual(firstLayout);
});

test('a column is as wide as it was dragged, within limits, and again as at first', () => {
  expect(withWidths(layout, { pid: -7, wait: 90.4, state: 1e9 })).toEqual({
    widths: { pid: 36, query: 400, wait: 90, state: 3_000 },
    hidden: ['user'],
  });
  expect(withoutWidth(layout, 'pid').widths).toEqual({ query: 400 });
});

test('columns are hidden and shown', () => {
  expect(withColumn(layout, 'wait', false).hidden).toEqual(['user', 'wait']);
  expect(withColumn(layout, 'user', false).hidden).toEqual(['user']);
  expect(withColumn(layout, 'user', true).hidden).toEqual([]);
});

test('the tracks of the grid are those of the columns that are shown', () => {
  const hidden = sessionColumns.filter((id) => !['pid', 'state', 'query'].includes(id));
  const { shown, tracks, least } = layOut({ widths: { state: 90 }, hidden });
  expect(shown.map(({ id }) => id)).toEqual(['pid', 'state', 'query']);
  expect(tracks).toBe('60px 90px minmax(150px, 400fr)');
  expect(least).toBe(300);
  expect(layOut({ widths: { query: 500 }, hidden }).tracks).toBe('60px 150px 500px');
});
