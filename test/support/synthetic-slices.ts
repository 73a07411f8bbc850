import { createRandom } from '../../src/probe/random.ts';
import { steadyForeignCores } from '../../src/probe/size/contention.ts';
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
}

/** Slices as a machine with that curve would give them: each round has a speed of its own, and each slice an error. */
export function makeSlices({
  sizes,
  rounds,
  throughput,
  noise = 0.03,
  seed = 1,
  load = calm,
}: SyntheticCurve): readonly Slice[] {
  const random = createRandom(seed);
  return Array.from({ length: rounds }, (_, round) => {
    const speed = Math.exp(0.3 * normal(random));
    return sizes.map((size): Slice => {
      const measured = throughput(size) * speed * Math.exp(noise * normal(random));
      return { round, size, throughput: measured, load };
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

/** A statement and the machine that it runs on. */
export interface Machine {
  readonly cores: number;
  /** Of one statement: on a processor of the server, on that of the probe's one thread, and waiting for something else, in milliseconds. */
  readonly cpuMs: number;
  readonly clientMs: number;
  readonly waitMs: number;
  /** Statements that may wait for that at once: 1 for a lock. */
  readonly places?: number;
}

export interface Contention extends Machine {
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Of all cores, what others want: 0 to 1. */
  readonly others: number;
  /** Whether the others work all the time, or all at once and then rest. */
  readonly inBursts: boolean;
  readonly seed: number;
}

const sliceMs = 150;
const burstMs = 40;

/** Slices as a machine gives them that others use as well. What is measured of it is off by some per cent, and the run delay of a whole run may be wrong. */
export function makeContendedSlices(contention: Contention): readonly Slice[] {
  const { sizes, rounds, seed } = contention;
  const random = createRandom(seed);
  const off = (deviation: number) => Math.exp(deviation * normal(random));
  const delayError = off(0.15);
  const slices = Array.from({ length: rounds }, (_, round) =>
    sizes.map((size): Slice => {
      const { throughput, load } = simulate(contention, size, sliceMs, random);
      const { backends, probe } = load.waiting ?? { backends: 0, probe: 0 };
      return {
        round,
        size,
        throughput: throughput * off(0.03),
        load: {
          ...load,
          foreignCores: (load.foreignCores ?? 0) + 0.1 * Math.sqrt(load.cores) * normal(random),
          waiting: { backends: backends * delayError, probe: probe * delayError },
        },
      };
    }),
  ).flat();
  return steadyForeignCores(slices);
}

/** What each size does while nobody else uses the machine. */
export function throughputAlone(machine: Machine, sizes: readonly number[]): readonly number[] {
  const alone = { ...machine, sizes, rounds: 1, others: 0, inBursts: false, seed: 1 };
  return sizes.map((size) => simulate(alone, size, 30_000, createRandom(5)).throughput);
}

/**
 * A closed loop of `size` clients, each by turns on a core of the server, in the line of the probe's one thread, and waiting.
 * The kernel gives each task that can run the same share of the cores. All times are exponential, so that only numbers matter.
 */
function simulate(
  { cores, cpuMs, clientMs, waitMs, places = Infinity, others, inBursts }: Contention,
  size: number,
  durationMs: number,
  random: () => number,
): Pick<Slice, 'throughput' | 'load'> {
  const burst = 2 * cores;
  let foreign = inBursts ? (random() < others ? burst : 0) : others * cores;
  let [atServer, atClient, waiting] = [size, 0, 0];
  const spent = { own: 0, backends: 0, foreign: 0, backendsWait: 0, probeWaits: 0 };
  let done = 0;
  for (let left = durationMs; left > 0;) {
    const probe = Math.min(1, atClient);
    const got = Math.min(1, cores / Math.max(1, atServer + probe + foreign));
    const rates = {
      served: (atServer * got) / cpuMs,
      read: (probe * got) / clientMs,
      released: Math.min(waiting, places) / Math.max(0.001, waitMs),
      turned: inBursts ? (foreign > 0 ? 1 - others : others) / burstMs : 0,
    };
    const total = rates.served + rates.read + rates.released + rates.turned;
    const ms = Math.min(left, -Math.log(1 - random()) / total);
    left -= ms;
    spent.own += ms * probe * got;
    spent.backends += ms * atServer * got;
    spent.foreign += ms * foreign * got;
    spent.backendsWait += ms * atServer * (1 - got);
    spent.probeWaits += ms * probe * (1 - got);
    if (left <= 0) break;
    const event = random() * total;
    if (event < rates.served) {
      atServer -= 1;
      waiting += 1;
    } else if (event < rates.served + rates.read) {
      atClient -= 1;
      atServer += 1;
      done += 1;
    } else if (event < total - rates.turned) {
      waiting -= 1;
      atClient += 1;
    } else foreign = foreign > 0 ? 0 : burst;
  }
  const perMs = (value: number) => value / durationMs;
  return {
    throughput: 1000 * perMs(Math.max(0.5, done)),
    load: {
      cores,
      eventLoop: perMs(spent.own + spent.probeWaits),
      ownCores: perMs(spent.own),
      idleCores: cores - perMs(spent.own + spent.backends + spent.foreign),
      foreignCores: perMs(spent.foreign),
      backendCores: perMs(spent.backends),
      waiting: { backends: perMs(spent.backendsWait), probe: perMs(spent.probeWaits) },
      stolenCores: 0,
    },
  };
}
