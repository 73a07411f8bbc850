import { sum } from 'simple-statistics';
import type { Slice, SliceLoad, WaitSamples } from './slice.ts';

/** Other programs may use this share of all cores before they count as noise: a quarter of a core on the two-core machine where it was tuned. */
const foreignShare = 0.125;
/** With this much of a core idle, nobody was kept from the CPU. */
const idleEnough = 0.25;

/**
 * Whether a slice ran without competition for the CPU.
 * Under competition more backends win a larger share of it, so that larger pools look better than they are.
 */
export function isQuiet(load: SliceLoad): boolean {
  return (
    load.foreignCores === null ||
    load.foreignCores <= foreignShare * load.cores ||
    load.idleCores >= idleEnough
  );
}

/** A reference size that was measured at the start and the end of a round may differ by this much. */
const driftLimit = 0.25;

/** Stands in for the CPU gate where the server's share of the CPU cannot be told: did the same size do the same twice? */
export function hasDrifted(first: number, again: number): boolean {
  return Math.abs(again / first - 1) > driftLimit;
}

/** Backends that are seen running in less than this share of samples spend their time waiting, and noise hardly moves them. */
const runningShare = 0.25;

/** Whether the statement uses the CPU enough for other programs to matter. True until samples say otherwise. */
export function needsCpu(samples: readonly WaitSamples[]): boolean {
  const running = sum(samples.map((each) => each.running));
  const waiting = sum(samples.flatMap((each) => each.waiting.map(({ count }) => count)));
  const seen = running + waiting;
  return seen < 20 || running / seen >= runningShare;
}

/** The slices to believe: the quiet ones, or all of them when the statement mostly waits. */
export function acceptSlices(
  slices: readonly Slice[],
  samples: readonly WaitSamples[],
): readonly Slice[] {
  return needsCpu(samples) ? slices.filter(({ quiet }) => quiet) : slices;
}

/** Mean use by other programs over these slices, in cores; null when it could not be measured. */
export function meanForeignCores(slices: readonly Slice[]): number | null {
  const values = slices.map(({ load }) => load.foreignCores).filter((value) => value !== null);
  return values.length === 0 ? null : sum(values) / values.length;
}
