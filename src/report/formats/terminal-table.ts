import Table from 'cli-table3';
import type pc from 'picocolors';
import { toPlainText } from '../../activity/plain-text.ts';
import { cutToWidth, widthOf } from '../../text/terminal-width.ts';
import { formatCell, isFigure, type Row, type Table as SheetTable, usedColumns } from '../sheet.ts';
import { courseOf } from '../sparkline.ts';

type Colors = ReturnType<typeof pc.createColors>;

interface TextColumn {
  readonly label: string;
  readonly align: 'left' | 'right';
  readonly isMinor: boolean;
  readonly texts: readonly string[];
}

/** Blanks between two columns. */
export const gap = 2;

const edges =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';

/** For cli-table3: nothing is drawn around cells. */
export const chars = {
  ...Object.fromEntries(edges.split(' ').map((edge) => [edge, ''])),
  middle: ' '.repeat(gap),
};

const widestBars = 30;
const narrowestBars = 10;
const narrowestText = 16;
const courseWidth = 16;

/** Columns that stay, however narrow the terminal is: they say what a row is about. */
const kept = 3;

/** A table without lines that fits the terminal: bars shrink first, then minor columns go, then the widest text is cut, then figures go. */
export function terminalTable(table: SheetTable, colors: Colors, columns: number | null): string {
  const room = columns ?? Infinity;
  const texts = textColumns(table);
  const barsWidth =
    table.bars === undefined
      ? 0
      : Math.max(
          narrowestBars,
          Math.min(widestBars, room - tableWidth(texts) - gap - longestMark(table.rows)),
        );
  const drawn = [
    ...(table.bars === undefined ? [] : [barColumn(table, table.bars, barsWidth)]),
    ...courseColumn(table.rows),
    ...markColumn(table),
  ];
  const fitting = cutWidest(dropMinor([...texts, ...drawn], room), room);
  return print(dropFigures(fitting, room), table.rows, colors);
}

function textColumns(table: SheetTable): readonly TextColumn[] {
  return usedColumns(table).flatMap((index): readonly TextColumn[] => {
    const column = table.columns[index];
    if (column === undefined) return [];
    const texts = table.rows.map(({ cells }) =>
      toPlainText(formatCell(cells[index] ?? null, column.unit)),
    );
    return [
      {
        label: toPlainText(column.label),
        align: isFigure(column) ? 'right' : 'left',
        isMinor: column.isMinor === true,
        texts,
      },
    ];
  });
}

/** Solid up to the lower bound, shaded up to the upper one; the row's mark behind it. */
function barColumn(
  { columns, rows }: SheetTable,
  bars: NonNullable<SheetTable['bars']>,
  width: number,
): TextColumn {
  const index = columns.findIndex(({ key }) => key === bars.key);
  const bounds = rows.map(({ cells }): readonly [number, number] => {
    const cell = cells[index] ?? null;
    return typeof cell === 'number'
      ? [cell, cell]
      : cell === null || typeof cell === 'string'
        ? [0, 0]
        : cell;
  });
  const best = Math.max(...bounds.map(([, high]) => high), Number.MIN_VALUE);
  const texts = bounds.map(([low, high], row) => {
    const [solid, end] = [Math.round((low / best) * width), Math.round((high / best) * width)];
    return `${'█'.repeat(solid)}${'▒'.repeat(Math.max(0, end - solid))} ${rows[row]?.mark ?? ''}`.trimEnd();
  });
  return { label: bars.label, align: 'left', isMinor: false, texts };
}

function courseColumn(rows: readonly Row[]): readonly TextColumn[] {
  if (!rows.some(({ course = [] }) => course.length > 1)) return [];
  return [
    {
      label: 'queue over time',
      align: 'left',
      isMinor: false,
      texts: rows.map(({ course = [] }) =>
        course.some((value) => value > 0) ? courseOf(course, courseWidth) : '',
      ),
    },
  ];
}

/** A table with bars has its marks behind them. */
function markColumn({ rows, bars }: SheetTable): readonly TextColumn[] {
  return bars !== undefined || rows.every(({ mark }) => mark === undefined)
    ? []
    : [
        {
          label: '',
          align: 'left',
          isMinor: false,
          texts: rows.map(({ mark = '' }) => toPlainText(mark)),
        },
      ];
}

function longestMark(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(({ mark = '' }) => (mark === '' ? 0 : mark.length + 1)));
}

function tableWidth(columns: readonly TextColumn[]): number {
  return columns.map(columnWidth).reduce((sum, width) => sum + width + gap, -gap);
}

function columnWidth({ label, texts }: TextColumn): number {
  return Math.max(widthOf(label), ...texts.map(widthOf));
}

function dropMinor(columns: readonly TextColumn[], room: number): readonly TextColumn[] {
  const last = columns.findLastIndex(({ isMinor }) => isMinor);
  return tableWidth(columns) <= room || last === -1
    ? columns
    : dropMinor(
        columns.filter((_, index) => index !== last),
        room,
      );
}

function dropFigures(columns: readonly TextColumn[], room: number): readonly TextColumn[] {
  const last = columns.findLastIndex(({ align }) => align === 'right');
  return tableWidth(columns) <= room || last < kept
    ? columns
    : dropFigures(
        columns.filter((_, index) => index !== last),
        room,
      );
}

/** Cuts the widest column of text to what the others leave. */
function cutWidest(columns: readonly TextColumn[], room: number): readonly TextColumn[] {
  const tooMuch = tableWidth(columns) - room;
  const texts = columns.filter(({ align }) => align === 'left');
  const widest = texts.reduce<TextColumn | undefined>(
    (most, column) =>
      most === undefined || columnWidth(column) > columnWidth(most) ? column : most,
    undefined,
  );
  if (tooMuch <= 0 || widest === undefined) return columns;
  const width = Math.max(narrowestText, columnWidth(widest) - tooMuch);
  return columns.map((column) =>
    column === widest
      ? { ...column, texts: column.texts.map((text) => cutToWidth(text, width)) }
      : column,
  );
}

function print(columns: readonly TextColumn[], rows: readonly Row[], colors: Colors): string {
  const table = new Table({
    head: columns.map(({ label }) => colors.dim(label)),
    colAligns: columns.map(({ align }) => align),
    chars,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  rows.forEach(({ tone }, row) => {
    const paint =
      tone === 'good'
        ? colors.green
        : tone === 'warn'
          ? colors.yellow
          : tone === 'bad'
            ? colors.red
            : String;
    table.push(columns.map(({ texts }) => paint(texts[row] ?? '')));
  });
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
