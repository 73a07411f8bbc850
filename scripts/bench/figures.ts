import { linearRegression, medianSorted } from 'simple-statistics';

/** Several measurements of one thing: the middle one, and how far they lie apart. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [low] = sorted;
  const high = sorted.at(-1);
  if (low === undefined || high === undefined)
    return { median: Number.NaN, low: Number.NaN, high: Number.NaN };
  return { median: medianSorted(sorted), low, high };
}

/** What one round took: the linter without rules, the linter with them, and the parser alone, in ms. */
export interface Round {
  readonly parse: number;
  readonly bare: number;
  readonly ruled: number;
}

/** What the rules add to a run, in ms. Noise may make it negative where there is next to nothing to add. */
export function rulesOf({ bare, ruled }: Round): number {
  return ruled - bare;
}

/** The rules' share of parsing, in per cent, of each round and summed up. */
export function shareOfParsing(rounds: readonly Round[]): Spread {
  return spreadOf(rounds.map((round) => (100 * rulesOf(round)) / round.parse));
}

export function addRounds(rounds: readonly Round[]): Round {
  return rounds.reduce(
    (sum, { parse, bare, ruled }) => ({
      parse: sum.parse + parse,
      bare: sum.bare + bare,
      ruled: sum.ruled + ruled,
    }),
    { parse: 0, bare: 0, ruled: 0 },
  );
}

/**
 * The power with which cost grows with size: 1 is linear, 2 quadratic. It is the slope of the line through the logarithms of
 * both, so it does not depend on the machine.
 */
export function growthOf(
  points: readonly { readonly size: number; readonly cost: number }[],
): number {
  const usable = points.filter(({ size, cost }) => size > 0 && cost > 0);
  return usable.length < 2
    ? Number.NaN
    : linearRegression(usable.map(({ size, cost }) => [Math.log(size), Math.log(cost)])).m;
}

/** One line of the result. `goal` is the largest median that is well; null for a line that only informs. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly unit: '%' | 'ms' | 's' | 'power' | 'times' | 'MB' | 'kB' | 'mistakes';
  readonly value: Spread;
  readonly goal: number | null;
  /** What a reader needs besides the figure. */
  readonly note: string;
  /** How it was measured, in a sentence; said once for a group. */
  readonly method?: string;
}

/** Null where there is no goal; a figure that could not be measured misses its goal. */
export function isMet({ value, goal }: Row): boolean | null {
  return goal === null ? null : value.median <= goal;
}
