import { shorten, toPlainText } from '../activity/plain-text.ts';
import { gap } from './text-table.ts';

/** Below this width a last column says too little. */
const narrowestLast = 20;
const lastOffTerminal = 80;

/** Cuts the last column to what the others leave of the terminal's width; null for output that goes elsewhere. */
export function fitLastColumn(head: readonly string[], rows: readonly string[][], columns: number | null): readonly string[][] {
  const others = head.slice(0, -1).map((title, column) => Math.max(title.length, ...rows.map((row) => stripColors(row[column] ?? '').length)) + gap);
  const width = columns === null ? lastOffTerminal : Math.max(narrowestLast, columns - others.reduce((sum, each) => sum + each, 0));
  return rows.map((row) => [...row.slice(0, -1), shorten(row.at(-1) ?? '', width)]);
}

/** Database text for a cell: one line, harmless to terminals, of at most so many characters. */
export function cellText(value: string | null, length: number): string {
  return shorten(toPlainText(value ?? '').trim(), length);
}

function stripColors(cell: string): string {
  return cell.replace(/\u001B\[\d+m/g, '');
}

const blocks = '▁▂▃▄▅▆▇█';

/** The last values as one block character each, from nothing to the largest. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const top = Math.max(1, ...shown);
  return shown.map((value) => blocks[Math.round((value / top) * (blocks.length - 1))] ?? '').join('');
}
