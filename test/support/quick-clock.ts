import { systemClock, type Clock } from '../../src/probe/clock.ts';
import type { ProbeEnvironment } from '../../src/probe/probe-environment.ts';

/** How often the clock looks at the time, in milliseconds. */
const tickMs = 5;
/** Of what passes between two looks no more than this counts: while the machine did something else, nothing was measured. */
const longestTickMs = 100;

/** The time of a probe that is quick: a server has as long as it takes, since it is no quicker. */
export function createQuickTime(
  factor: number,
): Pick<ProbeEnvironment, 'clock' | 'longestSilenceMs'> {
  return { clock: createQuickClock(factor), longestSilenceMs: Number.POSITIVE_INFINITY };
}

/**
 * A clock that runs so much faster, so that a probe does everything that it always does with fewer statements,
 * and that stands still while this process does.
 */
function createQuickClock(factor: number): Clock {
  let now = 0;
  let seenAt = performance.now();
  const look = () => {
    const at = performance.now();
    now += factor * Math.min(at - seenAt, longestTickMs);
    seenAt = at;
    return now;
  };
  setInterval(look, tickMs).unref();
  const wait = async (ms: number, signal: AbortSignal) => {
    const endsAt = look() + ms;
    while (!signal.aborted && look() < endsAt)
      await systemClock.wait((endsAt - now) / factor, signal);
  };
  return { now: look, wait };
}
