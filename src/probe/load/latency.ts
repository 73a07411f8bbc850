import { mean, quantileSorted } from 'simple-statistics';
import type { Latency } from './pool-load.ts';

/** With fewer samples a 95th percentile is one of the ten slowest. */
const fewestForP95 = 200;
/** With fewer samples a 99th percentile means nothing: its 95 % interval would reach the maximum. */
const fewestForP99 = 1000;

/** Sums up times in milliseconds, in any order; null for none. */
export function toLatency(times: readonly number[]): Latency | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  return {
    count: sorted.length,
    averageMs: mean(sorted),
    p50Ms: quantileSorted(sorted, 0.5),
    p95Ms: sorted.length >= fewestForP95 ? quantileSorted(sorted, 0.95) : null,
    p99Ms: sorted.length >= fewestForP99 ? quantileSorted(sorted, 0.99) : null,
    maxMs: sorted.at(-1) ?? 0,
  };
}
