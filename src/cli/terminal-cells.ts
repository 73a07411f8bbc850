import { toShortText } from '../activity/plain-text.ts';
import { fitColumns, tableLines, type TextColumn } from '../text/terminal-table.ts';

/** Database text for a cell: one line, harmless to terminals, of at most so many characters. */
export function cellText(value: string | null, length: number): string {
  return toShortText(value ?? '', length).trim();
}

export interface FittedTable {
  /** The head, then one a row. */
  readonly lines: readonly string[];
  /** Columns that say something and have no room. */
  readonly leftOut: readonly string[];
}

/** A table that fits the terminal: columns without a word are left out first, then those of `dispensable`, in its order. Null for output that goes elsewhere. */
export function fittedTable(
  columns: readonly TextColumn[],
  room: number | null,
  dispensable: readonly string[],
  paintHead: (label: string) => string,
): FittedTable {
  const empty = columns.filter(({ texts }) => texts.every((text) => text === ''));
  const fitted = fitColumns(columns, room ?? Infinity, [
    ...empty.map(({ label }) => label),
    ...dispensable,
  ]);
  const isShown = ({ label }: TextColumn) => fitted.some((each) => each.label === label);
  return {
    lines: tableLines(fitted, paintHead),
    leftOut: columns
      .filter((column) => !isShown(column) && !empty.includes(column))
      .map(({ label }) => label),
  };
}

const blocks = '▁▂▃▄▅▆▇█';

/** The last values as one block character each, from nothing to the largest. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const top = Math.max(1, ...shown);
  return shown
    .map((value) => blocks[Math.round((value / top) * (blocks.length - 1))] ?? '')
    .join('');
}
