import { mean, quantile, quantileSorted } from 'simple-statistics';
import {
  type ConnectionSource,
  errorCause,
  type SourceState,
  waitTimeout,
} from './connection-source.ts';
import { describeFailing, type Latency, type PoolLoad, type PoolSample } from './pool-load.ts';

/** Moments of one answered request, by the clock. */
export interface Answered {
  /** When it was meant to begin. */
  readonly intendedMs: number;
  /** When it had its client. */
  readonly acquiredMs: number;
  readonly doneMs: number;
}

/** Notes down what becomes of requests. Those that fail are counted by cause and stay out of all times. */
export interface Recorder {
  answered(request: Answered): void;
  failed(error: unknown): void;
  dropped(): void;
  /** A request began this long after its moment. */
  lagged(ms: number): void;
  /** For the peak. */
  look(state: SourceState): void;
  /** For the peak and the timeline. */
  sample(state: SourceState, atMs: number): void;
  /** A sentence when so many requests fail that going on would only do harm; callers that gave up waiting are no such failures. */
  trouble(): string | null;
  toLoad(wallMs: number): PoolLoad;
  readonly samples: readonly PoolSample[];
}

export function createRecorder({ showsWait }: Pick<ConnectionSource, 'showsWait'>): Recorder {
  const latencies: number[] = [];
  const waits: number[] = [];
  const databases: number[] = [];
  const lags: number[] = [];
  const samples: PoolSample[] = [];
  const errors: Record<string, number> = {};
  let [dropped, peakWaiting, sampled] = [0, 0, 0];
  const look = ({ waiting }: SourceState) => void (peakWaiting = Math.max(peakWaiting, waiting));
  return {
    samples,
    look,
    answered: ({ intendedMs, acquiredMs, doneMs }) => {
      latencies.push(doneMs - intendedMs);
      if (showsWait) waits.push(acquiredMs - intendedMs);
      if (showsWait) databases.push(doneMs - acquiredMs);
    },
    failed: (error) => {
      const cause = errorCause(error);
      errors[cause] = (errors[cause] ?? 0) + 1;
    },
    dropped: () => void (dropped += 1),
    lagged: (ms) => void lags.push(ms),
    sample: (state, atMs) => {
      look(state);
      samples.push({ atMs: Math.round(atMs), ...state, answered: latencies.length - sampled });
      sampled = latencies.length;
    },
    trouble: () => {
      const { [waitTimeout]: _, ...failures } = errors;
      return describeFailing(latencies.length, failures, 'the requests');
    },
    toLoad: (wallMs) => ({
      seconds: wallMs / 1000,
      requests: latencies.length,
      throughput: latencies.length === 0 ? 0 : (latencies.length / Math.max(1, wallMs)) * 1000,
      latency: toLatency(latencies),
      wait: toLatency(waits),
      database: toLatency(databases),
      peakWaiting,
      errors: { ...errors },
      dropped,
      lagP99Ms: lags.length === 0 ? null : quantile(lags, 0.99),
    }),
  };
}

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
