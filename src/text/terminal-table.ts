import Table from 'cli-table3';
import { cutToWidth, widthOf } from './terminal-width.ts';

/** A column of a table without lines. Its texts must be harmless to a terminal. */
export interface TextColumn {
  readonly label: string;
  /** One a row. */
  readonly texts: readonly string[];
  readonly align?: 'left' | 'right';
  /** How narrow its texts may be cut; undefined for a column that is whole or left out. */
  readonly narrowest?: number;
  /** Colours the text of a row, once it has its length. */
  readonly paint?: (text: string, row: number) => string;
}

/** Blanks between two columns. */
export const gap = 2;
/** What a column keeps where even the columns that stay are too wide together. */
const sliver = 4;

/** How much room columns take side by side. */
export function tableWidth(columns: readonly TextColumn[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column) + gap, -gap);
}

/**
 * Fits columns into `room` cells: leaves out those of `dispensable`, in its order, while the rest would be too wide even when cut, and cuts
 * the widest that may be cut. Where that does not suffice, the last columns go and the first is cut.
 */
export function fitColumns(
  columns: readonly TextColumn[],
  room: number,
  dispensable: readonly string[] = [],
): readonly TextColumn[] {
  const gone = dispensable
    .map((name) => columns.findLastIndex(({ label }) => label === name))
    .find((index) => index !== -1);
  if (gone !== undefined && tableWidth(columns.map(atNarrowest)) > room)
    return fitColumns(columns.toSpliced(gone, 1), room, dispensable);
  return dropLast(cutWidest(columns, room), room);
}

/** The lines of a table: its head, then one a row. */
export function tableLines(
  columns: readonly TextColumn[],
  paintHead: (label: string) => string,
): readonly string[] {
  const table = new Table({
    head: columns.map(({ label }) => paintHead(label)),
    colAligns: columns.map(({ align = 'left' }) => align),
    chars,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  const rows = columns[0]?.texts.length ?? 0;
  for (let row = 0; row < rows; row += 1)
    table.push(
      columns.map(({ texts, paint = String }) => {
        const text = texts[row] ?? '';
        return text === '' ? '' : paint(text, row);
      }),
    );
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const edges =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';

/** For cli-table3: nothing is drawn around cells. */
const chars = {
  ...Object.fromEntries(edges.split(' ').map((edge) => [edge, ''])),
  middle: ' '.repeat(gap),
};

function columnWidth({ label, texts }: TextColumn): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), widthOf(label));
}

function atNarrowest(column: TextColumn): TextColumn {
  return column.narrowest === undefined ? column : cutColumn(column, column.narrowest);
}

function cutColumn(column: TextColumn, width: number): TextColumn {
  return {
    ...column,
    label: cutToWidth(column.label, width),
    texts: column.texts.map((text) => cutToWidth(text, width)),
  };
}

/** Cuts the widest column that may be cut, then the next, until all fit or none can give more. */
function cutWidest(columns: readonly TextColumn[], room: number): readonly TextColumn[] {
  const tooMuch = tableWidth(columns) - room;
  if (tooMuch <= 0) return columns;
  const [widest] = columns
    .filter((column) => columnWidth(column) > (column.narrowest ?? Infinity))
    .sort((a, b) => columnWidth(b) - columnWidth(a));
  if (widest?.narrowest === undefined) return columns;
  const width = Math.max(widest.narrowest, columnWidth(widest) - tooMuch);
  return cutWidest(
    columns.map((column) => (column === widest ? cutColumn(column, width) : column)),
    room,
  );
}

function dropLast(columns: readonly TextColumn[], room: number): readonly TextColumn[] {
  if (tableWidth(columns) <= room) return columns;
  const [first] = columns;
  if (columns.length > 1) return dropLast(columns.slice(0, -1), room);
  return first === undefined ? [] : [cutColumn(first, Math.max(sliver, room))];
}
