/** A label above the drawing, to be kept clear of its neighbours. */
export interface PlacedLabel {
  /** Index into the places that were given. */
  readonly index: number;
  /** 0 is the lowest, next to the drawing. */
  readonly row: number;
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Mean width of a character of the labels, in units of the drawing. */
const characterWidth = 6.6;
const gap = 10;

/** Puts each label above its place, in the lowest row that has room for it, and inside of the drawing. */
export function placeLabels(
  labels: readonly { readonly x: number; readonly text: string }[],
  [left, right]: readonly [number, number],
): readonly PlacedLabel[] {
  const order = labels.map((label, index) => ({ ...label, index })).sort((a, b) => a.x - b.x);
  const ends: number[] = [];
  return order.map(({ x, text, index }) => {
    const width = text.length * characterWidth;
    const anchor = x - width / 2 < left ? 'start' : x + width / 2 > right ? 'end' : 'middle';
    const start = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    const free = ends.findIndex((end) => end + gap <= start);
    const row = free === -1 ? ends.length : free;
    ends[row] = start + width;
    return { index, row, x, anchor };
  });
}

/** Moves heights apart until neighbours keep a distance, in the order given, none below `lowest`. */
export function spread(
  heights: readonly number[],
  distance: number,
  lowest: number,
): readonly number[] {
  const order = heights
    .map((height, index) => ({ height, index }))
    .sort((a, b) => a.height - b.height);
  const moved: number[] = [];
  for (const { height } of order)
    moved.push(Math.max(height, (moved.at(-1) ?? -Infinity) + distance));
  const excess = Math.max(0, (moved.at(-1) ?? lowest) - lowest);
  for (
    let index = moved.length - 1, limit = lowest;
    excess > 0 && index >= 0;
    index -= 1, limit = (moved[index + 1] ?? lowest) - distance
  )
    moved[index] = Math.min(moved[index] ?? limit, limit);
  return heights.map((_, index) => moved[order.findIndex((each) => each.index === index)] ?? 0);
}
