import { setMaxListeners } from 'node:events';
import { aborted } from '../../ownership/aborted.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionSource, SourceState } from './connection-source.ts';
import type { PoolLoad, PoolSample } from './pool-load.ts';
import { createRecorder, type Recorder } from './recorder.ts';

export interface DriveOptions {
  readonly source: ConnectionSource;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly durationMs: number;
  /** Now and then, with 0 to 1. */
  readonly onFraction?: (fraction: number) => void;
}

export interface LoadRun {
  readonly load: PoolLoad;
  readonly samples: readonly PoolSample[];
  /** Why it ended early, in a sentence; null when it ran for its time, or was aborted from outside. */
  readonly trouble: string | null;
}

/** What a way of calling has in its hands. */
export interface Driving {
  readonly clock: Clock;
  /** Fires when the load must end at once, for whatever reason. */
  readonly signal: AbortSignal;
  readonly recorder: Recorder;
  /** By the clock. */
  readonly startedMs: number;
  /** One request, from its intended moment until its client is back. Resolves with whether it was answered; never rejects. */
  readonly ask: (intendedMs: number) => Promise<boolean>;
}

const lookMs = 15;
const shortestSampleMs = 60;
const samplesOfARun = 120;

/**
 * Runs one way of calling against a lender, and sums up. Returns at once when the signal fires, even if requests are still under way:
 * who aborts closes the lender.
 */
export async function drive(
  { source, clock, signal, durationMs, onFraction }: DriveOptions,
  call: (driving: Driving) => Promise<void>,
): Promise<LoadRun> {
  const recorder = createRecorder(source);
  const halt = new AbortController();
  const over = new AbortController();
  const either = AbortSignal.any([signal, halt.signal]);
  // Each caller that pauses listens.
  setMaxListeners(0, either);
  const startedMs = clock.now();
  let trouble: string | null = null;
  const watching = watch({
    clock,
    recorder,
    look: () => source.look(),
    startedMs,
    durationMs,
    signal: AbortSignal.any([either, over.signal]),
    onLook: () => {
      trouble ??= recorder.trouble();
      if (trouble !== null) halt.abort();
      onFraction?.(Math.min(1, (clock.now() - startedMs) / durationMs));
    },
  });
  await Promise.race([
    call({
      clock,
      signal: either,
      recorder,
      startedMs,
      ask: (intendedMs) => ask({ source, clock, recorder, signal: either }, intendedMs),
    }),
    aborted(either),
  ]);
  const wallMs = clock.now() - startedMs;
  over.abort();
  await watching;
  return { load: recorder.toLoad(wallMs), samples: recorder.samples, trouble };
}

interface Asking {
  readonly source: ConnectionSource;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

async function ask(
  { source, clock, recorder, signal }: Asking,
  intendedMs: number,
): Promise<boolean> {
  // What ends because the load was ended is no failure of the server.
  const fail = (error: unknown) => {
    if (!signal.aborted) recorder.failed(error);
    return false;
  };
  try {
    const acquiring = source.acquire();
    recorder.look(source.look());
    const loan = await acquiring;
    const acquiredMs = clock.now();
    const outcome = await loan.run().then(
      () => ({ kind: 'answered' as const, doneMs: clock.now() }),
      (error: unknown) => ({ kind: 'failed' as const, error }),
    );
    if (outcome.kind === 'answered' && !signal.aborted)
      recorder.answered({ intendedMs, acquiredMs, doneMs: outcome.doneMs });
    if (outcome.kind === 'failed') fail(outcome.error);
    await loan.giveBack(outcome.kind === 'failed' ? outcome.error : undefined);
    return outcome.kind === 'answered';
  } catch (error) {
    return fail(error);
  }
}

interface Watching {
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly look: () => SourceState;
  readonly startedMs: number;
  readonly durationMs: number;
  readonly signal: AbortSignal;
  readonly onLook: () => void;
}

/** Looks for the peak, and every now and then for the timeline, until the signal fires. */
async function watch({
  clock,
  recorder,
  look,
  startedMs,
  durationMs,
  signal,
  onLook,
}: Watching): Promise<void> {
  const sampleMs = Math.max(shortestSampleMs, durationMs / samplesOfARun);
  let nextSampleMs = 0;
  while (!signal.aborted) {
    const atMs = clock.now() - startedMs;
    if (atMs >= nextSampleMs) {
      recorder.sample(look(), atMs);
      nextSampleMs = atMs + sampleMs;
      onLook();
    } else {
      recorder.look(look());
    }
    await clock.wait(lookMs, signal);
  }
}
