import { mean, mode, quantile } from 'simple-statistics';
import { createCurveSource, type DrawnCurve } from './curve-model.ts';
import { fitRounds } from './rounds.ts';
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
  /** 5th and 95th percentile of the cautious draws' picks. */
  readonly interval: readonly [low: number, high: number];
  /** Share of the cautious draws that chose `pick`. */
  readonly confidence: number;
  /** In order of size. */
  readonly curve: readonly (CurvePoint & { readonly low: number; readonly high: number })[];
}

/**
 * A confidence counts draws under this much more noise than was seen. A pick that is wrong was led astray by slices that agree by chance,
 * and those show too little noise: without the margin it would come with a confidence as high as a right one's.
 */
const caution = 1.5;

/** Picks a size by drawing curves that the slices make likely (see `curve-model.ts`), and asks how sure that is. Needs at least one slice. */
export function estimatePick(
  slices: readonly Slice[],
  random: RandomSource,
  draws = 500,
): Estimate {
  const effects = fitRounds(slices);
  const draw = (source: () => DrawnCurve) => Array.from({ length: draws }, source);
  const likely = draw(createCurveSource(effects, random));
  const cautious = draw(
    createCurveSource({ ...effects, variance: effects.variance * caution ** 2 }, random),
  );
  const picks = cautious.map((curve) => pickOf(curve, effects.sizes));
  const curve = toCurve(effects.sizes, likely, cautious);
  const [low, high] = middleOf(picks);
  // What the curve shows to be nine tenths of its best belongs to the answer, and less is none, or the two would contradict each other.
  const shown = pickOf(toDrawn(curve), effects.sizes);
  // Of equally frequent ones `mode` takes the smallest.
  const usual = mode(likely.map((each) => pickOf(each, effects.sizes)));
  const pick = Math.max(shown, usual);
  return {
    pick,
    interval: [Math.min(low, shown), Math.max(high, pick)],
    confidence: picks.filter((each) => each === pick).length / draws,
    curve,
  };
}

/** From the 5th to the 95th percentile, each a value that was drawn. */
function middleOf(picks: readonly number[]): readonly [low: number, high: number] {
  const sorted = [...picks].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? 1;
  const left = Math.floor(picks.length / 20);
  return [at(left), at(picks.length - 1 - left)];
}

function toDrawn(curve: readonly CurvePoint[]): DrawnCurve {
  const logs = curve.map(({ throughput }) => Math.log(throughput));
  return { logs, best: Math.max(...logs) };
}

function toCurve(
  sizes: readonly number[],
  likely: readonly DrawnCurve[],
  cautious: readonly DrawnCurve[],
): Estimate['curve'] {
  return sizes.map((size, index) => {
    const [low, high] = quantile(
      cautious.map(({ logs }) => logs[index] ?? 0),
      [0.05, 0.95],
    );
    const log = Math.min(
      high ?? 0,
      Math.max(low ?? 0, mean(likely.map(({ logs }) => logs[index] ?? 0))),
    );
    return {
      size,
      throughput: Math.exp(log),
      low: Math.exp(low ?? 0),
      high: Math.exp(high ?? 0),
    };
  });
}

/** The smallest size that reaches `goodShare` of the best; never simply the best, which noise moves about. */
function pickOf({ logs, best }: DrawnCurve, sizes: readonly number[]): number {
  const good = best + Math.log(goodShare);
  const at = logs.findIndex((log) => log >= good);
  return sizes[at < 0 ? logs.indexOf(Math.max(...logs)) : at] ?? 1;
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
  if (
    first === undefined ||
    last === undefined ||
    curve.length < 3 ||
    highest - lowest < flatShare * highest
  )
    return null;
  const span = Math.log(last.size / first.size);
  const above = curve.map(
    ({ size, throughput }) =>
      (throughput - lowest) / (highest - lowest) - Math.log(size / first.size) / span,
  );
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
