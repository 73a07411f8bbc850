import type { AsyncResource } from 'node:async_hooks';

/** One timer of a thread, which neither keeps it alive nor wakes it while nothing happens. */
export interface Pulse {
  /** Something changed: the next beat comes soon. */
  quicken(): void;
  stop(): void;
}

/** `beat` says in how many milliseconds it wants to be called again; it is called outside of the request on whose way it was asked for. */
export function startPulse(beat: () => number, soonMs: number, outside: AsyncResource): Pulse {
  let timer: NodeJS.Timeout | null = null;
  let isSoon = false;
  const plan = (ms: number) => {
    isSoon = ms <= soonMs;
    timer = outside.runInAsyncScope(() => setTimeout(run, ms)).unref();
  };
  const run = () => {
    timer = null;
    plan(beat());
  };
  plan(soonMs);
  return {
    quicken: () => {
      if (isSoon || timer === null) return;
      clearTimeout(timer);
      plan(soonMs);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
