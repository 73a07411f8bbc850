import { cancelOwnStatements, type HarmReading, readHarm } from '../../database/probe-server.ts';
import type { ErrorCounts } from '../load/pool-load.ts';
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
export function startSafeguard(
  context: Pick<ExperimentContext, 'asker' | 'environment' | 'observer'>,
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
  const stopListening = context.observer.onLost(({ sentence }) => onLost(sentence));
  const watch = startHarmWatch(context, end, readCounts);
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
  /** What it said; null as long as nothing was wrong. */
  readonly harm: string | null;
  /** How long this process stood still, as far as the watch noticed; in milliseconds. */
  readonly heldUpMs: number;
  /** Looks no more. Resolves when the last sample is over. */
  stop(): Promise<void>;
}

const everyMs = 500;
const notCounted = (): StatementCounts => ({ completed: 0, errors: {} });

/**
 * Looks twice a second whether an experiment is in somebody's way, and calls `onHarm` once, with the sentence that ends the experiment:
 * others wait for its locks, connections run short, others become active, or its statements fail (as far as `readCounts` tells).
 * To be started before the experiment opens its connections, which it knows by their `application_name`.
 */
function startHarmWatch(
  { asker, environment }: Pick<ExperimentContext, 'asker' | 'environment'>,
  onHarm: (sentence: string) => void,
  readCounts = notCounted,
): HarmWatch {
  const ending = new AbortController();
  let harm: string | null = null;
  let heldUpMs = 0;
  const { clock } = environment;
  const rest = async () => {
    const began = clock.now();
    await clock.wait(everyMs, ending.signal);
    const tookMs = clock.now() - began;
    if (wasHeldUp(everyMs, tookMs)) heldUpMs += tookMs - everyMs;
  };
  const look = async (): Promise<HarmReading | undefined> => {
    const answer = await readHarm(asker);
    // A lost connection is reported by its own event.
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

/** Totals since an experiment began. */
interface StatementCounts {
  readonly completed: number;
  readonly errors: ErrorCounts;
}

/** Statements before an error rate means something. */
const fewestForErrorRate = 20;
const mostErrors = 0.05;

/** The sentence that ends an experiment whose statements fail more often than one in twenty; null while they do not. */
export function judgeErrors({ completed, errors }: StatementCounts): string | null {
  const failed = Object.values(errors).reduce((total, count) => total + count, 0);
  if (completed + failed < fewestForErrorRate || failed / (completed + failed) <= mostErrors)
    return null;
  const codes = Object.entries(errors).map(([code, count]) => `${count} × ${code}`);
  return `The probe stopped: ${Math.round((failed / (completed + failed)) * 100)} % of its statements failed (${codes.join(', ')}).`;
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
