import type { SweepRow } from './sweep-result.ts';

/** Passes that differ by more than this are worth a word, and make differences of that size worthless. */
export const noisy = 0.1;

/** By how much passes of one size differ at most: the share of its best pass that its worst lacks, 0 to 1. One pass has none, and no answers at all are told of elsewhere. */
export function spreadOf(rows: readonly Pick<SweepRow, 'passes'>[]): number {
  return Math.max(
    0,
    ...rows.map(({ passes }) =>
      passes.length < 2 || Math.max(...passes) === 0
        ? 0
        : 1 - Math.min(...passes) / Math.max(...passes),
    ),
  );
}
