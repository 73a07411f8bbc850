import { type HarmReading, readHarm } from '../../database/read-harm.ts';
import type { Stage } from '../stage.ts';
import { wasHeldUp } from './held-up.ts';
import { judgeErrors, type StatementCounts } from './error-rate.ts';
import { judgeHarm } from './judge-harm.ts';

export interface HarmWatch {
  /** What it said; null as long as nothing was wrong. */
  readonly harm: string | null;
  /** How long this process stood still, as far as the watch noticed; in milliseconds. */
  readonly heldUpMs: number;
  /** Looks no more. Resolves when the last look is over. */
  stop(): Promise<void>;
}

const everyMs = 500;
const notCounted = (): StatementCounts => ({ completed: 0, errors: {} });

/**
 * Looks twice a second whether an experiment is in somebody's way, and calls `onHarm` once, with the sentence that ends the experiment:
 * others wait for its locks, connections run short, others become active, or its statements fail (as far as `readCounts` tells).
 * To be started before the experiment opens its connections, which it knows by their `application_name`.
 */
export function startHarmWatch(
  { asker, around }: Pick<Stage, 'asker' | 'around'>,
  onHarm: (sentence: string) => void,
  readCounts = notCounted,
): HarmWatch {
  const ending = new AbortController();
  let harm: string | null = null;
  let heldUpMs = 0;
  const { clock } = around;
  const rest = async () => {
    const began = clock.now();
    await clock.wait(everyMs, ending.signal);
    const tookMs = clock.now() - began;
    if (wasHeldUp(everyMs, tookMs)) heldUpMs += tookMs - everyMs;
  };
  const look = async (): Promise<HarmReading | undefined> => {
    const answer = await readHarm(asker);
    // A lost connection is told by its own event.
    return answer.kind === 'rows' ? answer.rows[0] : undefined;
  };
  const run = async () => {
    let first: HarmReading | undefined;
    let previous: HarmReading | undefined;
    while (!ending.signal.aborted && harm === null) {
      const now = await look();
      first ??= now;
      harm = judgeErrors(readCounts());
      if (now !== undefined)
        harm ??= judgeHarm({ first: first ?? now, previous: previous ?? now, now });
      previous = now ?? previous;
      if (harm === null) await rest();
      else if (!ending.signal.aborted) onHarm(harm);
    }
  };
  const running = run();
  return {
    get harm() {
      return harm;
    },
    get heldUpMs() {
      return heldUpMs;
    },
    stop: () => {
      ending.abort();
      return running;
    },
  };
}
