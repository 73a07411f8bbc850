/** By how many rows and columns a key moves. */
export type Move = readonly [rows: number, columns: number];

/** What keys move in a grid. */
export const moves: Readonly<Record<string, Move>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
  Home: [0, -100],
  End: [0, 100],
};

/** The row of the header, in place of a session's key. */
export const header = 'header';

interface Place {
  /** Of the row; below zero for the header. */
  readonly index: number;
  readonly column: number;
}

/** Where a move ends in a grid of such a size: it never leaves it. */
export function nextPlace(
  from: Place,
  [down, right]: Move,
  size: { readonly rows: number; readonly columns: number },
): Place {
  return {
    index: clamp(from.index + down, -1, size.rows - 1),
    column: clamp(from.column + right, 0, size.columns - 1),
  };
}

function clamp(value: number, first: number, last: number): number {
  return Math.min(Math.max(value, first), last);
}
