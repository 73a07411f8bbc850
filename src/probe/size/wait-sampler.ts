import type { BackendState } from '../../database/probe-server.ts';
import type { Clock } from '../clock.ts';
import type { WaitSamples } from './slice.ts';

export interface WaitSampler {
  /** The pool size at work; null between slices, when nothing is counted. */
  setSize(size: number | null): void;
  read(): readonly WaitSamples[];
  /** Resolves when the last sample is over. */
  stop(): Promise<void>;
}

const everyMs = 50;

/** Looks again and again, one look at a time. `look` gives null when it could not see anything. */
export function startWaitSampler(
  look: () => Promise<readonly BackendState[] | null>,
  clock: Clock,
): WaitSampler {
  const bySize = new Map<number, BackendState[]>();
  const ending = new AbortController();
  let size: number | null = null;
  const run = async () => {
    while (!ending.signal.aborted) {
      const asked = size;
      const seen = asked === null ? null : await look();
      if (asked !== null && asked === size && seen !== null)
        bySize.set(asked, [...(bySize.get(asked) ?? []), ...seen]);
      await clock.wait(everyMs, ending.signal);
    }
  };
  const running = run();
  return {
    setSize: (next) => {
      size = next;
    },
    read: () => [...bySize].map(([each, states]) => summarise(each, states)),
    stop: () => {
      ending.abort();
      return running;
    },
  };
}

function summarise(size: number, states: readonly BackendState[]): WaitSamples {
  const waiting = new Map<string, { type: string; event: string; count: number }>();
  let running = 0;
  for (const { type, event, pids } of states) {
    const count = pids.length;
    if (type === null) {
      running += count;
      continue;
    }
    const key = `${type} ${event}`;
    waiting.set(key, { type, event: event ?? '', count: count + (waiting.get(key)?.count ?? 0) });
  }
  return { size, running, waiting: [...waiting.values()] };
}
