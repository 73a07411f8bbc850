import type { Times } from '../../../monitor/report.ts';

/** How much of what happened in a stretch lies up to each of its known values. */
const steps = [
  { share: 0.5, of: ({ p50Ms }: Times) => p50Ms },
  { share: 0.45, of: ({ p95Ms }: Times) => p95Ms },
  { share: 0.04, of: ({ p99Ms }: Times) => p99Ms },
  { share: 0.01, of: ({ maxMs }: Times) => maxMs },
] as const;

export interface MergedTimes {
  readonly averageMs: number;
  /** Never too small: within each stretch only the percentiles are known, and what lies between two counts as the larger. */
  readonly p95Ms: number;
}

/** Many short stretches as one. Null where nothing happened. */
export function mergeTimes(all: readonly Times[]): MergedTimes | null {
  const count = all.reduce((total, times) => total + times.count, 0);
  if (count === 0) return null;
  const parts = all
    .flatMap((times) =>
      steps.map(({ share, of }) => ({ ms: of(times), weight: share * times.count })),
    )
    .sort((one, other) => one.ms - other.ms);
  let below = 0;
  const p95 = parts.find(({ weight }) => (below += weight) >= 0.95 * count - 1e-9);
  return {
    averageMs: all.reduce((total, times) => total + times.averageMs * times.count, 0) / count,
    p95Ms: p95?.ms ?? parts.at(-1)?.ms ?? 0,
  };
}
