import { once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { noFileCode } from './file-code.ts';
import type { CheckedFile } from './check-file.ts';
import {
  nothingFound,
  type AnyQuestion,
  type CodeAnswer,
  type CodeQuestion,
  type ThreadAnswer,
  type ThreadQuestion,
  type ThreadStart,
} from './thread-messages.ts';
import { uncheckedFile } from './unchecked-file.ts';

/** Lints files of the disk beside the program's own work. */
export interface LintThread {
  /** Empty for a file that cannot be read, or that has no word of a pool; also when `end` was called meanwhile. One question at a time. */
  lint(question: ThreadQuestion): Promise<ThreadAnswer>;
  /** What links a source or a `.sql` file with sessions; nothing where `lint` would be empty. */
  read(question: Omit<CodeQuestion, 'wants'>): Promise<CodeAnswer>;
  /** What a report says of a file, as the thread was started to check: a problem where the thread died of it. */
  check(path: string): Promise<CheckedFile>;
  end(): Promise<void>;
}

/** How a thread lives beside the program. */
interface Manner {
  /** Above this the thread ends by itself, and the program does not. */
  readonly limits: ResourceLimits;
  /** Whether the program goes on for as long as it has a question. */
  readonly isAwaited: boolean;
}

const manners = {
  /** What it keeps of other files is bounded, so more would only be garbage that waits. */
  background: { limits: { maxOldGenerationSizeMb: 192 }, isAwaited: false },
  /** As much of everything as the main thread has: what is nested too deeply for one is so for the other. Node.js takes 192 kB of the stack for itself. */
  foreground: { limits: { stackSizeMb: (984 + 192) / 1024 }, isAwaited: true },
} as const satisfies Record<string, Manner>;

/**
 * Starts a thread with the first question, from a bundle that calls `serveLintThread` where it is not the main thread. A thread that dies,
 * say of a file that takes too much memory, is replaced; the file is asked again where the thread may have died of those before it.
 */
export function createLintThread(
  bundle: string,
  start: ThreadStart,
  manner: keyof typeof manners = 'background',
): LintThread {
  let running: { readonly worker: Worker; hasAnswered: boolean } | undefined;
  const drop = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    await ending?.worker.terminate();
  };
  const ask = async <Answer>(question: AnyQuestion, nothing: Answer): Promise<Answer> => {
    running ??= { worker: startWorker(bundle, start, manners[manner]), hasAnswered: false };
    const asked = running;
    try {
      asked.worker.postMessage(question);
      const answer = await answerOf<Answer>(asked.worker);
      asked.hasAnswered = true;
      return answer;
    } catch {
      if (asked !== running) return nothing;
      await drop();
      return asked.hasAnswered ? ask(question, nothing) : nothing;
    }
  };
  return {
    lint: (question) => ask(question, nothingFound),
    read: (question) => ask<CodeAnswer>({ ...question, wants: 'code' }, { code: noFileCode }),
    check: (path) =>
      ask<CheckedFile>({ path, wants: 'check' }, { ...uncheckedFile(path, diedOf), reads: [] }),
    end: drop,
  };
}

const diedOf =
  'The file was not checked: its worker thread ended, probably because it ran out of memory.';

function startWorker(bundle: string, start: ThreadStart, { limits, isAwaited }: Manner): Worker {
  // What it prints must not get into a protocol that runs over standard output.
  const worker = new Worker(bundle, {
    workerData: start,
    stdout: true,
    stderr: true,
    resourceLimits: limits,
  });
  worker.on('error', () => undefined);
  if (!isAwaited) worker.unref();
  return worker;
}

/** Rejects when the thread fails or ends. */
async function answerOf<Answer>(worker: Worker): Promise<Answer> {
  const settled = new AbortController();
  const gone = once(worker, 'exit', { signal: settled.signal }).then(() => {
    throw new Error('The thread has ended.');
  });
  gone.catch(() => undefined);
  try {
    const [answer] = (await Promise.race([
      once(worker, 'message', { signal: settled.signal }),
      gone,
    ])) as [Answer];
    return answer;
  } finally {
    settled.abort();
  }
}
