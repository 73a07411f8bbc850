import { countErrors } from '../probe/load/pool-load.ts';
import { count } from '../probe/verdict-words.ts';
import type { K6Result } from './k6-result.ts';

export interface K6Judgement {
  readonly kind: 'no-answers' | 'dropped' | 'failed' | 'crossed' | 'kept-up';
  /** Whole sentences, the most important first. */
  readonly sentences: readonly string[];
}

/** More of all that was begun than this is no accident: k6's own example thresholds draw the line there. */
const toleratedShare = 0.01;
/** A few arrivals are dropped while the first VUs are being made. */
const toleratedDrops = 10;
/** Of the arrivals that were meant. */
const lateShare = 0.02;
const toleratedMs = 1000;

/** What a run of k6 says of the application: first whether the load was what was asked for, then how it fared. */
export function judgeK6(result: K6Result): K6Judgement {
  const { requests, dropped, latency } = result;
  const failed = countErrors(result.errors);
  const late = latency === null ? 0 : countLate(result, failed);
  const kind =
    latency === null
      ? 'no-answers'
      : dropped >= toleratedDrops || late > 0
        ? 'dropped'
        : failed > toleratedShare * (requests + failed)
          ? 'failed'
          : crossedOf(result).length > 0
            ? 'crossed'
            : 'kept-up';
  return {
    kind,
    sentences: [
      ...describeEarlyEnd(result),
      ...sentenceOf[kind](result, failed),
      ...describeLate(late),
      ...thresholdSentences(result),
      ...underWay(result),
    ],
  };
}

/** An end by Ctrl-C, or by whoever aborts the run. */
function describeEarlyEnd(result: K6Result): readonly string[] {
  const [ran, meant] = [result.elapsedMs / 1000, meantSeconds(result)];
  return endedEarly(result)
    ? [`The run ended after ${ran.toFixed(1)} of ${meant.toFixed(1)} s.`]
    : [];
}

function endedEarly(result: K6Result): boolean {
  return result.elapsedMs < meantSeconds(result) * 1000 - toleratedMs;
}

function meantSeconds({ load: { stages } }: K6Result): number {
  return stages.reduce((sum, { seconds }) => sum + seconds, 0);
}

/**
 * Arrivals that were meant and that k6 neither began nor counted as dropped: what it has not got round to when the run ends, it forgets.
 * 0 where that is few, or where it cannot be told.
 */
function countLate(result: K6Result, failed: number): number {
  const { load, requests, dropped, segment } = result;
  if (load.form === 'users' || segment !== null || endedEarly(result)) return 0;
  const isRise = result.from === 'probe sweep' || result.from === 'sweep';
  const meant = load.stages.reduce(
    (sum, { seconds, target }, index) =>
      sum + seconds * (isRise ? (target + (load.stages[index - 1]?.target ?? 0)) / 2 : target),
    0,
  );
  const late = meant - requests - failed - dropped;
  return late > Math.max(toleratedDrops, lateShare * meant) ? Math.round(late) : 0;
}

function describeLate(late: number): readonly string[] {
  return late === 0
    ? []
    : [
        `${count(late)} planned arrivals never started. k6 does not count them as dropped; its machine was overloaded.`,
      ];
}

function crossedOf({ thresholds }: K6Result) {
  return thresholds.filter(({ passed }) => !passed);
}

const sentenceOf: Readonly<
  Record<K6Judgement['kind'], (result: K6Result, failed: number) => readonly string[]>
> = {
  'no-answers': (_result, failed) => [
    failed === 0
      ? 'No request was sent: the run ended before the first response.'
      : `Not one of ${count(failed)} requests succeeded. Check that the application is running and the URL is right.`,
  ],
  dropped: (result, failed) => [
    ...(result.dropped < toleratedDrops ? [] : [describeDrops(result)]),
    ...(failed === 0 ? [] : [describeFailed(result, failed)]),
  ],
  failed: (result, failed) => [describeFailed(result, failed)],
  crossed: (result) => [
    `${count(result.requests)} requests were answered, ${count(result.throughput)} a second, but a threshold was crossed.`,
  ],
  'kept-up': (result, failed) => [
    `The application kept up: ${count(result.requests)} requests were answered, ${count(result.throughput)} a second, ${failed === 0 ? 'and none failed' : `and ${count(failed)} failed`}.`,
    ...(result.dropped === 0
      ? []
      : [`k6 dropped ${count(result.dropped)} iterations, too few to count.`]),
  ],
};

/** VUs that ran out say that answers were slow; else k6 itself had no time. */
function describeDrops({
  dropped,
  requests,
  errors,
  allocatedVUs,
  load: { maxVUs },
}: K6Result): string {
  const meant = dropped + requests + countErrors(errors);
  const isExhausted = maxVUs !== null && allocatedVUs >= maxVUs;
  const why = isExhausted
    ? `all ${count(maxVUs)} VUs were waiting for answers. Use more VUs (MAX_VUS) to see how long the queue grows, or make the application faster`
    : `no VU was free in time, although k6 may start up to ${count(maxVUs ?? 0)}. Start with more VUs (a larger EXPECTED_MS), make the application faster, or run k6 on a machine with idle cores`;
  return `k6 dropped ${count(dropped)} iterations, ${share(dropped / meant)} of all, so the load was lower than planned: ${why}.`;
}

function describeFailed({ requests, errors }: K6Result, failed: number): string {
  const causes = Object.entries(errors).sort(([, one], [, other]) => other - one);
  return `${count(failed)} ${failed === 1 ? 'request' : 'requests'} failed, ${share(failed / (requests + failed))} of those sent: ${causes.map(([cause, times]) => `${count(times)} × ${cause}`).join(', ')}.`;
}

function thresholdSentences(result: K6Result): readonly string[] {
  const crossed = crossedOf(result);
  if (crossed.length === 0) return [];
  return [
    `${crossed.length === 1 ? 'A threshold was' : `${crossed.length} thresholds were`} crossed, for which k6 exits with 99: ${crossed.map(({ metric, condition }) => `${metric} (${condition})`).join(', ')}.`,
  ];
}

/** Little's law over the whole run. */
function underWay({ latency, throughput, pool, pools }: K6Result): readonly string[] {
  if (latency === null) return [];
  const requests = (throughput * latency.averageMs) / 1000;
  const clients =
    pool === null
      ? ''
      : `, where ${pools === 1 ? `a pool of ${count(pool)} has` : `${count(pools)} pools of ${count(pool)} have`} ${count(pool * pools)} clients`;
  return [
    `On average ${requests < 10 ? requests.toFixed(1) : count(requests)} requests were in flight at once${clients}.`,
  ];
}

function share(value: number): string {
  return `${value < 0.1 ? (value * 100).toFixed(1) : Math.round(value * 100)} %`;
}
