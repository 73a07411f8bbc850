import type { Listener } from '../../running/listener.ts';
import { askOnce } from '../app/await-ready.ts';
import type { PoolWatch } from '../watch/pool-watch.ts';
import {
  type ArrangeAnswer,
  type Arranged,
  type Arrangement,
  describeForce,
  type StartParts,
  startReady,
} from './started-application.ts';

interface LiveParts extends StartParts {
  readonly listener: Listener;
  readonly pools: PoolWatch;
}

/** Monitors look twice a second while something changes. */
const changeMs = 5000;
const requestMs = 5000;

/** Starts the application once and has its monitors change `max` of the pools that the request uses. */
export function arrangeLive(parts: LiveParts): Arrangement {
  let running: Arranged | null = null;
  const start = async (doing: (words: string) => void): Promise<ArrangeAnswer> => {
    if (running !== null) return running;
    doing('starting the application');
    const answer = await startReady(parts, {}, doing);
    if (answer.kind === 'arranged') running = answer;
    return answer;
  };
  return {
    arrange: async (max, doing) => {
      const answer = await start(doing);
      if (answer.kind !== 'arranged') return answer;
      doing(`setting max to ${max}`);
      const problem = await setAll(parts, max);
      if (parts.around.signal.aborted) return { kind: 'cancelled' };
      return problem === null ? answer : { kind: 'problem', sentence: problem };
    },
    end: async (graceMs) => {
      const ending = running;
      running = null;
      return ending === null
        ? null
        : describeForce((await ending.application.stop(graceMs)).wasKilled, graceMs);
    },
  };
}

/** Null once every pool in use has that size, by its monitor's own word; else the sentence that says why not. */
async function setAll(
  { listener, pools, request, around: { clock, signal } }: LiveParts,
  max: number,
): Promise<string | null> {
  const untilMs = clock.now() + changeMs;
  while (clock.now() < untilMs && !signal.aborted) {
    const busy = pools.busyPools();
    if (busy.length > 0 && busy.every((pool) => pool.max === max)) return null;
    for (const { key, pool, max: now } of busy) if (now !== max) listener.setMax(key, pool, max);
    // It shows which pools are used, and makes the monitor look again.
    await askOnce(request.http, signal, requestMs);
    await Promise.race([pools.nextReport(), clock.wait(200, signal)]);
  }
  if (!pools.hasReported)
    return 'The application does not report to the monitor, so its pool cannot be changed while it runs. Check that it runs on Node.js, or omit --live to restart it for each size.';
  if (pools.busyPools().length === 0)
    return 'The request uses no pool that the monitor knows, so there is nothing to change. Omit --live to restart the application for each size.';
  return `The application's pool did not take the size ${max} at run time. Omit --live to restart it for each size.`;
}
