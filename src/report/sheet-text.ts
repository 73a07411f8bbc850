import type { Cell, Column, Table } from './sheet.ts';
import { formatFigure, type Unit } from './units.ts';

/** A cell as people read it: "1,490", "480 – 520", "–". */
export function formatCell(cell: Cell, unit: Unit): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return formatFigure(cell, unit);
  const [low, high] = cell.map((bound) => formatFigure(bound, unit));
  return low === high ? `${low}` : `${low} – ${high}`;
}

/** Figures stand on the right, so that their digits are below each other. */
export function isFigure({ unit }: Pick<Column, 'unit'>): boolean {
  return unit !== 'text';
}

/** Columns in which something stands: one of empty texts would only take room. */
export function usedColumns({ columns, rows }: Table): readonly number[] {
  return columns.flatMap((_, index) =>
    rows.length === 0 || rows.some(({ cells }) => cells[index] !== '' && cells[index] !== undefined)
      ? [index]
      : [],
  );
}
