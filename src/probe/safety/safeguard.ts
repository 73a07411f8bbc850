import { cancelOwnStatements } from '../../database/probe-server.ts';
import type { Stage } from '../stage.ts';
import { describeHeldUp } from './held-up.ts';
import { startHarmWatch } from './harm-watch.ts';
import type { StatementCounts } from './error-rate.ts';

/** Everything that may end an experiment early, in one signal. */
export interface Safeguard {
  /** Fires on cancel, on harm to others, and when a connection was lost; what still runs on the server is cancelled then. */
  readonly signal: AbortSignal;
  /** Why it ends early, in whole sentences; null while it does not, and after a cancel. */
  readonly reason: string | null;
  /** What to keep in mind when reading the numbers, in whole sentences. */
  readonly notes: readonly string[];
  /** For connections that the experiment opens itself. */
  readonly onLost: (sentence: string) => void;
  /** Resolves when nothing is watched any more. */
  stop(): Promise<void>;
}

/** Begins to watch. To be started before the experiment opens connections, and stopped when they are closed. */
export function startSafeguard(
  stage: Pick<Stage, 'asker' | 'around' | 'observer'>,
  readCounts?: () => StatementCounts,
): Safeguard {
  const halt = new AbortController();
  let reason: string | null = null;
  const end = (sentence: string) => {
    reason ??= sentence;
    halt.abort();
  };
  const onLost = (sentence: string) =>
    end(
      `A connection ended in the middle of the probe, which therefore stopped and closed the others. ${sentence}`,
    );
  const stopListening = stage.observer.onLost(({ sentence }) => onLost(sentence));
  const watch = startHarmWatch(stage, end, readCounts);
  const signal = AbortSignal.any([stage.around.signal, halt.signal]);
  const cancelStatements = () => void cancelOwnStatements(stage.asker);
  signal.addEventListener('abort', cancelStatements, { once: true });
  return {
    signal,
    get reason() {
      return reason;
    },
    get notes() {
      return watch.heldUpMs > 0 ? [describeHeldUp(watch.heldUpMs)] : [];
    },
    onLost,
    stop: () => {
      stopListening();
      signal.removeEventListener('abort', cancelStatements);
      return watch.stop();
    },
  };
}
