import { shuffle } from 'simple-statistics';
import type { Clock } from '../clock.ts';
import { decide, type Decision, type Evidence } from './decide.ts';
import type { LaneCounts, Lanes } from './lanes.ts';
import { compareReadings, type LoadMeter } from './load-meter.ts';
import { hasDrifted, isQuiet, needsCpu } from './noise-gate.ts';
import { fewestRounds, type Plan } from './plan.ts';
import type { RandomSource } from '../random.ts';
import { judgeErrors } from '../safety/error-rate.ts';
import { wasHeldUp } from '../safety/held-up.ts';
import type { Slice } from './slice.ts';
import type { WaitSampler } from './wait-sampler.ts';

export interface Measuring {
  readonly plan: Plan;
  readonly lanes: Lanes;
  readonly meter: LoadMeter;
  readonly sampler: WaitSampler;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Fires on cancel and on a lost connection. */
  readonly signal: AbortSignal;
  /** After each slice. */
  readonly onSlice: (evidence: Evidence, fraction: number) => void;
}

export type MeasuringEnd =
  | { readonly kind: 'decided'; readonly decision: Exclude<Decision, { kind: 'continue' }>; readonly evidence: Evidence }
  | { readonly kind: 'stopped'; readonly sentence: string }
  /** The signal fired. */
  | { readonly kind: 'aborted'; /** Of the time before. */ readonly evidence: Evidence };

/** A disturbed slice is tried again this often. */
const mostRepeats = 3;
const warmMs = 200;

/** Rounds over all sizes until the decision stands or the time is up. Leaves all lanes idle. */
export async function measure(measuring: Measuring): Promise<MeasuringEnd> {
  const { plan, lanes, clock, random, signal } = measuring;
  const started = clock.now();
  const slices: Slice[] = [];
  try {
    await warm(measuring);
    for (let round = 0; !signal.aborted; round += 1) {
      const problem = await measureRound(measuring, { round, slices, started });
      if (signal.aborted) break;
      if (problem !== null) return { kind: 'stopped', sentence: problem };
      const limit = round + 1 < fewestRounds ? plan.hardMs : plan.measuringMs;
      const evidence = gather(measuring, slices, clock.now() - started + plan.roundMs > limit);
      const decision = decide(evidence, random);
      if (decision.kind !== 'continue') return { kind: 'decided', decision, evidence };
    }
    return { kind: 'aborted', evidence: gather(measuring, slices, true) };
  } finally {
    measuring.sampler.setSize(null);
    await lanes.setSize(0);
  }
}

/** Both ends of the range, so that plans, caches and compiled code are ready. */
async function warm({ plan, lanes, clock, signal }: Measuring): Promise<void> {
  for (const size of [1, plan.sizes.at(-1) ?? 1]) {
    await lanes.setSize(size);
    await clock.wait(warmMs, signal);
  }
}

function gather({ plan, sampler }: Measuring, slices: readonly Slice[], isBudgetSpent: boolean): Evidence {
  return { sizes: plan.sizes, slices: [...slices], samples: sampler.read(), isBudgetSpent };
}

interface RoundState {
  readonly round: number;
  /** Of all rounds; this one adds to it. */
  readonly slices: Slice[];
  readonly started: number;
}

/** A sentence when the statements fail too often, else null. Ends early when the signal fires or the hard limit has passed. */
async function measureRound(measuring: Measuring, state: RoundState): Promise<string | null> {
  const { plan, lanes, clock, random, signal, meter } = measuring;
  const { round, slices, started } = state;
  const reference = plan.sizes[1] ?? 1;
  const order = shuffle([...plan.sizes], random);
  // Without sight of the backends, the same size at both ends of the round tells whether the machine changed meanwhile.
  const steps = meter.seesBackends ? order : [reference, ...order.filter((size) => size !== reference), reference];
  for (const size of steps) {
    const problem = await measureSize(measuring, state, size);
    if (problem !== null || signal.aborted) return problem;
    const elapsed = clock.now() - started;
    measuring.onSlice(gather(measuring, slices, false), Math.min(1, elapsed / plan.measuringMs));
    if (elapsed > plan.hardMs) break;
  }
  if (!meter.seesBackends) markDrift(slices, round, reference);
  return judgeErrors(lanes.read());
}

async function measureSize(measuring: Measuring, { round, slices }: RoundState, size: number): Promise<string | null> {
  for (let repeat = 0; repeat <= mostRepeats && !measuring.signal.aborted; repeat += 1) {
    const slice = await measureSlice(measuring, round, size);
    if (measuring.signal.aborted) return null;
    if (slice === null) continue;
    slices.push(slice);
    if (slice.quiet || !mayRepeat(measuring, slices)) break;
  }
  return judgeErrors(measuring.lanes.read());
}

/** On a machine that is never quiet, repeating would use up the time in which the rounds could show that. */
function mayRepeat({ plan, sampler }: Measuring, slices: readonly Slice[]): boolean {
  const disturbed = slices.filter(({ quiet }) => !quiet).length;
  return needsCpu(sampler.read()) && disturbed <= Math.max(plan.sizes.length / 2, slices.length / 2);
}

/** Null when this process did not run all the time, so that nothing can be said. */
async function measureSlice({ plan, lanes, meter, sampler, clock, signal }: Measuring, round: number, size: number): Promise<Slice | null> {
  await lanes.setSize(size);
  sampler.setSize(size);
  const switchedAt = clock.now();
  await clock.wait(plan.skipMs, signal);
  const before = { load: meter.read(), counts: lanes.read() };
  await clock.wait(plan.sliceMs, signal);
  const after = { load: meter.read(), counts: lanes.read() };
  if (wasHeldUp(plan.sliceMs, after.load.atMs - before.load.atMs)) return null;
  const load = compareReadings(before.load, after.load);
  return { round, size, throughput: toThroughput(before.counts, after.counts, switchedAt, after.load.atMs - before.load.atMs), load, quiet: isQuiet(load) };
}

/**
 * Counts from the last statement before the slice to the last one in it: between fixed moments a count of 15 would be wrong by up to one,
 * which is as much as two sizes differ by. Half a statement stands for none, which has no logarithm.
 */
function toThroughput(before: LaneCounts, after: LaneCounts, switchedAt: number, wallMs: number): number {
  const completed = after.completed - before.completed;
  const isRunning = before.lastAt !== null && before.lastAt >= switchedAt;
  const ms = isRunning && completed > 0 && after.lastAt !== null && before.lastAt !== null ? after.lastAt - before.lastAt : wallMs;
  return (Math.max(0.5, completed) / Math.max(1, ms)) * 1000;
}

function markDrift(slices: Slice[], round: number, reference: number): void {
  const own = slices.filter((slice) => slice.round === round && slice.size === reference);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || !hasDrifted(first.throughput, last.throughput)) return;
  for (const [index, slice] of slices.entries()) if (slice.round === round) slices[index] = { ...slice, quiet: false };
}
