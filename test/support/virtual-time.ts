import type { Clock } from '../../src/probe/clock.ts';

/** A clock that jumps to whatever is due next, so that seconds of waiting take no time. */
export interface VirtualTime extends Clock {
  /** Calls the action at that moment, at the earliest now. Returns what takes it back. */
  at(ms: number, action: () => void): () => void;
  /** Lets time pass until the work is done; then it stands still. Rejects when nothing is due and the work still waits. */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Due {
  readonly at: number;
  /** Of two at the same moment the one that was noted first comes first. */
  readonly order: number;
  readonly action: () => void;
}

/** Begins at 0 ms. */
export function createVirtualTime(): VirtualTime {
  const dues: Due[] = [];
  let now = 0;
  let order = 0;
  const at: VirtualTime['at'] = (ms, action) => {
    const due = { at: Math.max(now, ms), order: (order += 1), action };
    insert(dues, due);
    return () => {
      const place = dues.indexOf(due);
      if (place >= 0) dues.splice(place, 1);
    };
  };
  return {
    now: () => now,
    at,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const end = () => {
          forget();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const forget = at(now + ms, end);
        signal.addEventListener('abort', end, { once: true });
      }),
    run: async (work) => {
      let isOver = false;
      const note = () => (isOver = true);
      work.then(note, note);
      for (;;) {
        await microtasks();
        if (isOver) return work;
        const due = dues.pop();
        if (due === undefined)
          throw new Error('Nothing is due any more, and the work still waits.');
        now = due.at;
        due.action();
      }
    },
  };
}

/** All promises that can settle have settled when an immediate is called. */
function microtasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Keeps the list in falling order, so that the next one is at its end. */
function insert(dues: Due[], due: Due): void {
  let low = 0;
  let high = dues.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = dues[middle];
    if (
      other !== undefined &&
      (other.at > due.at || (other.at === due.at && other.order > due.order))
    )
      low = middle + 1;
    else high = middle;
  }
  dues.splice(low, 0, due);
}
