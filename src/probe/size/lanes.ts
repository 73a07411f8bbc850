import type { DatabaseFailure } from '../../database/failure-row.ts';
import type { DatabaseSession } from '../../database/session.ts';
import type { Clock } from '../clock.ts';
import type { RandomSource } from '../random.ts';
import type { Workload } from '../workload/workload.ts';

/** Running totals since the lanes were made. */
export interface LaneCounts {
  readonly completed: number;
  /** When the last of them completed, by the clock; null before the first. */
  readonly lastAt: number | null;
  /** Failed statements by SQLSTATE or client error code. */
  readonly errors: Readonly<Record<string, number>>;
}

/** How long the statements of a workload took at one pool size, as a client sees it: by their place in the workload. */
export interface StatementTimes {
  readonly size: number;
  readonly statements: readonly StatementTime[];
}

export interface StatementTime {
  readonly completed: number;
  readonly totalMs: number;
}

/**
 * A virtual pool: all sessions are open from the start, and a pool of N is a moment in which only the first N of them work.
 * Switching sizes costs no connection, so that sizes can be compared within the same second.
 */
export interface Lanes {
  /** Lets the first `size` sessions work, each on its next statement as soon as the last is done. Resolves when all others are idle. `of` is the size to which these belong where others work as well. */
  setSize(size: number, of?: number): Promise<void>;
  read(): LaneCounts;
  /** By pool size; empty where they are not taken. */
  readTimes(): readonly StatementTimes[];
}

interface Lane {
  readonly session: DatabaseSession;
  isBusy: boolean;
}

export interface LanesOptions {
  readonly sessions: readonly DatabaseSession[];
  /** What each of them runs. */
  readonly workload: Pick<Workload, 'next'>;
  readonly random: RandomSource;
  readonly clock: Pick<Clock, 'now'>;
  /** After each statement; the code of its failure, or null. */
  readonly onDone?: (code: string | null) => void;
}

export function createLanes({ sessions, workload, random, clock, onDone }: LanesOptions): Lanes {
  const lanes = sessions.map((session): Lane => ({ session, isBusy: false }));
  const errors = new Map<string, number>();
  let size = 0;
  let whole = 0;
  let completed = 0;
  let lastAt: number | null = null;
  let onIdle: (() => void) | undefined;
  const times = createTimes();

  const work = async (lane: Lane, index: number) => {
    lane.isBusy = true;
    while (index < size) {
      const statement = workload.next(random);
      const began = { atMs: clock.now(), whole };
      const answer = await lane.session.run(statement);
      if (answer.kind === 'rows') {
        completed += 1;
        lastAt = clock.now();
        // What ran while the size changed belongs to neither.
        if (began.whole === whole) times.add(whole, statement.at ?? 0, lastAt - began.atMs);
        onDone?.(null);
      } else {
        const code = answer.failure.code ?? answer.failure.kind;
        errors.set(code, (errors.get(code) ?? 0) + 1);
        onDone?.(code);
        if (isOver(answer.failure)) break;
      }
    }
    await lane.session.settle();
    lane.isBusy = false;
    onIdle?.();
  };

  return {
    async setSize(wanted, of = wanted) {
      size = wanted;
      whole = of;
      for (const [index, lane] of lanes.entries())
        if (index < size && !lane.isBusy) void work(lane, index);
      const isSettled = () => lanes.every((lane, index) => index < size || !lane.isBusy);
      while (!isSettled()) await new Promise<void>((resolve) => (onIdle = resolve));
    },
    read: () => ({ completed, lastAt, errors: Object.fromEntries(errors) }),
    readTimes: () => times.read(),
  };
}

/** The times of several lanes together. */
export function addTimes(all: readonly StatementTimes[]): readonly StatementTimes[] {
  const times = createTimes();
  for (const { size, statements } of all)
    for (const [at, { completed, totalMs }] of statements.entries())
      times.add(size, at, totalMs, completed);
  return times.read();
}

function createTimes() {
  const bySize = new Map<number, { completed: number; totalMs: number }[]>();
  return {
    add(size: number, at: number, ms: number, runs = 1): void {
      const statements = bySize.get(size) ?? [];
      while (statements.length <= at) statements.push({ completed: 0, totalMs: 0 });
      const own = statements[at];
      if (own !== undefined) {
        own.completed += runs;
        own.totalMs += ms;
      }
      bySize.set(size, statements);
    },
    read: (): readonly StatementTimes[] =>
      [...bySize].map(([size, statements]) => ({ size, statements })),
  };
}

/** A failure after which the session takes no further statement. Without this, a closed session would be asked indefinitely. */
function isOver({ kind, code }: DatabaseFailure): boolean {
  return kind === 'lost' || code === null || !/^[0-9A-Z]{5}$/.test(code);
}
