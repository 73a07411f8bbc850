import Table from 'cli-table3';
import type pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** Blanks between two columns. */
export const gap = 2;

const noBorders = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((edge) => [edge, '']),
);

/** A table without lines, for a terminal. The cells must be harmless to it. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  colors: Colors,
): string {
  const table = new Table({
    head: head.map((title) => colors.bold(title)),
    chars: { ...noBorders, middle: ' '.repeat(gap) },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/(?<! ) +$/gm, '');
}
