import type { RandomSource } from '../random.ts';
import { doubtfulShare, unevenShare } from './contention.ts';
import type { SizeEffects } from './rounds.ts';

/** A form that throughput takes against the number of clients, as the logarithm of its share of a single client's speed. */
interface Shape {
  /** In the order of the sizes. */
  readonly logs: readonly number[];
  /** The same at the clients that were left to it, while the others were busy with guards (see `listGuards`). */
  readonly seen: readonly number[];
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
  const shapes = listGuards(effects).flatMap((guard) => listShapes(effects, guard));
  const candidates = listDoubts(effects).flatMap((doubt) =>
    listCandidates(effects, shapes, doubt, noises),
  );
  const sums = cumulate(candidates.map(({ weight }) => weight));
  return () => {
    const candidate = candidates[find(sums, random())];
    if (candidate === undefined) return { logs, best: Math.max(...logs) };
    const { misfit, expected, seen, measured } = candidate;
    const scale = freedom / drawChiSquare(freedom, random);
    const points = expected.map((form, index) => {
      const noise = (noises[index] ?? 0) * scale;
      const belief = misfit ** 2 / (misfit ** 2 + noise);
      const deviation = (measured[index] ?? 0) - (seen[index] ?? 0);
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
  /** The form at its level, and at the clients that were left to it. */
  readonly expected: readonly number[];
  readonly seen: readonly number[];
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

/** Of what guards add to a round trip, the part in which the client has no backend: parsing and writing on both ends of its line. What the backend does for them makes the statement slower at every size alike. */
const offBackend = 0.5;
const doubtfulPart = 0.25;
/** In standard deviations. */
const guardDoubts = [-1.2, 0, 1.2];

interface Guard {
  readonly left: readonly number[];
  readonly prior: number;
}

/**
 * Sizes as a statement without guards would have them. Of N clients that do X statements a second, X times the time without a backend
 * are busy with guards on average (Little's law), and what the others did is all that was done.
 */
function listGuards({ sizes, logs, line }: SizeEffects): readonly Guard[] {
  if (line === null) return [{ left: sizes, prior: 1 }];
  const deviation = Math.hypot(doubtfulPart * line.guard, offBackend * line.error);
  return guardDoubts.map((doubt) => {
    const lost = Math.max(0, offBackend * line.guard + doubt * deviation);
    return {
      left: sizes.map((size, at) => Math.max(size / 4, size - lost * Math.exp(logs[at] ?? 0))),
      prior: Math.exp(-(doubt ** 2) / 2),
    };
  });
}

function listCandidates(
  { sizes, freedom }: SizeEffects,
  shapes: readonly Shape[],
  doubt: Doubt,
  noises: readonly number[],
): readonly Candidate[] {
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
        seen: shape.seen.map((log) => level + log),
        weight: Math.log(doubt.prior * prior * shape.prior) + likelihood,
      };
    });
  });
}

function listShapes(effects: SizeEffects, { left, prior: priorOfGuard }: Guard): readonly Shape[] {
  const { sizes } = effects;
  const shapeOf = (prior: number, log: (size: number) => number): Shape => {
    const logs = sizes.map(log);
    return { prior: prior * priorOfGuard, logs, seen: left === sizes ? logs : left.map(log) };
  };
  const last = sizes.at(-1) ?? 1;
  const places = Math.ceil(Math.log2(2 * last) * placesPerDoubling);
  const shapes = Array.from(
    { length: places + 1 },
    (_, place) => 2 ** (place / placesPerDoubling),
  ).flatMap((bend) =>
    bends.flatMap((sharpness) =>
      falls.map(([power, prior]) =>
        shapeOf(
          prior,
          (size) => rise(size, bend, sharpness) - power * Math.max(0, Math.log(size / bend)),
        ),
      ),
    ),
  );
  const bendsOfPooler = listPoolerBends(effects);
  const others = shapes.reduce((sum, { prior }) => sum + prior, 0) / priorOfGuard;
  return [
    ...shapes,
    ...bendsOfPooler.map((bend) =>
      shapeOf(others / bendsOfPooler.length, (size) => rise(size, bend, Infinity)),
    ),
  ];
}

/** The line is timed beside few clients: with all of them at work it may take more, and less where its client is quicker than the probe. */
const lineDoubts = [0.5, 1, 1.5];
/** The statement takes at least this share of its round trip, whatever the line was measured to take. */
const leastOfStatement = 0.2;

/**
 * Where a pooler that is the limit bends the curve: all its backends are at work, and beside them as many clients are on the line as the
 * line takes of the time of a statement. That is as likely beforehand as every other form together.
 */
function listPoolerBends({ sizes, logs, line }: SizeEffects): readonly number[] {
  if (line === null || line.backends === null) return [];
  const { backends, guard, plain } = line;
  const cycle = (sizes[0] ?? 1) / Math.exp(logs[0] ?? 0);
  const statement = Math.max(leastOfStatement * cycle, cycle - guard - plain);
  return lineDoubts.map((part) => backends * (1 + (part * plain) / statement));
}

function rise(size: number, bend: number, sharpness: number): number {
  if (sharpness === Infinity) return Math.log(Math.min(size, bend));
  return -Math.log(size ** -sharpness + bend ** -sharpness) / sharpness;
}

function fit(
  { seen }: Shape,
  measured: readonly number[],
  variances: readonly number[],
): { level: number; chiSquare: number } {
  let [weight, sum, squares] = [0, 0, 0];
  for (const [index, value] of measured.entries()) {
    const own = 1 / (variances[index] ?? 1);
    const gap = value - (seen[index] ?? 0);
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
