import { expect, test } from 'vitest';
import { KeptColumns } from '../../../../src/editor/activity/kept-columns.ts';
import { firstLayout, type ColumnLayout } from '../../../../src/webview/column-layout.ts';

function open(kept?: unknown): KeptColumns {
  const state = new Map<string, unknown>([['poolguard.sessionColumns', kept]]);
  return new KeptColumns({
    get: (key: string) => state.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  });
}

test('a layout is kept; what another version or a broken state kept is the first layout', async () => {
  const layout: ColumnLayout = { widths: { query: 400 }, hidden: ['user'] };
  const columns = open();
  expect(columns.layout).toEqual(firstLayout);
  await columns.keep(layout);
  expect(columns.layout).toEqual(layout);
  expect(open({ widths: { query: '100vw' }, hidden: ['user'] }).layout).toEqual(firstLayout);
  expect(open('gone').layout).toEqual(firstLayout);
});
