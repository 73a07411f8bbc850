import * as v from 'valibot';
import { number, type OutputOf, text } from '../../schema/fields.ts';
import { share } from '../verdict-words.ts';

/** Times of answered requests, in milliseconds. Failed and refused requests are in none of them. */
export const Latency = v.object({
  count: number,
  averageMs: number,
  p50Ms: number,
  /** Null below 200 samples, where it would mean nothing. */
  p95Ms: v.nullable(number),
  /** Null below 1,000 samples: its 95 % interval would reach the maximum. */
  p99Ms: v.nullable(number),
  maxMs: number,
});
export type Latency = OutputOf<typeof Latency>;

/** How often something was counted, by SQLSTATE or client error code. */
export const ErrorCounts = v.record(text, number);
export type ErrorCounts = OutputOf<typeof ErrorCounts>;

/** All failures of a load. */
export function countErrors(errors: ErrorCounts): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0);
}

/** For example "3 × 40P01". */
export function listErrors(errors: ErrorCounts): readonly string[] {
  return Object.entries(errors).map(([cause, count]) => `${count} × ${cause}`);
}

/** Requests before an error rate means something. */
const fewestForErrorRate = 20;
const mostErrors = 0.05;

/** "12 % of <whose> failed (…)." where more than one in twenty do, so that going on would only do harm; null while they do not. */
export function describeFailing(
  answered: number,
  errors: ErrorCounts,
  whose: string,
): string | null {
  const failed = countErrors(errors);
  const failedShare = failed / (answered + failed);
  return answered + failed < fewestForErrorRate || failedShare <= mostErrors
    ? null
    : `${share(failedShare)} of ${whose} failed (${listErrors(errors).join(', ')}).`;
}

/** Failures of several loads together. */
export function addErrors(all: readonly ErrorCounts[]): ErrorCounts {
  const total: Record<string, number> = {};
  for (const [cause, count] of all.flatMap((errors) => Object.entries(errors)))
    total[cause] = (total[cause] ?? 0) + count;
  return total;
}

/** What load on a real pool did. */
export const PoolLoad = v.object({
  seconds: number,
  /** Answered requests. */
  requests: number,
  /** Answered requests per second. */
  throughput: number,
  /** From the moment at which a request was meant to begin to its last row. Null without an answer. */
  latency: v.nullable(Latency),
  /** The part of it before the pool gave a client. */
  wait: v.nullable(Latency),
  /** The part of it in which the statement ran. */
  database: v.nullable(Latency),
  peakWaiting: number,
  errors: ErrorCounts,
  /** Arrivals that were never begun, because too many were under way already. */
  dropped: number,
  /** How late requests began, beyond their intended moment, by the generator's own fault; null for a closed loop. */
  lagP99Ms: v.nullable(number),
});
export type PoolLoad = OutputOf<typeof PoolLoad>;

/** One look at a pool. */
export const PoolSample = v.object({
  /** Since the load began. */
  atMs: number,
  total: number,
  idle: number,
  waiting: number,
  /** Answered since the sample before. */
  answered: number,
});
export type PoolSample = OutputOf<typeof PoolSample>;
