import { performance } from 'node:perf_hooks';
import { rest } from '../ownership/rest.ts';
import type { PollerClock } from './poller.ts';

/** The machine's own clock and timers. */
export const systemClock: PollerClock = {
  now: () => performance.now(),
  sleep: rest,
};
