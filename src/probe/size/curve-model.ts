import type { RandomSource } from '../random.ts';
import { doubtfulShare, unevenShare } from './contention.ts';
import type { SizeEffects } from './rounds.ts';

/** A form that throughput takes against the number of clients, as the logarithm of its share of a single client's speed. */
interface Shape {
  /** In the order of the sizes. */
  readonly logs: readonly number[];
  readonly prior: number;
}

/** A whole curve, as likely as the measurements make it. */
export interface DrawnCurve {
  /** Logarithms of the throughput, in the order of the sizes. */
  readonly logs: readonly number[];
  /** The highest that it reaches, nearer to its form than the points are: the highest point is the one that noise flatters most. */
  readonly best: number;
}

/** Measured curves leave their form by so much, as a standard deviation of the logarithm: hardly at all, unless the points insist. */
const misfits: readonly (readonly [deviation: number, prior: number])[] = [
  [0.02, 8],
  [0.06, 2],
  [0.15, 1],
];
/** How sharply a curve bends: 1 is what random locks do (N / (N + k − 1)), Infinity what a pooler does (min(N, K)). */
const bends = [1, 2, 4, Infinity];
/** How fast throughput falls beyond the bend, by the power of the size; most curves do not. */
const falls: readonly (readonly [power: number, prior: number])[] = [
  [0, 6],
  [0.1, 2],
  [0.25, 1],
  [0.5, 1],
];
/** Bends are looked for at this many places for each doubling of the size. */
const placesPerDoubling = 4;

/**
 * All that is known of a curve from its noisy points.
 *
 * A point by itself is too noisy to be believed, and the best of ten noisy points is always too good. So the points lend each other
 * strength: throughput rises with the clients, bends once and stays or falls. Every such form counts by its likelihood, and a curve
 * drawn is a form plus as much of the points' own deviation as their noise leaves to be believed. The noise is estimated from few
 * slices, which draws of it take into account: tails are those of Student's t.
 */
export function createCurveSource(effects: SizeEffects, random: RandomSource): () => DrawnCurve {
  const { logs, counts, variance, freedom } = effects;
  const noises = counts.map(
    (count, at) => variance / count + (unevenShare * (effects.corrections[at] ?? 0)) ** 2,
  );
  const candidates = listDoubts(effects).flatMap((doubt) => listCandidates(effects, doubt, noises));
  const sums = cumulate(candidates.map(({ weight }) => weight));
  return () => {
    const candidate = candidates[find(sums, random())];
    if (candidate === undefined) return { logs, best: Math.max(...logs) };
    const { misfit, expected, measured } = candidate;
    const scale = freedom / drawChiSquare(freedom, random);
    const points = expected.map((form, index) => {
      const noise = (noises[index] ?? 0) * scale;
      const belief = misfit ** 2 / (misfit ** 2 + noise);
      const deviation = (measured[index] ?? form) - form;
      return {
        log: form + belief * deviation + Math.sqrt(belief * noise) * normal(random),
        height: form + belief ** 2 * deviation,
      };
    });
    return {
      logs: points.map(({ log }) => log),
      best: Math.max(...points.map(({ height }) => height)),
    };
  };
}

interface Candidate {
  readonly misfit: number;
  /** The points, if the corrections were wrong in a certain way. */
  readonly measured: readonly number[];
  /** The form at its level. */
  readonly expected: readonly number[];
  /** Logarithm of prior times likelihood. */
  readonly weight: number;
}

/** A way in which the corrections may be wrong: by the same share of each, in every slice, however many there are. */
interface Doubt {
  readonly logs: readonly number[];
  readonly prior: number;
}

/** In standard deviations of the doubtful share. */
const doubts = [-2, -1, 0, 1, 2];
/** Below this no correction moves an answer. */
const leastCorrection = 0.005;

function listDoubts({ logs, corrections }: SizeEffects): readonly Doubt[] {
  return corrections.every((correction) => Math.abs(correction) < leastCorrection)
    ? [{ logs, prior: 1 }]
    : doubts.map((deviation) => ({
        logs: logs.map((log, at) => log + deviation * doubtfulShare * (corrections[at] ?? 0)),
        prior: Math.exp(-(deviation ** 2) / 2),
      }));
}

function listCandidates(
  { sizes, freedom }: SizeEffects,
  doubt: Doubt,
  noises: readonly number[],
): readonly Candidate[] {
  const shapes = listShapes(sizes);
  return misfits.flatMap(([misfit, prior]) => {
    const variances = noises.map((noise) => noise + misfit ** 2);
    const spread = variances.reduce((sum, each) => sum + Math.log(each), 0) / 2;
    return shapes.map((shape) => {
      const { level, chiSquare } = fit(shape, doubt.logs, variances);
      const likelihood =
        -spread - ((freedom + sizes.length - 1) / 2) * Math.log1p(chiSquare / freedom);
      return {
        misfit,
        measured: doubt.logs,
        expected: shape.logs.map((log) => level + log),
        weight: Math.log(doubt.prior * prior * shape.prior) + likelihood,
      };
    });
  });
}

function listShapes(sizes: readonly number[]): readonly Shape[] {
  const last = sizes.at(-1) ?? 1;
  const places = Math.ceil(Math.log2(2 * last) * placesPerDoubling);
  return Array.from({ length: places + 1 }, (_, place) => 2 ** (place / placesPerDoubling)).flatMap(
    (bend) =>
      bends.flatMap((sharpness) =>
        falls.map(([power, prior]) => ({
          prior,
          logs: sizes.map(
            (size) => rise(size, bend, sharpness) - power * Math.max(0, Math.log(size / bend)),
          ),
        })),
      ),
  );
}

function rise(size: number, bend: number, sharpness: number): number {
  if (sharpness === Infinity) return Math.log(Math.min(size, bend));
  return -Math.log(size ** -sharpness + bend ** -sharpness) / sharpness;
}

function fit(
  { logs }: Shape,
  measured: readonly number[],
  variances: readonly number[],
): { level: number; chiSquare: number } {
  let [weight, sum, squares] = [0, 0, 0];
  for (const [index, value] of measured.entries()) {
    const own = 1 / (variances[index] ?? 1);
    const gap = value - (logs[index] ?? 0);
    weight += own;
    sum += own * gap;
    squares += own * gap ** 2;
  }
  return { level: sum / weight, chiSquare: Math.max(0, squares - sum ** 2 / weight) };
}

/** From logarithms of weights to running sums that end at 1. */
function cumulate(logs: readonly number[]): readonly number[] {
  const highest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let running = 0;
  return weights.map((weight) => (running += weight / total));
}

/** The first place whose running sum is above the value. */
function find(sums: readonly number[], value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 1) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Wilson and Hilferty's cube, which is close enough from two degrees of freedom on. */
function drawChiSquare(freedom: number, random: RandomSource): number {
  const part = 2 / (9 * freedom);
  return Math.max(0.01, freedom * (1 - part + Math.sqrt(part) * normal(random)) ** 3);
}

/** Box and Muller's. */
function normal(random: RandomSource): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
