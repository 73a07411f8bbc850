import type { Clock } from '../probe/clock.ts';

const second = 1000;

/** Tells how many seconds have passed, about once in each, until `work` is done. */
export async function tellSeconds<Answer>(
  work: Promise<Answer>,
  clock: Clock,
  tell: (seconds: number) => void,
): Promise<Answer> {
  const over = new AbortController();
  const startedMs = clock.now();
  const telling = (async () => {
    while (!over.signal.aborted) {
      tell(Math.floor((clock.now() - startedMs) / second));
      await clock.wait(second, over.signal);
    }
  })();
  try {
    return await work;
  } finally {
    over.abort();
    await telling;
  }
}
