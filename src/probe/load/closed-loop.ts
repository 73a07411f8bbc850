import { drive, type DriveOptions, type Driving, type LoadRun } from './drive.ts';

export interface ClosedLoopOptions extends DriveOptions {
  /** Callers that should be at work so many milliseconds after the start; the last to come are the first to go. */
  readonly callersAt: (ms: number) => number;
  /** Pause of each caller between an answer and its next request. */
  readonly thinkMs: number;
}

/** How often the number of callers is looked at. */
const tickMs = 20;
/** Before a caller that failed tries again: else a server that is gone would be asked in a tight loop. */
const backOffMs = 20;

/** Callers that wait for their answer before they ask again. Requests that are under way at the end are still answered. */
export function closedLoop(options: ClosedLoopOptions): Promise<LoadRun> {
  return drive(options, (driving) => runCallers(options, driving));
}

/** The same number of callers all the time. */
export function callersOf(count: number): (ms: number) => number {
  return () => count;
}

async function runCallers(
  { callersAt, thinkMs, durationMs }: ClosedLoopOptions,
  { clock, signal, startedMs, ask }: Driving,
): Promise<void> {
  const working = new Map<number, Promise<void>>();
  const elapsedMs = () => clock.now() - startedMs;
  const isWanted = (caller: number) =>
    !signal.aborted && elapsedMs() < durationMs && caller < callersAt(elapsedMs());
  const work = async (caller: number) => {
    while (isWanted(caller)) {
      const isAnswered = await ask(clock.now());
      const pauseMs = isAnswered ? thinkMs : Math.max(thinkMs, backOffMs);
      if (pauseMs > 0)
        await clock.wait(Math.min(pauseMs, Math.max(0, durationMs - elapsedMs())), signal);
    }
    working.delete(caller);
  };
  while (!signal.aborted && elapsedMs() < durationMs) {
    const wanted = callersAt(elapsedMs());
    for (let caller = 0; caller < wanted; caller += 1)
      if (!working.has(caller)) working.set(caller, work(caller));
    await clock.wait(Math.min(tickMs, Math.max(0, durationMs - elapsedMs())), signal);
  }
  await Promise.all(working.values());
}
