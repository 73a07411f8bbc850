import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { PollerClock } from './poller.ts';

/** The machine's own clock and timers. */
export const systemClock: PollerClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    delay(milliseconds, undefined, { signal }).catch(() => undefined),
};
