import { mean, quantile, sampleWithReplacement, sum } from 'simple-statistics';
import { countErrors } from '../load/pool-load.ts';
import type { RandomSource } from '../random.ts';
import { fewestRounds } from '../size/plan.ts';
import { correctionOf } from '../size/contention.ts';
import type { SizeResult } from '../size/size-result.ts';
import type { Slice } from '../size/slice.ts';
import { goodShare } from '../size/statistics.ts';
import { share } from '../verdict-words.ts';
import type { Comparison, PairedRatio, Picked } from './comparison.ts';

/** So much larger a share of failed requests than before is worse, whatever the throughput. */
const moreErrors = 0.01;

/** Judges an earlier answer by a run that measured its size again, beside the others and in the same rounds. */
export function compareWithBaseline(
  baseline: SizeResult,
  current: SizeResult,
  random: RandomSource,
): Comparison {
  const then = pickedBy(baseline);
  const now = pickedBy(current);
  const paired = then.size === null ? null : pairWithBest(then.size, current, random);
  return {
    baseline: then,
    now,
    paired,
    scaling: listScaling(baseline, current),
    verdict: judge({ baseline, current, then, now, paired }),
    differences: [...listDifferences(baseline, current)],
  };
}

function pickedBy({ startedAt, goodSize, recommendation }: SizeResult): Picked {
  return {
    startedAt,
    size: goodSize ?? recommendation?.max ?? null,
    max: recommendation?.max ?? null,
    interval: recommendation?.interval ?? null,
    confidence: recommendation?.confidence ?? null,
  };
}

/** The best of the sizes that ran in enough of the same rounds; large sizes may have been spared in later ones. */
function pairWithBest(size: number, current: SizeResult, random: RandomSource): PairedRatio | null {
  for (const other of [...current.sizes].sort((a, b) => b.throughput - a.throughput)) {
    const pair = pairedRatio(current.slices, size, other.size, random);
    if (pair !== null && pair.rounds >= fewestRounds) return pair;
  }
  return null;
}

interface Case {
  readonly baseline: SizeResult;
  readonly current: SizeResult;
  readonly then: Picked;
  readonly now: Picked;
  readonly paired: PairedRatio | null;
}

function judge({ baseline, current, then, now, paired }: Case): Comparison['verdict'] {
  if (then.size === null || then.max === null)
    return {
      kind: 'too-noisy',
      because: 'The baseline names no size, so there is nothing to hold against. Make a new one.',
    };
  const worse = findWorse(baseline, current, then.max);
  if (worse !== null) return { kind: 'worse', because: worse };
  if (current.verdict.kind === 'too-noisy' || now.size === null)
    return {
      kind: 'too-noisy',
      because: `This run was too noisy to judge by. ${current.verdict.because}`,
    };
  if (paired === null)
    return {
      kind: 'too-noisy',
      because: `${then.size} ran in fewer than ${fewestRounds} of the rounds. Run it again with more seconds.`,
    };
  return judgeRatio(paired, {
    size: then.size,
    newSize: now.size,
    high: curveHigh(current, now.size),
  });
}

/** The upper bound of the new pick as a size on the curve: its interval is per pool where pools share the server. */
function curveHigh({ recommendation }: SizeResult, size: number): number {
  if (recommendation === null) return size;
  return (size / Math.max(1, recommendation.max)) * recommendation.interval[1];
}

function judgeRatio(
  paired: PairedRatio,
  {
    size,
    newSize,
    high,
  }: { readonly size: number; readonly newSize: number; readonly high: number },
): Comparison['verdict'] {
  const told = `In the same rounds ${size} did ${share(paired.ratio)} of what ${paired.against} did (${share(paired.low)} to ${share(paired.high)})`;
  if (paired.high < goodShare) {
    return size < paired.against
      ? {
          kind: 'larger-needed',
          because: `${told}: more connections bring more now, ${newSize} are enough.`,
        }
      : {
          kind: 'smaller-is-enough',
          because: `${told}: fewer connections do more now, ${newSize} are enough.`,
        };
  }
  if (paired.ratio < goodShare)
    return {
      kind: 'too-noisy',
      because: `${told}, which lies on both sides of ${share(goodShare)}. Run it again with more seconds.`,
    };
  if (high < size)
    return {
      kind: 'smaller-is-enough',
      because: `${told}, and so do ${newSize}: fewer connections are enough.`,
    };
  return { kind: 'unchanged', because: `${told}: it is still right.` };
}

/** What makes the old size wrong whatever it achieves: more failures, or limits that it no longer fits. */
function findWorse(baseline: SizeResult, current: SizeResult, max: number): string | null {
  const [before, after] = [failedShare(baseline), failedShare(current)];
  if (after > before + moreErrors)
    return `${share(after)} of the requests of the check failed, ${share(before)} in the baseline.`;
  const [tightest] = current.limits.limits;
  if (tightest !== undefined && max > tightest.perPool) {
    return `max ${max} in each of ${current.limits.pools} pool${current.limits.pools === 1 ? '' : 's'} is beyond what ${tightest.name} leaves: ${tightest.arithmetic}.`;
  }
  return null;
}

/** Of the requests to the real pool, 0 to 1; 0 where there was no check. */
function failedShare({ validation }: SizeResult): number {
  const loads = [validation?.closed?.load, validation?.open?.load].filter(
    (load) => load !== undefined,
  );
  const failed = sum(loads.map(({ errors, dropped }) => countErrors(errors) + dropped));
  const answered = sum(loads.map(({ requests }) => requests));
  return failed === 0 ? 0 : failed / (failed + answered);
}

function listScaling(baseline: SizeResult, current: SizeResult): Comparison['scaling'] {
  const then = new Map(baseline.sizes.map(({ size, throughput }) => [size, throughput]));
  const both = current.sizes.flatMap(({ size, throughput }) => {
    const before = then.get(size);
    return before === undefined ? [] : [{ size, before, throughput }];
  });
  const [first] = both;
  return first === undefined
    ? []
    : both.map(({ size, before, throughput }) => ({
        size,
        then: before / first.before,
        now: throughput / first.throughput,
      }));
}

function* listDifferences(baseline: SizeResult, current: SizeResult): Generator<string> {
  const texts = ({ workload }: SizeResult) =>
    JSON.stringify(workload.statements.map(({ text, parameters }) => [text, parameters]));
  if (texts(baseline) !== texts(current)) yield 'The baseline was measured with another workload.';
  if (baseline.server.version !== current.server.version)
    yield `The server was PostgreSQL ${baseline.server.version} then, and is ${current.server.version} now.`;
  if (baseline.server.host !== current.server.host || baseline.server.port !== current.server.port)
    yield `The server was ${baseline.server.host}:${baseline.server.port} then, and is ${current.server.host}:${current.server.port} now.`;
  if (baseline.machine.cores !== current.machine.cores)
    yield `The probe ran on ${baseline.machine.cores} cores then, and on ${current.machine.cores} now.`;
  if (baseline.limits.pools !== current.limits.pools)
    yield `There were ${baseline.limits.pools} pools then, and there are ${current.limits.pools} now.`;
}

const draws = 1000;

/**
 * The throughput of one size as a share of another's, from the rounds that have both: what slowed a round slowed both, and
 * drops out. Bounds by a bootstrap over the logarithms of the rounds. Null when no round has both.
 */
export function pairedRatio(
  slices: readonly Slice[],
  size: number,
  against: number,
  random: RandomSource,
): PairedRatio | null {
  const of = (wanted: number) =>
    new Map(
      slices
        .filter((slice) => slice.size === wanted)
        .map((slice) => [slice.round, Math.log(slice.throughput) + correctionOf(slice)]),
    );
  const others = of(against);
  const differences = [...of(size)].flatMap(([round, value]) => {
    const other = others.get(round);
    return other === undefined ? [] : [value - other];
  });
  if (differences.length === 0) return null;
  const drawn = Array.from({ length: draws }, () =>
    mean(sampleWithReplacement(differences, differences.length, random)),
  );
  return {
    size,
    against,
    ratio: Math.exp(mean(differences)),
    low: Math.exp(quantile(drawn, 0.05)),
    high: Math.exp(quantile(drawn, 0.95)),
    rounds: differences.length,
  };
}
