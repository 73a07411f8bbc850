import type { PoolLoad, PoolValidation } from '../probe/result.ts';

/** One bar of latency, in milliseconds. */
export interface LatencyBar {
  /** "average", "p99" */
  readonly name: string;
  readonly totalMs: number;
  /** The part of an average in which the caller waited for a client; null where parts do not add up, as of percentiles. */
  readonly waitMs: number | null;
}

/** The latency of one kind of load, a bar a figure. */
export interface LatencyGroup {
  /** "8 callers" */
  readonly name: string;
  readonly bars: readonly LatencyBar[];
  readonly load: PoolLoad;
}

/** What the check with a real pool found; none where nothing was answered. */
export function latencyGroups(validation: PoolValidation | null): readonly LatencyGroup[] {
  const { closed = null, open = null } = validation ?? {};
  return [
    ...(closed === null ? [] : group(`${closed.callers} callers`, closed.load)),
    ...(open === null ? [] : group(`${toRate(open.rate)} arrivals/s`, open.load)),
  ];
}

function group(name: string, load: PoolLoad): readonly LatencyGroup[] {
  const { latency, wait } = load;
  if (latency === null) return [];
  const percentiles = (
    [
      ['p50', latency.p50Ms],
      ['p95', latency.p95Ms],
      ['p99', latency.p99Ms],
    ] as const
  ).flatMap(([bar, totalMs]) => (totalMs === null ? [] : [{ name: bar, totalMs, waitMs: null }]));
  return [
    {
      name,
      load,
      bars: [
        { name: 'average', totalMs: latency.averageMs, waitMs: wait?.averageMs ?? 0 },
        ...percentiles,
      ],
    },
  ];
}

function toRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}
