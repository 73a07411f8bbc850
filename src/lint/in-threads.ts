import type { LintThread } from './lint-thread.ts';

/** Tasks that a thread has before it, by their indices. */
interface Stretch {
  next: number;
  end: number;
}

/** A thread loads the parsers anew, which takes as long as some dozen files. */
const worthAThread = 40;

/**
 * How many threads are worth it for that many files: on half of the cores, as ESLint's own `auto`. The other half collects garbage, and each
 * thread finds out anew what files have in common: two threads on two cores took 1.1 to 1.25 times as long as one.
 */
export function threadsWorth(files: number, cores: number): number {
  return Math.min(Math.floor(cores / 2), Math.floor(files / worthAThread));
}

/**
 * Has threads do tasks, calls `onDone` for each that is done, and ends the threads. A thread begins with neighbours, which share their
 * imports, and takes over half of the longest stretch that another one has left when it is done with its own.
 */
export async function inThreads<Task, Answer, Thread extends Pick<LintThread, 'end'>>(
  tasks: readonly Task[],
  threads: readonly Thread[],
  ask: (thread: Thread, task: Task) => Promise<Answer>,
  onDone: (index: number, answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const border = (thread: number): number => Math.floor((thread * tasks.length) / threads.length);
  const stretches = threads.map((_, thread) => ({ next: border(thread), end: border(thread + 1) }));
  const end = () => void Promise.all(threads.map((thread) => thread.end()));
  signal.addEventListener('abort', end, { once: true });
  const work = async (thread: Thread, own: Stretch): Promise<void> => {
    for (;;) {
      if (own.next === own.end) takeOver(own, stretches);
      if (own.next === own.end || signal.aborted) return;
      const index = own.next++;
      const answer = await ask(thread, tasks[index] as Task);
      if (signal.aborted) return;
      onDone(index, answer);
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

/** Half of the longest stretch, the later one; nothing when none has a task left. */
function takeOver(own: Stretch, stretches: readonly Stretch[]): void {
  const left = ({ next, end }: Stretch) => end - next;
  const longest = stretches.reduce((most, each) => (left(each) > left(most) ? each : most), own);
  const { end } = longest;
  longest.end -= Math.ceil(left(longest) / 2);
  Object.assign(own, { next: longest.end, end });
}
