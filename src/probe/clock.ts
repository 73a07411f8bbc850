import { rest } from '../ownership/rest.ts';

/** Time as an argument, so that it can be another one in tests. */
export interface Clock {
  /** Milliseconds since some fixed moment, with fractions; never goes back. */
  readonly now: () => number;
  /** Resolves after `ms`, or at once when the signal fires; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: rest,
};
