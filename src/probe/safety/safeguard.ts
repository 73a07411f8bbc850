import { cancelOwnStatements, type HarmReading, readHarm } from '../../database/probe-server.ts';
import { describeFailing, type ErrorCounts } from '../load/pool-load.ts';
import { findFree } from '../preflight/cap.ts';
import type { ExperimentContext } from '../experiment-context.ts';

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
export function startSafeguard(context: ExperimentContext): Safeguard {
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
  const stopListening = context.observer.onLost(({ sentence }) => onLost(sentence));
  const watch = startHarmWatch(context, end);
  const signal = AbortSignal.any([context.environment.signal, halt.signal]);
  const cancelStatements = () => void cancelOwnStatements(context.asker);
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

interface HarmWatch {
  /** How long this process stood still, as far as the watch noticed; in milliseconds. */
  readonly heldUpMs: number;
  /** Looks no more. Resolves when the last sample is over. */
  stop(): Promise<void>;
}

const everyMs = 500;

/**
 * Looks twice a second whether an experiment is in somebody's way, and calls `onHarm` once, with the sentence that ends the experiment:
 * others wait for its locks, connections run short, or others become active.
 * To be started before the experiment opens its connections, which it knows by their `application_name`.
 */
function startHarmWatch(
  { asker, environment: { clock } }: ExperimentContext,
  onHarm: (sentence: string) => void,
): HarmWatch {
  const ending = new AbortController();
  let heldUpMs = 0;
  const run = async () => {
    let first: HarmReading | undefined;
    let previous: HarmReading | undefined;
    while (!ending.signal.aborted) {
      const answer = await readHarm(asker);
      // A lost connection is reported by its own event.
      const now = answer.kind === 'rows' ? answer.rows[0] : undefined;
      const harm = now && judgeHarm({ first: (first ??= now), previous: previous ?? now, now });
      if (harm && !ending.signal.aborted) return onHarm(harm);
      previous = now ?? previous;
      const began = clock.now();
      await clock.wait(everyMs, ending.signal);
      const tookMs = clock.now() - began;
      if (wasHeldUp(everyMs, tookMs)) heldUpMs += tookMs - everyMs;
    }
  };
  const running = run();
  return {
    get heldUpMs() {
      return heldUpMs;
    },
    stop: () => {
      ending.abort();
      return running;
    },
  };
}

/** With fewer left, somebody may be turned away next. */
const fewestFree = 3;
/** So many more active sessions of others than at the start: somebody else needs the server. */
const mostNewlyActive = 5;

/** Looks at a server during an experiment. */
export interface HarmLooks {
  /** Before the experiment opened its connections. */
  readonly first: HarmReading;
  /** The look before `now`; a burst that only one of the two shows is no harm. */
  readonly previous: HarmReading;
  readonly now: HarmReading;
}

/** Why an experiment has to end for the sake of others, as a whole sentence; null while it may go on. */
export function judgeHarm({ first, previous, now }: HarmLooks): string | null {
  const { free, holder } = findFree(now);
  const before = findFree(previous);
  const active = Math.min(previous.activeOthers, now.activeOthers);
  const holdsMost = now.own > free && previous.own > before.free;
  const signs: readonly (readonly [applies: boolean, sentence: string])[] = [
    [now.blockedOthers > 0, `${sessions(now.blockedOthers)} waited for a lock of its statement.`],
    [
      now.own > 0 && free < fewestFree,
      `${holder} had only ${free} connection${free === 1 ? '' : 's'} left for others.`,
    ],
    [
      holdsMost,
      `others opened connections during the probe, and its own ${now.own} became more than half of what ${holder} has left.`,
    ],
    [
      active > first.activeOthers + mostNewlyActive,
      `${sessions(active)} were active, ${first.activeOthers} when it began: the server is needed for other work.`,
    ],
  ];
  const [sign] = signs.filter(([applies]) => applies);
  return sign === undefined ? null : `The probe stopped: ${sign[1]}`;
}

function sessions(count: number): string {
  return `${count} other session${count === 1 ? '' : 's'}`;
}

/** The sentence that ends an experiment whose statements fail more often than one in twenty; null while they do not. */
export function judgeErrors({
  completed,
  errors,
}: {
  readonly completed: number;
  readonly errors: ErrorCounts;
}): string | null {
  const failing = describeFailing(completed, errors, 'its statements');
  return failing && `The probe stopped: ${failing}`;
}

/** A timer that comes this late did not wait for a busy event loop: the process was stopped, by a debugger, a signal or a sleeping machine. */
const latestMs = 500;

/** Whether what was to take `plannedMs` took so long that the process cannot have run all the time. */
export function wasHeldUp(plannedMs: number, tookMs: number): boolean {
  return tookMs > 2 * plannedMs + latestMs;
}

/** What a result says about it. */
export function describeHeldUp(ms: number): string {
  return `The process of the probe stood still for ${(ms / 1000).toFixed(1)} s in the middle; times that span it are too long.`;
}
