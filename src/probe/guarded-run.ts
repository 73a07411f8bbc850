import type { LoadRun } from './load/drive.ts';
import { openProbePool, type ProbePool, type ProbePoolOptions } from './load/probe-pool.ts';
import type { Refusal } from './refusal.ts';
import type { ProbeRequest } from './request.ts';
import type { ProbeEvent, ProbeResult } from './result.ts';
import { startSafeguard, type Safeguard } from './safety/safeguard.ts';
import type { ExperimentContext } from './experiment-context.ts';

/** What an experiment has in its hands while it runs. */
export interface Course<Request extends ProbeRequest = ProbeRequest> {
  readonly context: ExperimentContext<Request>;
  /** Fires when everything has to end. */
  readonly signal: AbortSignal;
  /** The sentence for `partial`; null while it is complete. */
  readonly endedBy: string | null;
  /** For connections that the experiment opens itself. */
  readonly onLost: (sentence: string) => void;
  /** Begins nothing new any more, because of this sentence; the first one counts. */
  end(sentence: string): void;
  /** Tells how far it is: 0 to 1, and what is being done. */
  tell(fraction: number, doing: string): void;
}

/** Runs an experiment under the safeguard, and turns its end into the last event. What was measured before an early end is a result, if the experiment can make one of it. */
export async function runGuarded<Request extends ProbeRequest>(
  context: ExperimentContext<Request>,
  work: (course: Course<Request>) => Promise<ProbeResult | Refusal>,
): Promise<ProbeEvent> {
  const guard = startSafeguard(context);
  try {
    const answer = await work(toCourse(context, guard));
    if (context.environment.signal.aborted) return { kind: 'cancelled' };
    if ('kind' in answer) return { kind: 'failed', sentence: guard.reason ?? answer.sentence };
    return { kind: 'result', result: { ...answer, notes: [...answer.notes, ...guard.notes] } };
  } finally {
    await guard.stop();
  }
}

function toCourse<Request extends ProbeRequest>(
  context: ExperimentContext<Request>,
  guard: Safeguard,
): Course<Request> {
  const { environment } = context;
  let ended: string | null = null;
  return {
    context,
    signal: guard.signal,
    onLost: guard.onLost,
    get endedBy() {
      return guard.reason ?? ended;
    },
    end: (sentence) => void (ended ??= sentence),
    tell: (fraction, doing) =>
      environment.emit({ kind: 'progress', fraction: Math.min(1, fraction), doing, sizes: [] }),
  };
}

/** Opens a pool, drives it and closes it. When too many requests fail, the course ends there. */
export async function loadPool(
  course: Course,
  options: ProbePoolOptions,
  drive: (pool: ProbePool) => Promise<LoadRun>,
): Promise<LoadRun | Refusal> {
  const pool = await openProbePool(course.context, options);
  if (pool.kind === 'refused') {
    course.end(pool.sentence);
    return pool;
  }
  try {
    const run = await drive(pool);
    if (run.trouble !== null) course.end(`The probe stopped: ${run.trouble}`);
    return run;
  } finally {
    await pool.close();
  }
}

/** Whether there is any use in going on. */
export function mayGoOn(course: Course): boolean {
  return !course.signal.aborted && course.endedBy === null;
}
