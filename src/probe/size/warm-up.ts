import { mean } from 'simple-statistics';
import type { Clock } from '../clock.ts';
import type { Lanes } from './lanes.ts';

/** Counts of one look at the warming. */
const bins = 20;
/** Looks at each size, at most: what is not steady by then never is. */
const mostLooks = 4;

export interface WarmUpOptions {
  readonly lanes: Lanes;
  readonly clock: Clock;
  /** Longer for slow statements, of which too few would fall into a shorter one. */
  readonly binMs: number;
  /** For all sizes together; what is not steady by then has to do. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Works at these sizes until their throughput is steady, so that plans, caches and compiled code are ready. Ends early when the signal fires. */
export async function warmUp(
  sizes: readonly number[],
  { lanes, clock, binMs, limitMs, signal }: WarmUpOptions,
): Promise<void> {
  const started = clock.now();
  const isTimeLeft = () => !signal.aborted && clock.now() - started < limitMs;
  for (const size of sizes) {
    await untilAborted(lanes.setSize(size), signal);
    for (let look = 0, isSteady = false; look < mostLooks && !isSteady && isTimeLeft(); look += 1) {
      const counts: number[] = [];
      while (counts.length < bins && isTimeLeft()) {
        const before = lanes.read().completed;
        await clock.wait(binMs, signal);
        counts.push(lanes.read().completed - before);
      }
      isSteady = counts.length === bins && findSteadyStart(counts) < bins / 2;
    }
  }
}

/**
 * Where a series becomes steady: the start that makes the standard error of the mean of the rest the smallest (MSER; White 1997).
 * Looks at the first half only; an answer at its end means that the series is not steady yet.
 */
export function findSteadyStart(counts: readonly number[]): number {
  const starts = counts
    .slice(0, Math.floor(counts.length / 2) + 1)
    .map((_, start) => squaredError(counts.slice(start)));
  return starts.indexOf(Math.min(...starts));
}

function squaredError(values: readonly number[]): number {
  const centre = mean([...values]);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length ** 2;
}

/** Resolves with the work or with the signal, whichever is first. */
export function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = () => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    work.then(end, reject);
  });
}
