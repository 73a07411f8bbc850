import { expect, test } from 'vitest';
import { terminalTable } from '../../../src/report/formats/terminal-table.ts';
import { fittedTable } from '../../../src/cli/terminal-cells.ts';
import { cutToWidth } from '../../../src/text/terminal-width.ts';
import pc from 'picocolors';

const colors = pc.createColors(false);
const painted = pc.createColors(true);

test.each([
  ['orders', 6, 'orders'],
  ['orders', 5, 'orde…'],
  ['注文テーブル', 12, '注文テーブル'],
  ['注文テーブル', 8, '注文テ…'],
  ['a👍b👍c', 5, 'a👍b…'],
  ['e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301e\u0301'],
  ['orders', 0, ''],
])('%s in %i cells is %s', (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
});

test('a table with wide characters keeps within the terminal', () => {
  const columns = [
    { label: 'pid', texts: ['1', '2'] },
    {
      label: 'application',
      texts: ['注文処理サービス', 'api'],
      paint: (text: string, row: number) => (row === 1 ? painted.red(text) : text),
    },
    {
      label: 'statement',
      texts: ['SELECT * FROM 注文テーブル WHERE 顧客 = $1 AND 状態 = $2', 'SELECT 1'],
      narrowest: 20,
    },
  ];
  const { lines } = fittedTable(columns, 60, [], colors.bold);
  // The statement has 37 cells left; 客 would need the last one.
  expect(lines[1]).toBe('1    注文処理サービス  SELECT * FROM 注文テーブル WHERE 顧…');
});

test('so does one of a report, whose widest text is cut', () => {
  const columns = [{ key: 'place', label: 'place', unit: 'text' }] as const;
  const table = { caption: '', columns, rows: [{ cells: ['注文'.repeat(20)] }] };
  expect(terminalTable(table, colors, 20)).toBe('place\n注文注文注文注文注…');
});
