import { median, sum } from 'simple-statistics';
import type { RandomSource } from '../random.ts';
import { milliseconds, share } from '../verdict-words.ts';
import { acceptSlices, meanForeignCores, needsCpu } from './noise-gate.ts';
import { chooseSizes, fewestRounds, leastRounds, type Plan } from './plan.ts';
import type { SizeResult } from './size-result.ts';
import type { Slice, WaitSamples } from './slice.ts';
import { type Estimate, estimatePick, toMeanMs } from './statistics.ts';

export interface Evidence {
  /** Planned, in order of size. */
  readonly sizes: readonly number[];
  /** Those of the last round: some were spared, and one may have been added between two of the plan. */
  readonly current: readonly number[];
  readonly slices: readonly Slice[];
  readonly samples: readonly WaitSamples[];
  /** True when no further round fits. */
  readonly isBudgetSpent: boolean;
}

export type Decision =
  | { readonly kind: 'continue'; readonly because: string }
  | { readonly kind: 'found'; readonly verdict: SizeResult['verdict']; readonly estimate: Estimate }
  | {
      readonly kind: 'inconclusive';
      readonly verdict: SizeResult['verdict'];
      /** Of everything measured, believed or not. Null when nothing was. */ readonly estimate: Estimate | null;
    };

/** The sizes of the next round, or null to keep them: a curve of one round says too little. */
export function chooseNextSizes(
  { slices, samples }: Evidence,
  plan: Pick<Plan, 'sizes'>,
  random: RandomSource,
): readonly number[] | null {
  const accepted = acceptSlices(slices, samples);
  const measured = [...new Set(slices.map(({ size }) => size))];
  const isComplete = plan.sizes.every((size) => countSlices(accepted, size) >= roundsBeforeSparing);
  return isComplete ? chooseSizes(plan, measured, estimatePick(accepted, random, draws)) : null;
}

/** The same answer must be this sure after two rounds in a row. */
const sureEnough = 0.9;
/** Below this, and with a wide interval, there is no answer. */
const unsure = 0.6;
const wideInterval = 3;
const draws = 500;
/** A size that was added on the way lends its strength from its neighbours. */
const fewestOfAdded = 2;
const roundsBeforeSparing = 2;

/** Looks at all rounds so far: go on, or stop with a verdict. */
export function decide(evidence: Evidence, random: RandomSource): Decision {
  const accepted = acceptSlices(evidence.slices, evidence.samples);
  // A bootstrap over fewer slices of a size means nothing: one slice each once gave a confidence of 1.00.
  const isEnough = evidence.current.every(
    (size) =>
      countSlices(accepted, size) >= (evidence.sizes.includes(size) ? fewestRounds : fewestOfAdded),
  );
  if (!isEnough)
    return evidence.isBudgetSpent
      ? giveUp(evidence, random)
      : { kind: 'continue', because: 'Some sizes have too few slices.' };
  const estimate = estimatePick(accepted, random, draws);
  if (!evidence.isBudgetSpent && !isSureTwice(accepted, estimate, random)) {
    return {
      kind: 'continue',
      because: `${estimate.pick} leads with a confidence of ${share(estimate.confidence)}.`,
    };
  }
  return estimate.confidence < unsure && estimate.interval[1] > wideInterval * estimate.interval[0]
    ? {
        kind: 'inconclusive',
        estimate,
        verdict: { kind: 'too-noisy', because: describeSpread(estimate) },
      }
    : { kind: 'found', estimate, verdict: judge(evidence, accepted, estimate) };
}

function countSlices(slices: readonly Slice[], size: number): number {
  return slices.filter((slice) => slice.size === size).length;
}

function isSureTwice(slices: readonly Slice[], estimate: Estimate, random: RandomSource): boolean {
  const rounds = new Set(slices.map(({ round }) => round));
  if (rounds.size < leastRounds || estimate.confidence < sureEnough) return false;
  const lastRound = Math.max(...rounds);
  const before = estimatePick(
    slices.filter(({ round }) => round !== lastRound),
    random,
    draws,
  );
  return before.pick === estimate.pick && before.confidence >= sureEnough;
}

function giveUp({ slices, samples }: Evidence, random: RandomSource): Decision {
  if (slices.length === 0)
    return {
      kind: 'inconclusive',
      estimate: null,
      verdict: {
        kind: 'too-noisy',
        because: 'The time was up before a single size was measured. Give the probe more seconds.',
      },
    };
  const estimate = estimatePick(slices, random, draws);
  const foreign = meanForeignCores(slices.filter((slice) => !slice.quiet));
  const quiet = slices.filter((slice) => slice.quiet).length;
  if (!needsCpu(samples) || quiet === slices.length) {
    return {
      kind: 'inconclusive',
      estimate,
      verdict: {
        kind: 'too-noisy',
        because: `There was no time for three slices of each size. What was measured points to ${describeInterval(estimate)}. Give the probe more seconds, or fewer sizes by a smaller --max.`,
      },
    };
  }
  return {
    kind: 'inconclusive',
    estimate,
    verdict: {
      kind: 'too-noisy',
      because: `${quiet} of ${slices.length} slices ran undisturbed${foreign === null ? '' : `: other programs used ${foreign.toFixed(1)} cores of this machine`}. The disturbed curve points to ${describeInterval(estimate)}, but it flatters large pools. Close other programs, or give the probe more seconds, and run it again.`,
    },
  };
}

function describeSpread(estimate: Estimate): string {
  return `The rounds disagree: anything from ${describeInterval(estimate)} could be the smallest good size (confidence ${share(estimate.confidence)}). Run the probe again when the machine is quieter, or with more seconds.`;
}

function judge(
  evidence: Evidence,
  accepted: readonly Slice[],
  estimate: Estimate,
): SizeResult['verdict'] {
  const largest = evidence.sizes.at(-1) ?? 1;
  if (estimate.pick === largest && evidence.sizes.length > 1)
    return { kind: 'not-saturated', because: describeNotSaturated(estimate) };
  const bottleneck = findBottleneck(estimate.pick, accepted, evidence.samples);
  return {
    kind: verdictKinds[bottleneck.kind],
    because: `${describePick(estimate)} ${describeBottleneck(bottleneck, estimate)}`.trim(),
  };
}

const verdictKinds = {
  none: 'found',
  lock: 'lock-bound',
  client: 'client-bound',
  host: 'host-bound',
} as const;

function describePick({ pick, curve }: Estimate): string {
  const best = curve.reduce((most, point) => (point.throughput > most.throughput ? point : most));
  const own = curve.find(({ size }) => size === pick)?.throughput ?? 0;
  if (best.size === pick)
    return `${count(pick)} ${pick === 1 ? 'does' : 'do'} ${rate(own)}, and no other size does more.`;
  return `${count(pick)} ${pick === 1 ? 'does' : 'do'} ${rate(own)}, ${share(own / best.throughput)} of the most that any size did (${rate(best.throughput)} with ${best.size}).`;
}

function describeBottleneck(bottleneck: Bottleneck, { pick }: Estimate): string {
  switch (bottleneck.kind) {
    case 'none':
      return '';
    case 'lock':
      return `Beyond that, backends queue for a lock (${bottleneck.event}, ${share(bottleneck.share)} of the samples): more clients only make the queue longer. Shorten the time the lock is held.`;
    case 'client':
      return bottleneck.threads === 1
        ? `Beyond that, this Node process is the limit (its event loop is full and it uses ${bottleneck.ownCores.toFixed(1)} cores): one process of your application cannot keep more than ${pick} busy with this statement either. What the database itself could do, more threads show (--threads).`
        : `Beyond that, the ${bottleneck.threads} threads of the probe are the limit (their event loops are full and use ${bottleneck.ownCores.toFixed(1)} cores): the database may be able to do more.`;
    case 'host':
      return `Beyond that, the ${bottleneck.cores} cores of this machine are used up, and the probe itself is starved: the answer holds where database and application share a machine.`;
  }
}

function describeNotSaturated({ pick, curve }: Estimate): string {
  const most = curve.find(({ size }) => size === pick)?.throughput ?? 0;
  const meanMs = toMeanMs({ size: pick, throughput: most });
  return `Up to ${count(pick)}, the largest size of this run, every client added throughput (${rate(most)}): the database is not the limit yet. Size the pool by demand: each request per second at the peak holds a client for ${milliseconds(meanMs)}, so max = peak rate × ${(meanMs / 1000).toPrecision(2)} s × 1.2.`;
}

function describeInterval({ interval: [low, high] }: Estimate): string {
  return low === high ? `${low}` : `${low} to ${high}`;
}

function count(clients: number): string {
  return `${clients} client${clients === 1 ? '' : 's'}`;
}

function rate(perSecond: number): string {
  return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString('en-US')} statements/s`;
}

/** What kept larger pools from doing more. `none` is known about it: most often the server's CPU. */
type Bottleneck =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'lock';
      /** For example "Lock: advisory". */ readonly event: string;
      /** Of the samples, 0 to 1. */ readonly share: number;
    }
  | { readonly kind: 'client'; readonly ownCores: number; readonly threads: number }
  | { readonly kind: 'host'; readonly cores: number };

/** Fewer samples than this prove nothing. */
const fewestSamples = 20;

/** Names the bottleneck from what was seen at and beyond the picked size. */
function findBottleneck(
  pick: number,
  slices: readonly Slice[],
  samples: readonly WaitSamples[],
): Bottleneck {
  const lock = findLock(samples.filter(({ size }) => size > pick));
  if (lock !== null) return lock;
  const beyond = slices.filter(({ size }) => size >= pick);
  if (beyond.length === 0) return { kind: 'none' };
  const typical = (read: (slice: Slice) => number) => median(beyond.map(read));
  const eventLoop = typical(({ load }) => load.eventLoop);
  const ownCores = typical(({ load }) => load.ownCores);
  const idleShare = typical(({ load }) => load.idleCores / load.cores);
  if (eventLoop < 0.95) return { kind: 'none' };
  const threads = beyond[0]?.load.threads ?? 1;
  if (ownCores >= 0.85 * threads) return { kind: 'client', ownCores, threads };
  // A busy event loop in a process that gets little CPU means that the whole machine has none left.
  if (ownCores < 0.7 * threads && idleShare < 0.05)
    return { kind: 'host', cores: beyond[0]?.load.cores ?? 1 };
  return { kind: 'none' };
}

function findLock(samples: readonly WaitSamples[]): Bottleneck | null {
  const waits = samples.flatMap(({ waiting }) => waiting);
  const seen = sum(samples.map(({ running }) => running)) + sum(waits.map(({ count }) => count));
  const locks = waits.filter(
    ({ type }) => type === 'Lock' || type === 'LWLock' || type === 'BufferPin',
  );
  const locked = sum(locks.map(({ count }) => count));
  if (seen < fewestSamples || locked < seen / 2) return null;
  const byEvent = new Map<string, number>();
  for (const { type, event, count } of locks)
    byEvent.set(`${type}: ${event}`, (byEvent.get(`${type}: ${event}`) ?? 0) + count);
  const [event] = [...byEvent].reduce((most, each) => (each[1] > most[1] ? each : most));
  return { kind: 'lock', event, share: locked / seen };
}
