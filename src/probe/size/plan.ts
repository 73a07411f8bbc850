import { commonDefaults, type SizeRequest } from '../request.ts';
import { share } from '../verdict-words.ts';

/** A statement slower than this is measured at fewer sizes, as is one for which the time is short. */
const slowMs = 50;
/** A statement slower than this gives too few answers in any slice of a short probe. */
const tooSlowMs = 500;

/** The finest first. Each is near enough to geometric that no size is missed by more than the next one is larger. */
const grids = {
  fine: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96],
  coarse: [1, 2, 4, 8, 16, 32, 64],
  sparse: [1, 4, 16, 64],
} as const;

export type Grid = keyof typeof grids;

/** The sizes to compare: a geometric grid up to the cap, with those that are wanted besides, and the cap when the grid stops well short of it. */
export function listSizes(
  cap: number,
  grid: Grid,
  also: readonly number[] = [],
): readonly number[] {
  const sizes = grids[grid].filter((size) => size <= cap);
  const last = sizes.at(-1) ?? 1;
  const wanted = also.filter((size) => Number.isInteger(size) && size >= 1 && size <= cap);
  return [...new Set([...sizes, ...(cap >= last * 1.2 ? [cap] : []), ...wanted])].sort(
    (a, b) => a - b,
  );
}

/** What the user is willing to spend. */
export interface Budget {
  /** The whole probe, validation included, in milliseconds. */
  readonly totalMs: number;
  readonly validationMs: number;
}

/** Where others use less of the processors, or a statement is faster, the usual time is enough; from the second figure on it takes all that there is. */
const othersThatMatter = [0.15, 0.5] as const;
const slownessThatMatters = [20, 100] as const;

/** How long a probe may take here, and why it is longer than usual; null when it is not. */
export function allowTime(
  { seconds, atMostSeconds = seconds }: Pick<SizeRequest, 'seconds' | 'atMostSeconds'>,
  { othersShare, meanMs }: { readonly othersShare: number; readonly meanMs: number },
): { readonly seconds: number; readonly because: string | null } {
  const needs = [
    {
      need: riseBetween(othersThatMatter, othersShare),
      because: `other programs use ${share(othersShare)} of the processors`,
    },
    {
      need: riseBetween(slownessThatMatters, meanMs),
      because: `the statement takes ${Math.round(meanMs)} ms`,
    },
  ];
  const [most] = needs.sort((a, b) => b.need - a.need);
  const more = Math.round(Math.max(0, atMostSeconds - seconds) * (most?.need ?? 0));
  return { seconds: seconds + more, because: more === 0 ? null : (most?.because ?? null) };
}

function riseBetween([low, high]: readonly [number, number], value: number): number {
  return clamp((value - low) / (high - low), 0, 1);
}

export interface Plan {
  readonly sizes: readonly number[];
  /** Sizes that were asked for by name and are never spared. */
  readonly also?: readonly number[];
  readonly sliceMs: number;
  /** Start of each slice that is not counted. */
  readonly skipMs: number;
  /** One pass over all sizes, waiting between slices included. */
  readonly roundMs: number;
  /** A narrow interval is enough after this much measuring. */
  readonly usualMs: number;
  /** Rounds stop to start after this much measuring. */
  readonly measuringMs: number;
  /** Not even a running round goes on after this. */
  readonly hardMs: number;
  /** For the whole probe, in a typical run. */
  readonly expectedMs: number;
  /** For the whole probe, at most. */
  readonly seconds: number;
}

export type PlanAnswer =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly sentence: string };

/** Rounds that a bootstrap needs before it may end a probe early. */
export const leastRounds = 4;
/** Rounds without which no answer is given. */
export const fewestRounds = 3;
/** Rounds after which a quiet machine has usually given its answer twice. */
const typicalRounds = 5;
/** Looking around, connecting and warming up. */
export const startMs = 1200;
/** A probe may take so much of its time and no more: 20 s of the usual 15. */
const hardShare = 4 / 3;

/** The rest is for the warm-up, and for the statements that are under way at each switch. */
const shareOfSlices = 0.7;

/** Lays out the slices for a statement that takes `meanMs` on one connection. */
export function planSlices(
  cap: number,
  meanMs: number,
  budget: Budget,
  also: readonly number[] = [],
): PlanAnswer {
  if (meanMs > tooSlowMs) return { kind: 'refused', sentence: describeTooSlow(meanMs) };
  const sliceMs = Math.round(clamp(12 * meanMs, 150, 600));
  const skipMs = Math.round(Math.min(40, Math.max(5, meanMs)));
  const stepMs = sliceMs + skipMs + meanMs;
  const aroundMs = startMs + budget.validationMs;
  const wantedMs = budget.totalMs - aroundMs;
  const hardMs = budget.totalMs * hardShare - aroundMs;
  const sizes = listSizes(cap, chooseGrid(), also);
  const roundMs = sizes.length * stepMs;
  // Fewer rounds would give no answer, so a short budget is overrun rather than wasted, up to its hard end.
  const measuringMs = Math.min(hardMs, Math.max(wantedMs, roundMs * fewestRounds));
  const expectedRounds = Math.max(
    fewestRounds,
    Math.min(typicalRounds, Math.floor(measuringMs / roundMs)),
  );
  return {
    kind: 'plan',
    plan: {
      sizes,
      also,
      sliceMs,
      skipMs,
      roundMs,
      usualMs: Math.min(measuringMs, commonDefaults.seconds * 1000 - aroundMs),
      measuringMs,
      hardMs,
      expectedMs: Math.round(startMs + expectedRounds * roundMs + budget.validationMs),
      seconds: Math.round(budget.totalMs / 1000),
    },
  };

  function chooseGrid(): Grid {
    const roundsMs = (grid: Grid, rounds: number) =>
      listSizes(cap, grid, also).length * stepMs * rounds;
    if (meanMs <= slowMs && roundsMs('fine', leastRounds) <= wantedMs * shareOfSlices)
      return 'fine';
    return roundsMs('coarse', fewestRounds) <= hardMs ? 'coarse' : 'sparse';
  }
}

/** The same with less time, because the start took longer than it was planned for. */
export function shortenPlan(plan: Plan, lateMs: number): Plan {
  const late = Math.max(0, lateMs);
  return {
    ...plan,
    measuringMs: Math.max(
      plan.measuringMs - late,
      Math.min(plan.measuringMs, plan.roundMs * fewestRounds),
    ),
    hardMs: plan.hardMs - late,
  };
}

/** Sizes that are never spared: small pools are the right answer most often, and the one that noise hides. */
const alwaysKept = 3;
/** Sizes beyond this multiple of the interval's end are spared, and with them the server. */
const spareBeyond = 4;

/** A size that is nearer to the leading one by this share may be as good by the rule of 90 %, and as well may not. */
const widestBetween = 0.88;

/**
 * The sizes of the next round: those that may still be the answer, and one between the leading size and the one below it,
 * so that the gap of the grid is halved where it matters: where it is so wide that a size in it does clearly less than 90 % of what the
 * leading one would do at best. Nearer than that the two cannot be told apart. `measured` holds every size that was measured so far.
 */
export function chooseSizes(
  plan: Pick<Plan, 'sizes' | 'also'>,
  measured: readonly number[],
  { pick, interval }: { readonly pick: number; readonly interval: readonly [number, number] },
): readonly number[] {
  const most = Math.max(alwaysKept, spareBeyond * interval[1]);
  const kept = [...new Set([...plan.sizes, ...measured])]
    .filter((size) => size <= most || plan.also?.includes(size) === true)
    .sort((a, b) => a - b);
  const below = plan.sizes.findLast((size) => size < pick) ?? pick;
  const between = Math.round((below + pick) / 2);
  const isWanted =
    plan.sizes.includes(pick) &&
    pick < (plan.sizes.at(-1) ?? 1) &&
    between > below &&
    between <= widestBetween * pick &&
    !kept.includes(between);
  return isWanted && measured.length <= plan.sizes.length
    ? [...kept, between].sort((a, b) => a - b)
    : kept;
}

function describeTooSlow(meanMs: number): string {
  return `The statement takes ${Math.round(meanMs)} ms, too long to compare pool sizes within seconds. Size the pool by demand: max = requests per second at the peak × ${(meanMs / 1000).toFixed(2)} s × 1.2.`;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
