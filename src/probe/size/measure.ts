import { shuffle } from 'simple-statistics';
import type { Clock } from '../clock.ts';
import { chooseNextSizes, decide, type Decision, type Evidence } from './decide.ts';
import { steadyForeignCores } from './contention.ts';
import type { LaneCounts, Lanes } from './lanes.ts';
import { compareReadings, type LoadMeter } from './load-meter.ts';
import { fewestRounds, type Plan } from './plan.ts';
import type { RandomSource } from '../random.ts';
import { judgeErrors, wasHeldUp } from '../safety/safeguard.ts';
import type { PoolerLine, Slice } from './slice.ts';
import type { WaitSampler } from './wait-sampler.ts';
import { untilAborted, warmUp } from './warm-up.ts';

export interface Measuring {
  readonly plan: Plan;
  readonly lanes: Lanes;
  readonly meter: LoadMeter;
  readonly sampler: WaitSampler;
  /** Measures the pooler's line; null without one. */
  readonly timeLine: ((signal: AbortSignal) => Promise<PoolerLine | null>) | null;
  readonly clock: Clock;
  readonly longestSilenceMs: number;
  readonly random: RandomSource;
  /** Fires on cancel and on a lost connection. */
  readonly signal: AbortSignal;
  /** Fires when the user wants the answer that there is by now. */
  readonly enough: AbortSignal;
  /** After each slice. */
  readonly onSlice: (evidence: Evidence, fraction: number) => void;
}

export type MeasuringEnd =
  | {
      readonly kind: 'decided';
      readonly decision: Exclude<Decision, { kind: 'continue' }>;
      readonly evidence: Evidence;
    }
  | { readonly kind: 'stopped'; readonly sentence: string }
  /** The signal fired. */
  | { readonly kind: 'aborted'; /** Of the time before. */ readonly evidence: Evidence };

/** Rounds over the sizes until the decision stands or the time is up. Leaves all lanes idle, or told to become so when the hard end came first. */
export async function measure(measuring: Measuring): Promise<MeasuringEnd> {
  const { plan, lanes, sampler, clock, signal } = measuring;
  const [hardEnd, finished] = [new AbortController(), new AbortController()];
  void clock
    .wait(plan.hardMs, AbortSignal.any([signal, finished.signal]))
    .then(() => hardEnd.abort());
  try {
    return await measureRounds({ ...measuring, over: hardEnd.signal });
  } finally {
    const isLate = hardEnd.signal.aborted;
    finished.abort();
    sampler.setSize(null);
    const idle = lanes.setSize(0);
    // A statement that stands in line for a lock behind all others may keep its lane for seconds. Whoever closes the sessions ends it.
    if (!isLate) await idle;
  }
}

interface Bounded extends Measuring {
  /** Fires at the hard end, and when the signal does. */
  readonly over: AbortSignal;
}

async function measureRounds(measuring: Bounded): Promise<MeasuringEnd> {
  const { plan, lanes, clock, random, signal, enough, over } = measuring;
  const started = clock.now();
  const slices: Slice[] = [];
  let sizes = plan.sizes;
  await warmUp([1, plan.sizes.at(-1) ?? 1], {
    lanes,
    clock,
    binMs: plan.sliceMs / binsOfSlice,
    limitMs: plan.measuringMs * warmShare,
    signal: AbortSignal.any([over, enough]),
  });
  for (let round = 0; !signal.aborted; round += 1) {
    const began = clock.now();
    const problem = await measureRound(measuring, { round, slices, started, sizes });
    if (signal.aborted) break;
    if (problem !== null) return { kind: 'stopped', sentence: problem };
    const stall = over.aborted ? describeStall(measuring, started) : null;
    if (stall !== null) return { kind: 'stopped', sentence: stall };
    const limit = round + 1 < fewestRounds ? plan.hardMs : plan.measuringMs;
    const isBudgetSpent =
      over.aborted || enough.aborted || 2 * clock.now() - began - started > limit;
    const isLong = clock.now() - started > plan.usualMs;
    const evidence = gather(measuring, { slices, sizes, isLong, isBudgetSpent });
    const decision = decide(evidence, random);
    if (decision.kind !== 'continue') return { kind: 'decided', decision, evidence };
    sizes = chooseNextSizes(evidence, plan, random) ?? sizes;
  }
  return {
    kind: 'aborted',
    evidence: gather(measuring, { slices, sizes, isLong: true, isBudgetSpent: true }),
  };
}

function describeStall(
  { lanes, clock, longestSilenceMs }: Measuring,
  started: number,
): string | null {
  const silentMs = clock.now() - (lanes.read().lastAt ?? started);
  return silentMs < longestSilenceMs
    ? null
    : `A connection ended in the middle of the probe: the server did not answer for ${Math.round(silentMs / 1000)} s, so the probe stopped and closed them all.`;
}

/** In the warm-up a tenth of a slice or less is looked at by itself. */
const binsOfSlice = 15;
/** Of the time for measuring. */
const warmShare = 0.15;

function gather(
  { plan, sampler }: Measuring,
  { slices, sizes, ...time }: Pick<Evidence, 'slices' | 'sizes' | 'isLong' | 'isBudgetSpent'>,
): Evidence {
  return {
    sizes: plan.sizes,
    current: sizes,
    slices: steadyForeignCores(slices),
    samples: sampler.read(),
    ...time,
    seconds: plan.seconds,
  };
}

interface RoundState {
  readonly round: number;
  readonly sizes: readonly number[];
  /** Of all rounds; this one adds to it. */
  readonly slices: Slice[];
  readonly started: number;
}

/** A sentence when the statements fail too often, else null. Ends early when the time is over. */
async function measureRound(measuring: Bounded, state: RoundState): Promise<string | null> {
  const { plan, lanes, clock, random, enough, over, timeLine } = measuring;
  const { round, slices, started, sizes } = state;
  const line = timeLine === null ? null : await timeLine(over);
  for (const size of shuffle([...sizes], random)) {
    const slice = await measureSlice(measuring, round, size);
    if (over.aborted) return null;
    if (slice !== null) slices.push(line === null ? slice : { ...slice, line });
    const problem = judgeErrors(lanes.read());
    if (problem !== null) return problem;
    if (slices.length > 0)
      measuring.onSlice(
        gather(measuring, { slices, sizes, isLong: false, isBudgetSpent: false }),
        Math.min(1, (clock.now() - started) / plan.measuringMs),
      );
    if (enough.aborted) return null;
  }
  return null;
}

/** Null when this process did not run all the time, so that nothing can be said. */
async function measureSlice(
  { plan, lanes, meter, sampler, clock, over }: Bounded,
  round: number,
  size: number,
): Promise<Slice | null> {
  await untilAborted(lanes.setSize(size), over);
  sampler.setSize(size);
  const switchedAt = clock.now();
  await clock.wait(plan.skipMs, over);
  const before = { load: meter.read(), counts: lanes.read() };
  await clock.wait(plan.sliceMs, over);
  const after = { load: meter.read(), counts: lanes.read() };
  if (wasHeldUp(plan.sliceMs, after.load.atMs - before.load.atMs)) return null;
  return {
    round,
    size,
    throughput: toThroughput(
      before.counts,
      after.counts,
      switchedAt,
      after.load.atMs - before.load.atMs,
    ),
    load: compareReadings(before.load, after.load),
  };
}

/**
 * Counts from the last statement before the slice to the last one in it: between fixed moments a count of 15 would be wrong by up to one,
 * which is as much as two sizes differ by. Half a statement stands for none, which has no logarithm.
 */
function toThroughput(
  before: LaneCounts,
  after: LaneCounts,
  switchedAt: number,
  wallMs: number,
): number {
  const completed = after.completed - before.completed;
  const isRunning = before.lastAt !== null && before.lastAt >= switchedAt;
  const ms =
    isRunning && completed > 0 && after.lastAt !== null && before.lastAt !== null
      ? after.lastAt - before.lastAt
      : wallMs;
  return (Math.max(0.5, completed) / Math.max(1, ms)) * 1000;
}
