import { quantile } from 'simple-statistics';
import { toLatency } from '../../probe/load/recorder.ts';
import type { HttpLoad } from './load-tool.ts';

/** Notes down what becomes of requests over HTTP. Those that fail are counted by cause and stay out of the times. */
export interface HttpRecorder {
  answered(status: number, ms: number): void;
  failed(cause: string): void;
  /** A pause ended this much later than it should have. */
  lagged(ms: number): void;
  /** Answered correctly so far. */
  readonly requests: number;
  toLoad(seconds: number, busy: number | null): HttpLoad;
}

/** The smallest status that is no correct answer. */
export const firstBadStatus = 400;

export function createHttpRecorder(): HttpRecorder {
  const times: number[] = [];
  const lags: number[] = [];
  const errors: Record<string, number> = {};
  const failed = (cause: string) => void (errors[cause] = (errors[cause] ?? 0) + 1);
  return {
    failed,
    answered: (status, ms) => {
      if (status >= firstBadStatus) failed(String(status));
      else times.push(ms);
    },
    lagged: (ms) => void lags.push(ms),
    get requests() {
      return times.length;
    },
    toLoad: (seconds, busy) => ({
      seconds,
      requests: times.length,
      latency: toLatency(times),
      times,
      errors: { ...errors },
      generator: { busy, lagP99Ms: lags.length === 0 ? null : quantile(lags, 0.99), dropped: 0 },
    }),
  };
}
