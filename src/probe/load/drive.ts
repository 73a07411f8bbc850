import { setMaxListeners } from 'node:events';
import { aborted } from '../../ownership/aborted.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionSource } from './connection-source.ts';
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

interface Driven {
  readonly source: ConnectionSource;
  readonly clock: Clock;
  /** Fires when the load must end at once, for whatever reason. */
  readonly signal: AbortSignal;
  readonly recorder: Recorder;
  /** By the clock. */
  readonly startedMs: number;
}

/** What a way of calling has in its hands. */
export interface Driving extends Driven {
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
  const driven = { source, clock, signal: either, recorder, startedMs: clock.now() };
  let trouble: string | null = null;
  const onSample = (fraction: number) => {
    trouble ??= recorder.trouble();
    if (trouble !== null) halt.abort();
    onFraction?.(Math.min(1, fraction));
  };
  const watched = { ...driven, signal: AbortSignal.any([either, over.signal]) };
  const watching = watch(watched, durationMs, onSample);
  const asking = call({ ...driven, ask: (intendedMs) => ask(driven, intendedMs) });
  await Promise.race([asking, aborted(either)]);
  const wallMs = clock.now() - driven.startedMs;
  over.abort();
  await watching;
  return { load: recorder.toLoad(wallMs), samples: recorder.samples, trouble };
}

async function ask(
  { source, clock, recorder, signal }: Driven,
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

/** Looks for the peak, and every now and then for the timeline, until the signal fires. */
async function watch(
  { source, clock, recorder, signal, startedMs }: Driven,
  durationMs: number,
  onSample: (fraction: number) => void,
): Promise<void> {
  const sampleMs = Math.max(shortestSampleMs, durationMs / samplesOfARun);
  let nextSampleMs = 0;
  while (!signal.aborted) {
    const atMs = clock.now() - startedMs;
    if (atMs >= nextSampleMs) {
      recorder.sample(source.look(), atMs);
      nextSampleMs = atMs + sampleMs;
      onSample(atMs / durationMs);
    } else {
      recorder.look(source.look());
    }
    await clock.wait(lookMs, signal);
  }
}
