import type { RandomSource } from '../random.ts';
import { drive, type DriveOptions, type Driving, type LoadRun } from './drive.ts';

export interface OpenLoopOptions extends DriveOptions {
  /** Arrivals per second on average. */
  readonly rate: number;
  readonly random: RandomSource;
  /** Arrivals beyond this many under way are dropped and counted, so that the generator does not choke on its own line. */
  readonly mostUnderWay: number;
}

/** Node's timers know no less. */
const tickMs = 1;

/**
 * Arrivals at random moments (Poisson) that do not wait for each other. Each is timed from the moment it was meant for: one that the generator begins late
 * has waited already. Those that are under way at the end are still answered, and the time until then counts.
 */
export function openLoop(options: OpenLoopOptions): Promise<LoadRun> {
  return drive(options, (driving) => runArrivals(options, driving));
}

async function runArrivals(
  { rate, random, durationMs, mostUnderWay }: OpenLoopOptions,
  { clock, signal, recorder, startedMs, ask }: Driving,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const begin = (intendedMs: number) => {
    recorder.lagged(clock.now() - intendedMs);
    const request = ask(intendedMs).finally(() => underWay.delete(request));
    underWay.add(request);
  };
  let dueMs = startedMs + pause(rate, random);
  while (!signal.aborted && dueMs - startedMs < durationMs) {
    for (
      const now = clock.now();
      dueMs <= now && dueMs - startedMs < durationMs;
      dueMs += pause(rate, random)
    ) {
      if (underWay.size < mostUnderWay) begin(dueMs);
      else recorder.dropped();
    }
    await clock.wait(
      Math.max(tickMs, Math.min(dueMs, startedMs + durationMs) - clock.now()),
      signal,
    );
  }
  await Promise.all(underWay);
}

/** Until the next arrival, in milliseconds: exponential. */
function pause(rate: number, random: RandomSource): number {
  return (-Math.log(1 - random()) / rate) * 1000;
}
