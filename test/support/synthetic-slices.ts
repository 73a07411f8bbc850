import { createRandom } from '../../src/probe/random.ts';
import type { Slice, SliceLoad, WaitSamples } from '../../src/probe/size/slice.ts';

export const calm: SliceLoad = {
  cores: 4,
  eventLoop: 0.3,
  ownCores: 0.3,
  idleCores: 1.5,
  foreignCores: 0.05,
};

export interface SyntheticCurve {
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Statements per second of a size on an undisturbed machine. */
  readonly throughput: (size: number) => number;
  /** Standard deviation of the logarithm within a round. */
  readonly noise?: number;
  readonly seed?: number;
  readonly load?: SliceLoad;
  readonly quiet?: boolean;
}

/** Slices as a machine with that curve would give them: each round has a speed of its own, and each slice an error. */
export function makeSlices({
  sizes,
  rounds,
  throughput,
  noise = 0.03,
  seed = 1,
  load = calm,
  quiet = true,
}: SyntheticCurve): readonly Slice[] {
  const random = createRandom(seed);
  return Array.from({ length: rounds }, (_, round) => {
    const speed = Math.exp(0.3 * normal(random));
    return sizes.map((size): Slice => {
      const measured = throughput(size) * speed * Math.exp(noise * normal(random));
      return { round, size, throughput: measured, load, quiet };
    });
  }).flat();
}

export function waitingFor(
  type: string,
  event: string,
  sizes: readonly number[],
): readonly WaitSamples[] {
  return sizes.map((size) => ({ size, running: 2, waiting: [{ type, event, count: 10 * size }] }));
}

export function running(sizes: readonly number[]): readonly WaitSamples[] {
  return sizes.map((size) => ({ size, running: 10 * size, waiting: [] }));
}

/** Box–Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
