import type { Distribution } from '../../monitor/report.ts';
import type { Latency } from '../probe/load/pool-load.ts';

export interface MergedTimes {
  readonly count: number;
  readonly averageMs: number;
  readonly p95Ms: number;
}

/** Times of several pools and passes as those of one. Null where nothing happened. */
export function mergeDistributions(all: readonly Distribution[]): MergedTimes | null {
  const count = sum(all.map((each) => each.count));
  if (count === 0) return null;
  const steps = all.flatMap((each) => each.steps).sort(([one], [other]) => one - other);
  let below = 0;
  const p95 = steps.find(([, times]) => (below += times) >= 0.95 * count);
  return {
    count,
    averageMs: sum(all.map(({ sumMs }) => sumMs)) / count,
    p95Ms: p95?.[0] ?? Math.max(...all.map(({ maxMs }) => maxMs)),
  };
}

/** Where only summaries of each pass are known: counts and averages exactly, percentiles weighted by their passes. */
export function mergeLatencies(all: readonly Latency[]): Latency | null {
  const count = sum(all.map((latency) => latency.count));
  if (count === 0) return null;
  const weighted = (of: (latency: Latency) => number) =>
    sum(all.map((latency) => of(latency) * latency.count)) / count;
  const percentile = (of: (latency: Latency) => number | null) =>
    all.every((latency) => of(latency) !== null) ? weighted((latency) => of(latency) ?? 0) : null;
  return {
    count,
    averageMs: weighted(({ averageMs }) => averageMs),
    p50Ms: weighted(({ p50Ms }) => p50Ms),
    p95Ms: percentile(({ p95Ms }) => p95Ms),
    p99Ms: percentile(({ p99Ms }) => p99Ms),
    maxMs: Math.max(...all.map(({ maxMs }) => maxMs)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
