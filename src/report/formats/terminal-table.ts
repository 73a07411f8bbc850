import type pc from 'picocolors';
import { toPlainText } from '../../activity/plain-text.ts';
import {
  fitColumns,
  gap,
  tableLines,
  tableWidth,
  type TextColumn,
} from '../../text/terminal-table.ts';
import {
  formatCell,
  isFigure,
  type Row,
  type Table as SheetTable,
  usedColumns,
} from '../report.ts';
import { courseOf } from '../sparkline.ts';

type Colors = ReturnType<typeof pc.createColors>;

interface SheetColumn extends TextColumn {
  readonly isMinor?: boolean;
}

const widestBars = 30;
const narrowestBars = 10;
const narrowestText = 16;
const courseWidth = 16;

/** Columns that stay, however narrow the terminal is: they say what a row is about. */
const kept = 3;

/** A table without lines that fits the terminal: bars shrink first, then minor columns go, then texts are cut, then figures go. */
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
  const major = dropMinor([...texts, ...drawn], room);
  const paint = painter(table.rows, colors);
  const fitting = fitColumns(major, room, figures(major)).map((column) => ({ ...column, paint }));
  return tableLines(fitting, colors.dim).join('\n');
}

function textColumns(table: SheetTable): readonly SheetColumn[] {
  return usedColumns(table).flatMap((index): readonly SheetColumn[] => {
    const column = table.columns[index];
    if (column === undefined) return [];
    const texts = table.rows.map(({ cells }) =>
      toPlainText(formatCell(cells[index] ?? null, column.unit)),
    );
    return [
      {
        label: toPlainText(column.label),
        isMinor: column.isMinor === true,
        texts,
        ...(isFigure(column) ? { align: 'right' } : { narrowest: narrowestText }),
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
  return { label: bars.label, texts, narrowest: narrowestText };
}

function courseColumn(rows: readonly Row[]): readonly TextColumn[] {
  if (!rows.some(({ course = [] }) => course.length > 1)) return [];
  return [
    {
      label: 'queue over time',
      narrowest: narrowestText,
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
          narrowest: narrowestText,
          texts: rows.map(({ mark = '' }) => toPlainText(mark)),
        },
      ];
}

function longestMark(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(({ mark = '' }) => (mark === '' ? 0 : mark.length + 1)));
}

function dropMinor(columns: readonly SheetColumn[], room: number): readonly SheetColumn[] {
  const last = columns.findLastIndex(({ isMinor }) => isMinor);
  return tableWidth(columns) <= room || last === -1
    ? columns
    : dropMinor(columns.toSpliced(last, 1), room);
}

/** Figures from the last to the first, but for the columns that say what a row is about. */
function figures(columns: readonly TextColumn[]): readonly string[] {
  return columns
    .slice(kept)
    .filter(({ align }) => align === 'right')
    .map(({ label }) => label)
    .reverse();
}

function painter(
  rows: readonly Row[],
  { green, yellow, red }: Colors,
): NonNullable<TextColumn['paint']> {
  const paints = { good: green, warn: yellow, bad: red, neutral: String };
  return (text, row) => paints[rows[row]?.tone ?? 'neutral'](text);
}
