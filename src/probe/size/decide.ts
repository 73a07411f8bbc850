import { median, sum } from 'simple-statistics';
import type { RandomSource } from '../random.ts';
import { milliseconds, share } from '../verdict-words.ts';
import { meanForeignCores } from './contention.ts';
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
  /** True when it has lasted as long as a probe usually may. */
  readonly isLong: boolean;
  /** For the whole probe. */
  readonly seconds: number;
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
  { slices }: Evidence,
  plan: Pick<Plan, 'sizes'>,
  random: RandomSource,
): readonly number[] | null {
  const measured = [...new Set(slices.map(({ size }) => size))];
  const isComplete = plan.sizes.every((size) => countSlices(slices, size) >= roundsBeforeSparing);
  return isComplete ? chooseSizes(plan, measured, estimatePick(slices, random, draws)) : null;
}

/** The same answer must be this sure after two rounds in a row. */
const sureEnough = 0.9;
/** A wider interval, from end to end, is no answer. */
const widestInterval = 4;
/** Where others use half of the cores, the curve is more of a model than measured: then nor is one this wide whose pick is less likely right than wrong. */
const widestBesideOthers = 2;
const muchOfOthers = 0.5;
const draws = 500;
/** Slices of each size without which there is no answer. A size that was added on the way needs no more: its neighbours lend it their strength. */
const fewestOfAdded = 2;
const roundsBeforeSparing = 2;

/** Looks at all rounds so far: go on, or stop with a verdict. */
export function decide(evidence: Evidence, random: RandomSource): Decision {
  const { slices, isBudgetSpent } = evidence;
  if (slices.length === 0)
    return isBudgetSpent
      ? { kind: 'inconclusive', estimate: null, verdict: describeShortTime(evidence) }
      : { kind: 'continue', because: 'Nothing was measured.' };
  const estimate = estimatePick(slices, random, draws);
  if (!isBudgetSpent && !(hasEnough(evidence) && isSureTwice(evidence, estimate, random)))
    return {
      kind: 'continue',
      because: `${estimate.pick} is the best so far, with a confidence of ${share(estimate.confidence)}.`,
    };
  if (!isMeasured(evidence))
    return { kind: 'inconclusive', estimate, verdict: describeShortTime(evidence) };
  return isVague(estimate, othersShare(slices))
    ? { kind: 'inconclusive', estimate, verdict: describeNoise(evidence, estimate) }
    : { kind: 'found', estimate, verdict: judge(evidence, estimate) };
}

function isVague({ confidence, interval: [low, high] }: Estimate, others: number): boolean {
  const isUnlikely = others >= muchOfOthers && confidence < 0.5;
  return high > widestInterval * low || (isUnlikely && high >= widestBesideOthers * low);
}

/** Of all cores, what others used on average; 0 where that is out of sight. */
function othersShare(slices: readonly Slice[]): number {
  return (meanForeignCores(slices) ?? 0) / (slices[0]?.load.cores ?? 1);
}

/** A curve of a single round knows no noise, and one without some of its sizes would be guessed there. */
function isMeasured({ sizes, slices }: Evidence): boolean {
  return sizes.every((size) => countSlices(slices, size) >= fewestOfAdded);
}

/** Fewer slices of a size leave its place on the curve to the others. */
function hasEnough({ current, sizes, slices }: Evidence): boolean {
  return current.every(
    (size) => countSlices(slices, size) >= (sizes.includes(size) ? fewestRounds : fewestOfAdded),
  );
}

function countSlices(slices: readonly Slice[], size: number): number {
  return slices.filter((slice) => slice.size === size).length;
}

/** From end to end, or one size and the next: more rounds would hardly tell these apart. */
const narrowInterval = 1.5;

/** Sure with the last round and without it; after the usual time a narrow interval that stays as it is will do. */
function isSureTwice({ slices, isLong }: Evidence, now: Estimate, random: RandomSource): boolean {
  const rounds = new Set(slices.map(({ round }) => round));
  if (rounds.size < leastRounds) return false;
  const isClear = ({ confidence, interval: [low, high] }: Estimate) =>
    confidence >= sureEnough || (isLong && (high - low <= 1 || high <= narrowInterval * low));
  if (!isClear(now)) return false;
  const lastRound = Math.max(...rounds);
  const before = estimatePick(
    slices.filter(({ round }) => round !== lastRound),
    random,
    draws,
  );
  return before.pick === now.pick && isClear(before);
}

function describeShortTime({ slices, seconds }: Evidence): SizeResult['verdict'] {
  const measured =
    slices.length === 0 ? 'a single size was measured' : 'every size was measured twice';
  return {
    kind: 'too-noisy',
    because: `It ended before ${measured}. Give the probe more time: --seconds ${2 * seconds}.`,
  };
}

/** Others that use less than this share of all cores are not worth closing. */
const worthClosing = 0.1;

function describeNoise({ slices, seconds }: Evidence, estimate: Estimate): SizeResult['verdict'] {
  const foreign = meanForeignCores(slices) ?? 0;
  const cores = slices[0]?.load.cores ?? 1;
  const others =
    othersShare(slices) < worthClosing
      ? ''
      : ` Other programs used ${foreign.toFixed(1)} of ${cores} cores: close what you can.`;
  return {
    kind: 'too-noisy',
    because: `Anything from ${describeInterval(estimate)} could be the smallest good size.${others} More time narrows it: --seconds ${2 * seconds}.`,
  };
}

function judge(evidence: Evidence, estimate: Estimate): SizeResult['verdict'] {
  const largest = evidence.sizes.at(-1) ?? 1;
  if (estimate.pick === largest && evidence.sizes.length > 1)
    return { kind: 'not-saturated', because: describeNotSaturated(estimate) };
  const bottleneck = findBottleneck(estimate.pick, evidence.slices, evidence.samples);
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
    return `Modelled, ${count(pick)} ${pick === 1 ? 'does' : 'do'} ${rate(own)}, and no other size does more.`;
  return `Modelled, ${count(pick)} ${pick === 1 ? 'does' : 'do'} ${rate(own)}, ${share(own / best.throughput)} of peak throughput (${rate(best.throughput)} with ${best.size}).`;
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
  return `Up to ${count(pick)}, the largest size of this run, every client added throughput (modelled, ${rate(most)}): the database is not the limit yet. Size the pool by demand: each request per second at the peak holds a client for ${milliseconds(meanMs)}, so max = peak rate × ${(meanMs / 1000).toPrecision(2)} s × 1.2.`;
}

function describeInterval({ interval: [low, high] }: Estimate): string {
  return low === high ? `${low}` : `${low} to ${high}`;
}

function count(clients: number): string {
  return `${clients} client${clients === 1 ? '' : 's'}`;
}

/** For example "1,320 statements/s". */
export function rate(perSecond: number): string {
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
