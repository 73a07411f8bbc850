import { countErrors, listErrors, type Latency, type PoolLoad } from '../load/pool-load.ts';
import { milliseconds, sentences } from '../verdict-words.ts';
import type { Inflection, RampCell, RampResult } from './ramp-result.ts';

export interface RampJudgement {
  readonly inflections: readonly Inflection[];
  readonly verdict: RampResult['verdict'] & {
    readonly kind: 'keeps-up' | 'falls-behind' | 'no-answers';
  };
}

/** A larger share of lost arrivals is no accident. */
const mostLost = 0.001;
/** A tail that is so many times as long as at the slowest rate, and mostly wait, is a line that does not go away. */
const tailGrowth = 5;
/** Of the time in which requests came: so much longer the line took to go away after the last of them. */
const longestDrain = 0.15;

/** Where each size stops keeping up; cells by size, then by rising rate, each of `windowMs` of arrivals. */
export function judgeRamp(cells: readonly RampCell[], windowMs: number): RampJudgement {
  const sizes = [...new Set(cells.map(({ max }) => max))];
  const inflections = sizes.map((max) =>
    findInflection(
      cells.filter((cell) => cell.max === max),
      windowMs,
    ),
  );
  if (cells.every(({ load }) => load.requests === 0))
    return { inflections, verdict: { kind: 'no-answers', because: 'No request was answered.' } };
  const steady = inflections.find(({ rate }) => rate === null);
  const because = sentences([
    ...inflections.map(describeInflection),
    steady === undefined || steady === inflections.at(-1)
      ? null
      : `${steady.max} is enough: a larger pool is not needed for these rates.`,
  ]);
  return {
    inflections,
    verdict: { kind: steady === undefined ? 'falls-behind' : 'keeps-up', because },
  };
}

function describeInflection({ max, rate, because }: Inflection): string {
  return rate === null
    ? `A pool of ${max} keeps up: ${because}.`
    : `A pool of ${max} stops keeping up at ${rate}/s: ${because}.`;
}

function findInflection(cells: readonly RampCell[], windowMs: number): Inflection {
  const [first] = cells;
  for (const { max, rate, load } of cells) {
    const signs =
      first === undefined
        ? []
        : listSigns(load, first.load, rate === first.rate ? null : first.rate, windowMs);
    if (signs.length > 0) return { max, rate, because: signs.join(', and ') };
  }
  return { max: first?.max ?? 0, rate: null, because: describeSteady(cells.at(-1)) };
}

function describeSteady(last: RampCell | undefined): string {
  const latency = last?.load.latency ?? null;
  const tail = latency === null ? null : tailsOf(latency, latency);
  return `at ${last?.rate ?? 0}/s ${tail === null ? 'nothing was lost' : `${tail.name} is ${milliseconds(tail.now)} and nothing is lost that matters`}`;
}

function listSigns(
  load: PoolLoad,
  slowest: PoolLoad,
  slowestRate: number | null,
  windowMs: number,
): readonly string[] {
  return [
    describeLost(load),
    describeDrain(load, windowMs),
    slowestRate === null ? null : describeTail(load, slowest, slowestRate),
  ].filter((sign) => sign !== null);
}

function describeLost({ requests, errors, dropped }: PoolLoad): string | null {
  const lost = countErrors(errors) + dropped;
  const share = lost / Math.max(1, lost + requests);
  if (share <= mostLost) return null;
  const causes = [...listErrors(errors), ...(dropped > 0 ? [`${dropped} never begun`] : [])];
  return `${formatShare(share)} of the arrivals were lost (${causes.join(', ')})`;
}

function describeDrain({ seconds, database }: PoolLoad, windowMs: number): string | null {
  const drainMs = seconds * 1000 - windowMs;
  if (drainMs <= longestDrain * windowMs + 2 * (database?.p50Ms ?? 0)) return null;
  return `its line took ${milliseconds(drainMs)} to go away after the last arrival`;
}

function describeTail(
  { latency, wait }: PoolLoad,
  slowest: PoolLoad,
  slowestRate: number,
): string | null {
  if (latency === null || slowest.latency === null) return null;
  const { name, now, before } = tailsOf(latency, slowest.latency);
  if (now < tailGrowth * before) return null;
  if (wait !== null && wait.averageMs < latency.averageMs / 2) return null;
  return `${name} is ${milliseconds(now)}, ${Math.round(now / before)} times that at ${slowestRate}/s`;
}

/** The highest percentile that both have. */
function tailsOf(
  now: Latency,
  before: Latency,
): { readonly name: string; readonly now: number; readonly before: number } {
  if (now.p99Ms !== null && before.p99Ms !== null)
    return { name: 'p99', now: now.p99Ms, before: before.p99Ms };
  if (now.p95Ms !== null && before.p95Ms !== null)
    return { name: 'p95', now: now.p95Ms, before: before.p95Ms };
  return { name: 'the median', now: now.p50Ms, before: before.p50Ms };
}

function formatShare(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
