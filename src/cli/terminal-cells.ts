import { toShortText } from '../activity/plain-text.ts';
import { gap } from '../report/formats/terminal-table.ts';
import { cutToWidth, widthOf } from '../text/terminal-width.ts';

/** Below this width a last column says too little. */
const narrowestLast = 20;
const lastOffTerminal = 80;

export interface FittedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns that say something and have no room. */
  readonly leftOut: readonly string[];
}

/** Leaves columns out until the rest fits the terminal: those without a word in them first, then in the order of `dispensable`. */
export function fitColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
  dispensable: readonly string[],
): FittedTable {
  const isEmpty = (name: string) => rows.every((row) => (row[head.indexOf(name)] ?? '') === '');
  const isTooWide =
    columns !== null &&
    widthsOf(head, rows).reduce((sum, width) => sum + width, narrowestLast) > columns;
  const next = isTooWide
    ? [...head.slice(0, -1).filter(isEmpty), ...dispensable].find((name) => head.includes(name))
    : undefined;
  if (next === undefined) return { head, rows, leftOut: [] };
  const index = head.indexOf(next);
  const { leftOut, ...rest } = fitColumns(
    head.toSpliced(index, 1),
    rows.map((row) => row.toSpliced(index, 1)),
    columns,
    dispensable,
  );
  return { ...rest, leftOut: isEmpty(next) ? leftOut : [next, ...leftOut] };
}

/** Cuts the last column to what the others leave of the terminal's width; null for output that goes elsewhere. */
export function fitLastColumn(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
): readonly string[][] {
  const width =
    columns === null
      ? lastOffTerminal
      : Math.max(
          narrowestLast,
          columns - widthsOf(head, rows).reduce((sum, each) => sum + each, 0),
        );
  return rows.map((row) => [...row.slice(0, -1), cutToWidth(row.at(-1) ?? '', width)]);
}

/** Of all columns but the last, with the gap behind each. */
function widthsOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly number[] {
  return head
    .slice(0, -1)
    .map(
      (title, column) =>
        Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ''))) + gap,
    );
}

/** Database text for a cell: one line, harmless to terminals, of at most so many characters. */
export function cellText(value: string | null, length: number): string {
  return toShortText(value ?? '', length).trim();
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
