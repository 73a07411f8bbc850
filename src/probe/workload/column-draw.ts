import type { ColumnValues } from '../../database/read-column-values.ts';
import { toArrayLiteral } from '../../sql/array-literal.ts';
import type { RandomSource } from '../random.ts';

/** A value of a column as text. */
export type ColumnDraw = (random: RandomSource) => string;

/** Draws values as often as the rows of the table hold them, NULL left out; null where the statistics hold none. */
export function drawFromColumn({
  common,
  shares,
  bounds,
  rest,
  isWhole,
}: Pick<ColumnValues, 'common' | 'shares' | 'bounds' | 'rest' | 'isWhole'>): ColumnDraw | null {
  const values = common ?? [];
  const weights = values.map((_, at) => Math.max(0, shares?.[at] ?? 0));
  const total = weights.reduce((sum, each) => sum + each, 0);
  const between = bounds === null || bounds.length === 0 ? null : drawBetween(bounds, isWhole);
  if (between === null && values.length === 0) return null;
  const others = between === null ? 0 : Math.max(0, (rest ?? 1) - total) || Number(total === 0);
  return (random) => {
    let left = random() * (total + others);
    const at = weights.findIndex((weight) => (left -= weight) < 0);
    const value = at === -1 ? between?.(random) : values[at];
    return value ?? values.at(-1) ?? '';
  };
}

/** Each part between two bounds holds as many rows. Of integers any number of a part is drawn, which is the only type whose values between two others are known. */
function drawBetween(bounds: readonly string[], isWhole: boolean): ColumnDraw {
  return (random) => {
    const part = Math.floor(random() * Math.max(1, bounds.length - 1));
    const [low = '', high = low] = bounds.slice(part, part + 2);
    const [first, last] = [Number(low), Number(high)];
    return isWhole && Number.isSafeInteger(first) && Number.isSafeInteger(last)
      ? String(first + Math.floor(random() * (last - first + 1)))
      : random() < 0.5
        ? low
        : high;
  };
}

/** Few enough for a statement, and more than one: how many the application gives is not known. */
const listed = 5;

/** An array of several values, as the parameter of `= ANY($1)`. */
export function drawList(draw: ColumnDraw): ColumnDraw {
  return (random) => toArrayLiteral(Array.from({ length: listed }, () => draw(random)));
}
