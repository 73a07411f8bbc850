import type { CheckedFile } from './check-file.ts';
import type { LintThread } from './lint-thread.ts';
import { uncheckedFile } from './unchecked-file.ts';

/** Files that a thread has before it, by their indices. */
interface Stretch {
  next: number;
  end: number;
}

/**
 * Checks files in threads and calls `onDone` for each. A thread begins with neighbours, which share their imports, and takes over half of
 * the longest stretch that another one has left when it is done with its own. No file is left out: one of which a thread dies becomes a problem.
 */
export async function checkInThreads(
  paths: readonly string[],
  threads: readonly LintThread[],
  onDone: (index: number, checked: CheckedFile) => void,
  signal: AbortSignal,
): Promise<void> {
  const border = (thread: number): number => Math.floor((thread * paths.length) / threads.length);
  const stretches = threads.map((_, thread) => ({ next: border(thread), end: border(thread + 1) }));
  const end = () => void Promise.all(threads.map((thread) => thread.end()));
  signal.addEventListener('abort', end, { once: true });
  const work = async (thread: LintThread, own: Stretch): Promise<void> => {
    for (;;) {
      if (own.next === own.end) takeOver(own, stretches);
      const path = paths[own.next];
      if (own.next === own.end || path === undefined || signal.aborted) return;
      const index = own.next++;
      const checked = await thread.check(path);
      if (signal.aborted) return;
      onDone(index, checked ?? { ...uncheckedFile(path, diedOf), reads: [] });
    }
  };
  try {
    await Promise.all(
      threads.map((thread, index) => work(thread, stretches[index] as (typeof stretches)[number])),
    );
  } finally {
    signal.removeEventListener('abort', end);
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

const diedOf =
  'The file was not checked: the thread that checked it ended, most likely because it ran out of memory.';

/** Half of the longest stretch, the later one; nothing when none has a file left. */
function takeOver(own: Stretch, stretches: readonly Stretch[]): void {
  const left = ({ next, end }: Stretch) => end - next;
  const longest = stretches.reduce((most, each) => (left(each) > left(most) ? each : most), own);
  const { end } = longest;
  longest.end -= Math.ceil(left(longest) / 2);
  Object.assign(own, { next: longest.end, end });
}
