import Table from 'cli-table3';
import type pc from 'picocolors';
import { chars } from '../report/formats/terminal-table.ts';

export type Colors = ReturnType<typeof pc.createColors>;

/** A table without lines, for a terminal. The cells must be harmless to it. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  colors: Colors,
): string {
  const table = new Table({
    head: head.map((title) => colors.bold(title)),
    chars,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/(?<! ) +$/gm, '');
}
