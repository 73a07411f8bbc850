import { mean, median } from 'simple-statistics';
import { correctionOf, trustIn } from './contention.ts';
import type { Slice } from './slice.ts';

/** What the rounds say of each size, in order of size. */
export interface SizeEffects {
  readonly sizes: readonly number[];
  /** Logarithm of the throughput at the speed of a typical round. */
  readonly logs: readonly number[];
  /** How much each was corrected for the load of others, less the mean of all: what weighs on all alike moves no answer. */
  readonly corrections: readonly number[];
  /** Slices of each size, each as much as it is trusted. */
  readonly counts: readonly number[];
  /** Of the logarithm of one trusted slice, the speed of its round taken off. */
  readonly variance: number;
  /** Degrees of freedom of the variance, at least 2. */
  readonly freedom: number;
  /** The pooler's line; null without one. */
  readonly line: LineEffects | null;
}

/** Medians over the rounds, in seconds. */
export interface LineEffects {
  readonly plain: number;
  readonly guard: number;
  /** Standard error of `guard`. */
  readonly error: number;
  readonly backends: number | null;
}

interface Cell {
  readonly at: number;
  readonly round: number;
  readonly correction: number;
  readonly value: number;
  readonly trust: number;
  /** The trust, less for an outlier. */
  weight: number;
}

/** Passes of weights and means; the few gaps and outliers that occur are settled by then. */
const passes = 6;
/** A slice that lies further off than this many typical deviations counts for less, by Huber's rule. */
const outlier = 2.5;
/** Less noise than this no slice can have: nobody counts, and no clock tells, more precisely. */
const leastDeviation = 0.005;
/** What is expected of the noise before anything was measured; it weighs as one slice. */
const expectedDeviation = 0.05;

/**
 * Fits `log X = size + round`, so that what slowed a round slows all its sizes, and a size that is missing from a slow round is not flattered.
 * With no gaps and no outliers the size's part is the plain mean.
 */
export function fitRounds(slices: readonly Slice[]): SizeEffects {
  const sizes = [...new Set(slices.map(({ size }) => size))].sort((a, b) => a - b);
  const rounds = [...new Set(slices.map(({ round }) => round))];
  const cells = slices.map((slice): Cell => {
    const correction = correctionOf(slice);
    const trust = trustIn(correction);
    return {
      at: sizes.indexOf(slice.size),
      round: rounds.indexOf(slice.round),
      correction,
      value: Math.log(slice.throughput) + correction,
      trust,
      weight: trust,
    };
  });
  const freedom = Math.max(1, cells.length - sizes.length - rounds.length + 1);
  const bySize = (read: (cell: Cell) => number) =>
    groupMeans(cells, sizes.length, ({ at }) => at, read);
  let logs = sizes.map(() => 0);
  let speeds = rounds.map(() => 0);
  const off = ({ at, round, value, trust }: Cell) =>
    Math.sqrt(trust) * (value - (logs[at] ?? 0) - (speeds[round] ?? 0));
  for (let pass = 0; pass < passes; pass += 1) {
    logs = bySize(({ round, value }) => value - (speeds[round] ?? 0));
    speeds = groupMeans(
      cells,
      rounds.length,
      ({ round }) => round,
      ({ at, value }) => value - (logs[at] ?? 0),
    );
    const centre = mean(speeds);
    speeds = speeds.map((speed) => speed - centre);
    const limit = outlier * Math.max(leastDeviation, typicalDeviation(cells.map(off), freedom));
    for (const cell of cells) cell.weight = cell.trust * Math.min(1, limit / Math.abs(off(cell)));
  }
  const squares = cells.reduce(
    (sum, cell) => sum + (cell.weight / cell.trust) * off(cell) ** 2,
    expectedDeviation ** 2,
  );
  const corrections = bySize(({ correction }) => correction);
  return {
    sizes,
    logs,
    corrections: corrections.map((correction) => correction - mean(corrections)),
    counts: sizes.map((_, at) =>
      cells.reduce((sum, cell) => sum + (cell.at === at ? cell.trust : 0), 0),
    ),
    variance: squares / (freedom + 1),
    freedom: freedom + 1,
    line: toLine(slices),
  };
}

/** One measurement a round: their median, and what they spread by. */
export function toLine(slices: readonly Slice[]): LineEffects | null {
  const byRound = new Map(slices.map(({ round, line }) => [round, line]));
  const lines = [...byRound.values()].flatMap((line) => line ?? []);
  const [first] = lines;
  if (first === undefined) return null;
  const guards = lines.map(({ guardMs }) => guardMs / 1000);
  const guard = Math.max(0, median(guards));
  const spread = 1.48 * median(guards.map((each) => Math.abs(each - guard)));
  return {
    plain: median(lines.map(({ plainMs }) => plainMs / 1000)),
    guard,
    error: spread / Math.sqrt(lines.length),
    backends: first.backends,
  };
}

/** From the median, which outliers do not move; 1.48 makes it the standard deviation of normal noise. */
function typicalDeviation(residuals: readonly number[], freedom: number): number {
  return 1.48 * median(residuals.map(Math.abs)) * Math.sqrt(residuals.length / freedom);
}

function groupMeans(
  cells: readonly Cell[],
  groups: number,
  groupOf: (cell: Cell) => number,
  read: (cell: Cell) => number,
): number[] {
  const sums = Array.from({ length: groups }, () => ({ sum: 0, weight: 0 }));
  for (const cell of cells) {
    const group = sums[groupOf(cell)];
    if (group === undefined) continue;
    group.sum += cell.weight * read(cell);
    group.weight += cell.weight;
  }
  return sums.map(({ sum, weight }) => (weight === 0 ? 0 : sum / weight));
}
