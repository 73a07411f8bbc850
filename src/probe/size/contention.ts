import { mean, sum } from 'simple-statistics';
import type { Slice } from './slice.ts';

/** No slice is corrected by more than this factor: beyond it the first order says too little. */
const mostCorrected = 4;

/**
 * By how much the logarithm of a slice would be higher if nobody else had used the processors; 0 where that cannot be told.
 *
 * In a closed loop N statements are always under way. Those of them that wait for a processor are lost to the others, so that without
 * the others X / (1 − lost / N) would be done. It cannot be more than if all that the others used had been ours: with many clients most
 * of the waiting is for each other, and this bound tells it apart. Nor can the generator's threads do more than fill a core each.
 */
export function correctionOf({ size, load }: Pick<Slice, 'size' | 'load'>): number {
  const { ownCores, foreignCores, threads = 1 } = load;
  const { backendCores = null, waiting = null } = load;
  if (foreignCores === null || backendCores === null || waiting === null) return 0;
  const stolenCores = load.stolenCores ?? 0;
  const ours = ownCores + backendCores;
  if (ours <= 0) return 0;
  const others = foreignCores + stolenCores;
  const stolen = (stolenCores * ours) / Math.max(ours, ours + foreignCores);
  const lost =
    waiting.backends + stolen + lostAtGenerator(waiting.probe, ownCores, threads, size / threads);
  const byWaiting = 1 / Math.max(1 / mostCorrected, 1 - lost / size);
  const byGenerator = Math.max(1, threads / ownCores);
  const byOthers = Math.max(1 / 2, 1 + others / ours);
  return Math.log(Math.min(byWaiting, byOthers, byGenerator, mostCorrected));
}

/**
 * Clients that a waiting generator thread blocks: as many as stand in its line, by Schweitzer's approximation for a closed network,
 * and of the time in that line the share that the thread itself waited.
 */
function lostAtGenerator(waiting: number, cores: number, threads: number, clients: number): number {
  const busy = Math.min(1, (cores + waiting) / threads);
  return waiting / (1 - (busy * (clients - 1)) / Math.max(1, clients));
}

/** A correction may be wrong by this share of itself, as a standard deviation, and then wrong each time. */
export const doubtfulShare = 0.4;
/** That of one size, by this share of its own besides. */
export const unevenShare = 0.25;
/** A slice whose correction is in doubt by as much weighs half. */
const halvingDoubt = 0.1;

/** How much a slice weighs against one that nobody disturbed, up to 1. */
export function trustIn(correction: number): number {
  return 1 / (1 + ((doubtfulShare * correction) / halvingDoubt) ** 2);
}

/** The kernel looks at each core a hundred times a second (proc(5)): over a slice of 150 ms its count is off by so much, as a standard deviation for one core. */
const countingDeviation = 0.1;

/**
 * What others used in each slice, with the error of counting taken out: a slice says little by itself, all slices of its round together
 * say much. What the slices differ by beyond that error is believed, as where others work in bursts.
 */
export function steadyForeignCores(slices: readonly Slice[]): readonly Slice[] {
  const seen = slices.flatMap(({ round, load: { foreignCores, cores } }) =>
    foreignCores === null ? [] : [{ round, cores, used: foreignCores }],
  );
  const rounds = [...new Set(seen.map(({ round }) => round))];
  const means = new Map(
    rounds.map((round) => [
      round,
      mean(seen.flatMap((each) => (each.round === round ? each.used : []))),
    ]),
  );
  const meanOf = (round: number) => means.get(round) ?? 0;
  const variance =
    sum(seen.map(({ round, used }) => (used - meanOf(round)) ** 2)) /
    Math.max(1, seen.length - rounds.length);
  const belief = Math.max(0, 1 - (countingDeviation ** 2 * (seen[0]?.cores ?? 1)) / variance);
  const steady = (used: number, round: number) =>
    Math.max(0, meanOf(round) + belief * (used - meanOf(round)));
  return slices.map((slice) => {
    const { round, load } = slice;
    return load.foreignCores === null
      ? slice
      : { ...slice, load: { ...load, foreignCores: steady(load.foreignCores, round) } };
  });
}

/** Mean use by other programs over these slices, in cores; null when it could not be measured. */
export function meanForeignCores(slices: readonly Slice[]): number | null {
  const values = slices.map(({ load }) => load.foreignCores).filter((value) => value !== null);
  return values.length === 0 ? null : Math.max(0, mean(values));
}
