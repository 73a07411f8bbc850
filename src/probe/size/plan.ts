/** A statement slower than this is measured at fewer sizes, as is one for which the time is short. */
const slowMs = 50;
/** A statement slower than this gives too few answers in any slice of a short probe. */
const tooSlowMs = 500;

const grid = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96];
const coarseGrid = [1, 2, 4, 8, 16, 32, 64];

/** The sizes to compare: a geometric grid up to the cap, the cap included when the grid stops well short of it. */
export function listSizes(cap: number, isCoarse: boolean): readonly number[] {
  const sizes = (isCoarse ? coarseGrid : grid).filter((size) => size <= cap);
  const last = sizes.at(-1) ?? 1;
  return cap >= last * 1.2 ? [...sizes, cap] : sizes;
}

/** What the user is willing to spend. */
export interface Budget {
  /** The whole probe, validation included, in milliseconds. */
  readonly totalMs: number;
  readonly validationMs: number;
}

export interface Plan {
  readonly sizes: readonly number[];
  readonly sliceMs: number;
  /** Start of each slice that is not counted. */
  readonly skipMs: number;
  /** One pass over all sizes, waiting between slices included. */
  readonly roundMs: number;
  /** Rounds stop to start after this much measuring. */
  readonly measuringMs: number;
  /** Not even a running round goes on after this. */
  readonly hardMs: number;
  /** For the whole probe, in a typical run. */
  readonly expectedMs: number;
}

export type PlanAnswer = { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'refused'; readonly sentence: string };

/** Rounds that a bootstrap needs before it may end a probe early. */
export const leastRounds = 4;
/** Rounds without which no answer is given. */
export const fewestRounds = 3;
/** Rounds after which a quiet machine has usually given its answer twice. */
const typicalRounds = 5;
/** Looking around, connecting and warming up. */
const startMs = 1200;

/** Lays out the slices for a statement that takes `meanMs` on one connection. */
export function planSlices(cap: number, meanMs: number, budget: Budget): PlanAnswer {
  if (meanMs > tooSlowMs) return { kind: 'refused', sentence: describeTooSlow(meanMs) };
  const sliceMs = Math.round(clamp(12 * meanMs, 150, 600));
  const skipMs = Math.round(Math.min(40, Math.max(5, meanMs)));
  const stepMs = sliceMs + skipMs + meanMs;
  const wantedMs = budget.totalMs - startMs - budget.validationMs;
  const isCoarse = meanMs > slowMs || listSizes(cap, false).length * stepMs * leastRounds > wantedMs;
  const sizes = listSizes(cap, isCoarse);
  const roundMs = sizes.length * stepMs;
  // Fewer rounds would give no answer, so a short budget is overrun rather than wasted.
  const measuringMs = Math.max(wantedMs, roundMs * fewestRounds);
  const expectedRounds = Math.max(fewestRounds, Math.min(typicalRounds, Math.floor(measuringMs / roundMs)));
  return {
    kind: 'plan',
    plan: {
      sizes,
      sliceMs,
      skipMs,
      roundMs,
      measuringMs,
      hardMs: (measuringMs * 4) / 3,
      expectedMs: Math.round(startMs + expectedRounds * roundMs + budget.validationMs),
    },
  };
}

function describeTooSlow(meanMs: number): string {
  return `The statement takes ${Math.round(meanMs)} ms, too long to compare pool sizes within seconds. Size the pool by demand: max = requests per second at the peak × ${(meanMs / 1000).toFixed(2)} s × 1.2.`;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
