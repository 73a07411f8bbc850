import { median } from 'simple-statistics';
import type { Slice, WaitSamples } from './slice.ts';

/** What kept larger pools from doing more. `none` is known about it: most often the server's CPU. */
export type Bottleneck =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'lock';
      /** For example "Lock: advisory". */ readonly event: string;
      /** Of the samples, 0 to 1. */ readonly share: number;
    }
  | { readonly kind: 'client'; readonly ownCores: number; readonly threads: number }
  | { readonly kind: 'host'; readonly cores: number };

/** Fewer samples than this prove nothing. */
const fewestSamples = 20;

/** Names the bottleneck from what was seen at and beyond the picked size. */
export function findBottleneck(
  pick: number,
  slices: readonly Slice[],
  samples: readonly WaitSamples[],
): Bottleneck {
  const lock = findLock(samples.filter(({ size }) => size > pick));
  if (lock !== null) return lock;
  const beyond = slices.filter(({ size }) => size >= pick);
  if (beyond.length === 0) return { kind: 'none' };
  const typical = (read: (slice: Slice) => number) => median(beyond.map(read));
  const eventLoop = typical(({ load }) => load.eventLoop);
  const ownCores = typical(({ load }) => load.ownCores);
  const idleShare = typical(({ load }) => load.idleCores / load.cores);
  if (eventLoop < 0.95) return { kind: 'none' };
  const threads = beyond[0]?.load.threads ?? 1;
  if (ownCores >= 0.85 * threads) return { kind: 'client', ownCores, threads };
  // A busy event loop in a process that gets little CPU means that the whole machine has none left.
  if (ownCores < 0.7 * threads && idleShare < 0.05)
    return { kind: 'host', cores: beyond[0]?.load.cores ?? 1 };
  return { kind: 'none' };
}

function findLock(samples: readonly WaitSamples[]): Bottleneck | null {
  const waits = samples.flatMap(({ waiting }) => waiting);
  const seen = sum(samples.map(({ running }) => running)) + sum(waits.map(({ count }) => count));
  const locks = waits.filter(
    ({ type }) => type === 'Lock' || type === 'LWLock' || type === 'BufferPin',
  );
  const locked = sum(locks.map(({ count }) => count));
  if (seen < fewestSamples || locked < seen / 2) return null;
  const byEvent = new Map<string, number>();
  for (const { type, event, count } of locks)
    byEvent.set(`${type}: ${event}`, (byEvent.get(`${type}: ${event}`) ?? 0) + count);
  const [event] = [...byEvent].reduce((most, each) => (each[1] > most[1] ? each : most));
  return { kind: 'lock', event, share: locked / seen };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
