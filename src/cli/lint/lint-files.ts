import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { CheckedFile, CheckSettings, FileCheck } from '../../lint/check-file.ts';
import { inThreads, threadsWorth } from '../../lint/in-threads.ts';
import { createLintThread } from '../../lint/lint-thread.ts';
import { roomForThreads } from '../../lint/room-for-threads.ts';
import type { Concurrency } from './lint-options.ts';

export type LoadCheck = (settings: CheckSettings) => Promise<FileCheck>;

/** How files are checked. */
export interface Checking {
  /** Loads what runs the rules. */
  readonly loadCheck: LoadCheck;
  readonly settings: CheckSettings;
  readonly concurrency: Concurrency;
  /** The bundle that serves as a thread; without one all is done in this thread. */
  readonly bundle: string | undefined;
  readonly signal: AbortSignal;
}

/** Checks files until `signal` aborts; `onDone` is called after each, in whatever order. The result has the order of the paths, however many threads there are. */
export async function lintFiles(
  paths: readonly string[],
  { loadCheck, settings, concurrency, bundle, signal }: Checking,
  onDone: () => void,
): Promise<readonly CheckedFile[]> {
  const checked: CheckedFile[] = [];
  const keep = (index: number, file: CheckedFile): void => {
    checked[index] = file;
    onDone();
  };
  const threads =
    bundle === undefined ? 0 : Math.min(threadsFor(paths.length, concurrency), roomForThreads());
  if (paths.length === 0) return checked;
  if (bundle === undefined || threads === 0) {
    const check = await loadCheck(settings);
    for (const [index, path] of paths.entries()) {
      // A signal comes between two files.
      await setImmediate();
      if (signal.aborted) break;
      keep(index, await check(path));
    }
  } else {
    const start = { open: new Map<string, string>(), checks: settings };
    const started = Array.from({ length: threads }, () =>
      createLintThread(bundle, start, 'foreground'),
    );
    await inThreads(paths, started, (thread, path) => thread.check(path), keep, signal);
  }
  return checked;
}

/** None where this one does the work. */
export function threadsFor(files: number, concurrency: Concurrency): number {
  if (concurrency === 'off') return 0;
  if (concurrency !== 'auto') return Math.min(concurrency, files);
  const threads = threadsWorth(files, availableParallelism());
  return threads < 2 ? 0 : threads;
}
