import type { ConnectTimes, TimedConnect } from '../../database/time-connect.ts';
import type { Clock } from '../clock.ts';
import { toLatency } from '../load/recorder.ts';
import type { ErrorCounts, Latency } from '../load/pool-load.ts';
import { connectPhases, type ConnectPath, type ConnectPhase } from './connect-result.ts';

/** One way to the server: opens one connection, times it and closes it. */
export type Dial = (signal: AbortSignal) => Promise<TimedConnect>;

export interface Lap {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** By the clock: begins nothing new after it. */
  readonly untilMs: number;
  /** After each connection. */
  readonly onDone?: () => void;
}

/** What several connections by one way came to. */
export interface Dialled {
  readonly times: readonly ConnectTimes[];
  readonly errors: ErrorCounts;
  readonly wallMs: number;
  /** The last failure's sentence. */
  readonly problem: string | null;
}

/** In a row so many failures say that there is no getting through. */
const mostFailures = 5;

/** Several ways by turns, one connection at a time, so that whatever changes meanwhile changes for all of them. */
export async function dialInTurn<Way extends { readonly dial: Dial }>(
  ways: readonly Way[],
  times: number,
  lap: Lap,
): Promise<readonly (Way & { readonly sequential: Dialled })[]> {
  const all = ways.map((way) => ({ way, book: openBook(lap.clock) }));
  for (let turn = 0; turn < times; turn += 1) {
    for (const { way, book } of all) {
      if (book.isHopeless() || isOver(lap)) continue;
      book.note(await way.dial(lap.signal), lap);
    }
  }
  return all.map(({ way, book }) => ({ ...way, sequential: book.close() }));
}

/** `at` connections at a time until there were `times`. */
export async function dialAtOnce(
  dial: Dial,
  { at, times }: { readonly at: number; readonly times: number },
  lap: Lap,
): Promise<Dialled> {
  const book = openBook(lap.clock);
  let begun = 0;
  const work = async () => {
    while (begun < times && !book.isHopeless() && !isOver(lap)) {
      begun += 1;
      book.note(await dial(lap.signal), lap);
    }
  };
  await Promise.all(Array.from({ length: at }, work));
  return book.close();
}

function isOver({ clock, signal, untilMs }: Lap): boolean {
  return signal.aborted || clock.now() >= untilMs;
}

function openBook(clock: Clock) {
  const began = clock.now();
  const times: ConnectTimes[] = [];
  const errors: Record<string, number> = {};
  let inARow = 0;
  let problem: string | null = null;
  return {
    isHopeless: () => inARow >= mostFailures,
    note: (answer: TimedConnect, { signal, onDone }: Lap) => {
      // What ends because everything ends is no failure of the server.
      if (signal.aborted) return;
      onDone?.();
      inARow = answer.kind === 'timed' ? 0 : inARow + 1;
      if (answer.kind === 'timed') return void times.push(answer.times);
      const cause = answer.failure.code ?? answer.failure.kind;
      errors[cause] = (errors[cause] ?? 0) + 1;
      problem = answer.failure.sentence;
    },
    close: (): Dialled => ({ times, errors, wallMs: clock.now() - began, problem }),
  };
}

export interface DialledWay extends Pick<ConnectPath, 'name' | 'address'> {
  readonly sequential: Dialled;
  readonly concurrent: Dialled;
}

/** Sums up one way. */
export function toConnectPath(
  { name, address, sequential, concurrent }: DialledWay,
  at: number,
): ConnectPath {
  return {
    name,
    address,
    sequential: {
      total: toLatency(sequential.times.map(({ total }) => total)),
      phases: toPhases(sequential.times),
      errors: sequential.errors,
    },
    concurrent: {
      at,
      total: toLatency(concurrent.times.map(({ total }) => total)),
      perSecond: concurrent.wallMs > 0 ? (concurrent.times.length / concurrent.wallMs) * 1000 : 0,
      errors: concurrent.errors,
    },
  };
}

function toPhases(times: readonly ConnectTimes[]): Partial<Record<ConnectPhase, Latency>> {
  return Object.fromEntries(
    connectPhases.flatMap((phase) => {
      const latency = toLatency(times.map((one) => one[phase]).filter((ms) => ms !== null));
      return latency === null ? [] : [[phase, latency]];
    }),
  );
}
