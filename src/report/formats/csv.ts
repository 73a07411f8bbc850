import { csvText } from '../../activity/export-text.ts';
import type { Cell, Column, Report } from '../report.ts';

/** The first table, for a spreadsheet: numbers as they are, times in milliseconds, shares as 0 to 1. A report without one gives an empty text. */
export function writeCsv({ sections }: Report): string {
  const table = sections.flatMap(({ tables = [] }) => tables)[0];
  if (table === undefined) return '';
  const { columns, rows } = table;
  const isMarked = rows.some(({ mark }) => mark !== undefined);
  const head = [
    ...columns.flatMap((column, index) =>
      keysOf(
        column,
        rows.map(({ cells }) => cells[index] ?? null),
      ),
    ),
    ...(isMarked ? ['mark'] : []),
  ];
  const lines = rows.map(({ cells, mark = '' }) => [
    ...columns.flatMap((_, index) =>
      valuesOf(
        cells[index] ?? null,
        rows.some((row) => Array.isArray(row.cells[index])),
      ),
    ),
    ...(isMarked ? [mark] : []),
  ]);
  return csvText([head, ...lines]);
}

function keysOf({ key }: Column, cells: readonly Cell[]): readonly string[] {
  return cells.some(Array.isArray) ? [`${key}_low`, `${key}_high`] : [key];
}

function valuesOf(cell: Cell, isRange: boolean): readonly (string | number | null)[] {
  if (cell === null) return isRange ? [null, null] : [null];
  if (typeof cell === 'string') return [cell];
  return (typeof cell === 'number' ? [cell] : cell).map(readable);
}

/** Six digits are more than any measurement has. */
function readable(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(6));
}
