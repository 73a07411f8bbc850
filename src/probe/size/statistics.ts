import { mean, quantile, sampleWithReplacement } from 'simple-statistics';
import type { RandomSource } from '../random.ts';
import type { Slice } from './slice.ts';

/** A size counts as good when it reaches this share of the best throughput. */
export const goodShare = 0.9;

/** One point of a curve. */
export interface CurvePoint {
  readonly size: number;
  /** Statements per second. */
  readonly throughput: number;
}

export interface Estimate {
  readonly pick: number;
  /** 5th and 95th percentile of the bootstrap's picks. */
  readonly interval: readonly [low: number, high: number];
  /** Share of draws that chose `pick`. */
  readonly confidence: number;
  /** In order of size. */
  readonly curve: readonly (CurvePoint & { readonly low: number; readonly high: number })[];
}

/** Logarithms of the throughput of one round by size; a size may be missing. */
type LogRound = ReadonlyMap<number, number>;

/** Groups slices by round. Of several slices of one size in one round the last counts. */
export function toLogRounds(slices: readonly Slice[]): readonly LogRound[] {
  const rounds = new Map<number, Map<number, number>>();
  for (const { round, size, throughput } of slices) {
    const row = rounds.get(round) ?? new Map<number, number>();
    rounds.set(round, row.set(size, Math.log(throughput)));
  }
  return [...rounds.values()];
}

/**
 * The geometric mean of the throughput of each size.
 *
 * Fits `log X = size + round` by alternating means, so that a size that is missing from a slow round is not flattered.
 * With no gaps that is the plain geometric mean. Three passes settle it for the few gaps that occur.
 */
export function fitCurve(rounds: readonly LogRound[]): readonly CurvePoint[] {
  const sizes = [...new Set(rounds.flatMap((round) => [...round.keys()]))].sort((a, b) => a - b);
  const bySize = new Map<number, number>(sizes.map((size) => [size, 0]));
  let byRound = rounds.map(() => 0);
  for (let pass = 0; pass < 3; pass += 1) {
    for (const size of sizes) bySize.set(size, meanOf(rounds, (round, index) => without(round.get(size), byRound[index])));
    byRound = rounds.map((round) => mean([...round].map(([size, value]) => value - (bySize.get(size) ?? 0))));
    const centre = mean(byRound);
    byRound = byRound.map((effect) => effect - centre);
  }
  return sizes.map((size) => ({ size, throughput: Math.exp(bySize.get(size) ?? 0) }));
}

function meanOf(rounds: readonly LogRound[], read: (round: LogRound, index: number) => number | undefined): number {
  return mean(rounds.map(read).filter((value) => value !== undefined));
}

function without(value: number | undefined, effect: number | undefined): number | undefined {
  return value === undefined ? undefined : value - (effect ?? 0);
}

/** The smallest size that reaches `goodShare` of the best throughput; never simply the best, which noise moves about. */
export function pickSize(curve: readonly CurvePoint[]): number {
  const best = Math.max(...curve.map(({ throughput }) => throughput));
  return curve.find(({ throughput }) => throughput >= goodShare * best)?.size ?? 1;
}

/**
 * Picks a size, and asks how sure that is by drawing whole rounds anew (paired bootstrap: what slowed one round slowed all its sizes).
 * Needs at least one slice.
 */
export function estimatePick(slices: readonly Slice[], random: RandomSource, draws = 500): Estimate {
  const rounds = toLogRounds(slices);
  const curve = fitCurve(rounds);
  const pick = pickSize(curve);
  const drawn = Array.from({ length: draws }, () => fitCurve(sampleWithReplacement([...rounds], rounds.length, random)));
  const picks = drawn.map(pickSize);
  return {
    pick,
    interval: [quantile(picks, 0.05), quantile(picks, 0.95)],
    confidence: picks.filter((each) => each === pick).length / draws,
    curve: curve.map((point) => ({ ...point, ...findBand(point.size, drawn) })),
  };
}

function findBand(size: number, drawn: readonly (readonly CurvePoint[])[]): { low: number; high: number } {
  const values = drawn.flatMap((curve) => curve.filter((point) => point.size === size)).map(({ throughput }) => throughput);
  return { low: quantile(values, 0.05), high: quantile(values, 0.95) };
}

/** A curve whose values stay this close together is flat and has no knee. */
const flatShare = 0.15;

/**
 * Kneedle (Satopää et al. 2011, sensitivity 1) over the logarithms of the sizes: the point where the curve, scaled to a unit square,
 * rises furthest above the diagonal and then falls back. Null for flat curves and for those that still rise at their end.
 */
export function findKnee(curve: readonly CurvePoint[]): number | null {
  const values = curve.map(({ throughput }) => throughput);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const first = curve[0];
  const last = curve.at(-1);
  if (first === undefined || last === undefined || curve.length < 3 || highest - lowest < flatShare * highest) return null;
  const span = Math.log(last.size / first.size);
  const above = curve.map(({ size, throughput }) => (throughput - lowest) / (highest - lowest) - Math.log(size / first.size) / span);
  const top = Math.max(...above);
  const at = above.indexOf(top);
  const threshold = top - 1 / (curve.length - 1);
  const fallsBack = above.slice(at + 1).some((value) => value < threshold);
  return top > 0 && at > 0 && fallsBack ? (curve[at]?.size ?? null) : null;
}

/** How long one statement takes, in milliseconds, by Little's law: in a closed loop without pauses, `size` statements are always under way. A slice is too short to time slow ones one by one. */
export function toMeanMs({ size, throughput }: CurvePoint): number {
  return (size / throughput) * 1000;
}
