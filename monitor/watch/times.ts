import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Times } from '../report.ts';

/** How long something took, since it was told last. */
export interface TimesRecorder {
  record(ms: number): void;
  /** What was recorded since the last time, null for nothing. Begins anew. */
  take(): Times | null;
}

const unitsPerMs = 1000;

/** Node's own HDR histogram in microseconds: 20 ns for a record, and two figures of every time are right. */
export function createTimesRecorder(): TimesRecorder {
  const histogram = createHistogram({ lowest: 1, highest: 86_400_000_000, figures: 2 });
  return {
    record: (ms) => histogram.record(ms < 0.001 ? 1 : Math.min(86_400_000_000, Math.round(ms * unitsPerMs))),
    take: () => {
      if (histogram.count === 0) return null;
      const times = timesOf(histogram);
      histogram.reset();
      return times;
    },
  };
}

function timesOf(histogram: RecordableHistogram): Times {
  // A percentile is the upper end of its step, which may lie above the largest value.
  const maxMs = histogram.max / unitsPerMs;
  const percentile = (share: number) => Math.min(maxMs, histogram.percentile(share) / unitsPerMs);
  return { count: histogram.count, averageMs: Math.min(maxMs, histogram.mean / unitsPerMs), p50Ms: percentile(50), p95Ms: percentile(95), p99Ms: percentile(99), maxMs };
}
