import type { CounterSample, Times } from '../../monitor/report.ts';
import type { HealthCard } from './health-card.ts';
import { heldByPlace } from './held-by-place.ts';
import type { RunningPool } from './running-app.ts';

/** What the looks of the last seconds say together. */
export interface HealthFacts {
  readonly max: number;
  readonly total: number;
  readonly seconds: number;
  /** There are looks enough, over long enough, to speak of what lasts. */
  readonly isSteady: boolean;
  readonly acquired: number;
  /** Callers that got no client. */
  readonly failed: number;
  readonly peakWaiting: number;
  readonly leastWaiting: number;
  /** Clients that are idle or may still be opened: at the last sample, and the most at any. */
  readonly free: number;
  readonly mostFree: number;
  readonly mostIdle: number;
  /** Null while nobody acquired a client. */
  readonly waitP95Ms: number | null;
  readonly holdP95Ms: number | null;
  /** Checkouts that are out for long. */
  readonly held: number;
  readonly longestHeldMs: number;
}

/** Null before the first sample. */
export function healthFacts(
  pool: RunningPool,
  now: number,
  { windowMs, steadyMs }: HealthCard,
): HealthFacts | null {
  const last = pool.history.at(-1);
  if (last === undefined) return null;
  const looks = pool.history.filter(({ at }) => at > last.at - windowMs && at <= last.at);
  const spanMs = last.at - Math.min(...looks.map(({ at }) => at));
  return {
    max: last.max,
    total: last.total,
    seconds: Math.max(1, Math.round(spanMs / 1_000)),
    isSteady: looks.length > 2 && spanMs >= steadyMs,
    acquired: sum(looks.map(({ acquired }) => acquired)),
    failed: sum(looks.map(({ failed, timedOut }) => timedOut ?? failed)),
    peakWaiting: Math.max(
      ...looks.map(({ peakWaiting, waiting }) => Math.max(peakWaiting, waiting)),
    ),
    leastWaiting: Math.min(...looks.map(({ waiting }) => waiting)),
    free: freeOf(last),
    mostFree: Math.max(...looks.map(freeOf)),
    mostIdle: Math.max(...looks.map(({ idle }) => idle)),
    waitP95Ms: percentile95(looks.map(({ wait }) => wait)),
    holdP95Ms: percentile95(looks.map(({ hold }) => hold)),
    held: pool.held.length,
    longestHeldMs: Math.max(0, ...heldByPlace(pool, now).map(({ longestMs }) => longestMs)),
  };
}

function freeOf({ total, idle, max }: CounterSample): number {
  return Math.max(0, idle + max - total);
}

/** Of percentiles of parts no percentile can be made; this one is never too small: looks with as much or more hold 5 of 100 checkouts. */
function percentile95(all: readonly (Times | null)[]): number | null {
  const times = all.filter((each) => each !== null).sort((one, other) => other.p95Ms - one.p95Ms);
  const enough = sum(times.map(({ count }) => count)) * 0.05;
  let seen = 0;
  for (const { count, p95Ms } of times) {
    seen += count;
    if (seen >= enough) return p95Ms;
  }
  return null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
