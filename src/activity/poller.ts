import type { DatabaseFailureKind } from '../database/failure-row.ts';
import type { DatabaseFailure } from '../database/failure.ts';
import type { ActivityReport } from './snapshot.ts';

/** What one look gives. `Report` is what is looked at: a server's sessions, if nothing else is said. */
export type ActivityAnswer<Report = ActivityReport> =
  | {
      readonly kind: 'report';
      readonly report: Report;
      /** What the look took by the server's own clock, where that tells. */ readonly serverMs?: number;
    }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** An open connection, as far as the poller needs it. */
export interface ActivityReader<Report = ActivityReport> {
  read(): Promise<ActivityAnswer<Report>>;
  onLost(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface ActivitySource<Report = ActivityReport> {
  open(
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'opened'; readonly reader: ActivityReader<Report> }
    | { readonly kind: 'failed'; readonly failure: DatabaseFailure }
  >;
}

/** Time as an argument, in milliseconds. */
export interface PollerClock {
  now(): number;
  /** Resolves after the time, or as soon as the signal aborts; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export type PollerState<Report = ActivityReport> =
  | { readonly kind: 'connecting' }
  | {
      readonly kind: 'live';
      readonly report: Report;
      /** Until the next look. */ readonly nextInMs: number;
    }
  | { readonly kind: 'paused'; /** The last one seen. */ readonly report: Report | null }
  | {
      readonly kind: 'lost';
      readonly failure: DatabaseFailure;
      readonly retryInMs: number;
      /** Failures in a row, from 1. */
      readonly attempt: number;
      readonly report: Report | null;
    };

export interface PollerOptions<Report = ActivityReport> {
  readonly source: ActivitySource<Report>;
  readonly clock: PollerClock;
  readonly onState: (state: PollerState<Report>) => void;
  /** One of `pollIntervalsMs` as a rule; 2,000 by default. */
  readonly intervalMs?: number;
  readonly startPaused?: boolean;
  /** Stops the poller for good. */
  readonly signal?: AbortSignal;
}

export interface Poller {
  /** Stops looking and closes the connection: nothing is held on the server while nobody looks. */
  pause(): void;
  resume(): void;
  /** Looks, or tries to connect again, without waiting for the interval. */
  refresh(): void;
  setIntervalMs(intervalMs: number): void;
  /** Resolves when the connection is closed. Safe to call twice. No state is emitted afterwards. */
  stop(): Promise<void>;
}

const defaultPollIntervalMs = 2_000;

/** A look may take at most a fifth of the time: a slow server or network is asked less often. */
const restPerLook = 4;
/** The server may work for us at most a hundredth of the time. */
const restPerServerTime = 99;
const longestRestMs = 30_000;
const firstRetryMs = 500;
const longestRetryMs = 10_000;
/** Failures that no waiting mends: trying again soon would only lock an account or fill the server's log. */
const retryOfSettledFailureMs = 30_000;
const settledFailures: ReadonlySet<DatabaseFailureKind> = new Set([
  'wrong-password',
  'no-such-role',
  'no-such-database',
  'tls-refused',
  'permission',
]);

/** How long to rest after a look that took so long here, and so long on the server. */
export function restMs(intervalMs: number, tookMs: number, serverMs: number): number {
  return Math.max(
    intervalMs,
    Math.min(
      longestRestMs,
      Math.round(Math.max(restPerLook * tookMs, restPerServerTime * serverMs)),
    ),
  );
}

/** How long to wait after the given number of failures in a row. */
function retryDelayMs(kind: DatabaseFailureKind, attempt: number): number {
  return settledFailures.has(kind)
    ? retryOfSettledFailureMs
    : Math.min(longestRetryMs, firstRetryMs * 2 ** (attempt - 1));
}

/** Starts to look at once. One request is in flight at most; every failure is a state, followed by another attempt. */
export function startPoller<Report = ActivityReport>({
  source,
  clock,
  onState,
  intervalMs = defaultPollIntervalMs,
  startPaused = false,
  signal,
}: PollerOptions<Report>): Poller {
  const stopper = new AbortController();
  let nap = new AbortController();
  let interval = intervalMs;
  let isPaused = startPaused;
  const wake = () => nap.abort();
  const stop = () => {
    stopper.abort();
    wake();
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();

  /** Until the time is over, or something happened that the loop must see. Null, while paused, waits for the latter only. */
  const rest = async (milliseconds: number | null) => {
    nap = new AbortController();
    if (stopper.signal.aborted || isPaused !== (milliseconds === null)) return;
    if (milliseconds === null)
      await new Promise<void>((resolve) =>
        nap.signal.addEventListener('abort', () => resolve(), { once: true }),
      );
    else await clock.sleep(milliseconds, nap.signal);
  };
  const loop = pollUntilStopped({
    source,
    clock,
    onState,
    rest,
    wake,
    stop: stopper.signal,
    interval: () => interval,
    isPaused: () => isPaused,
  });
  const ended = loop.finally(() => signal?.removeEventListener('abort', stop));
  const setPaused = (paused: boolean) => {
    if (paused === isPaused) return;
    isPaused = paused;
    wake();
  };
  return {
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    refresh: wake,
    setIntervalMs: (milliseconds) => {
      interval = milliseconds;
      wake();
    },
    stop: () => {
      stop();
      return ended;
    },
  };
}

interface Loop<Report> {
  readonly source: ActivitySource<Report>;
  readonly clock: PollerClock;
  readonly onState: (state: PollerState<Report>) => void;
  readonly rest: (milliseconds: number | null) => Promise<void>;
  readonly wake: () => void;
  readonly stop: AbortSignal;
  readonly interval: () => number;
  readonly isPaused: () => boolean;
}

interface Pace {
  /** A connection was opened. */
  begin(): void;
  /** How long to rest after a look. */
  restMs(tookMs: number, serverMs: number): number;
}

/** The first look after connecting fills the server's caches, and any look may be unlucky: two slow ones in a row count. */
function createPace(interval: () => number): Pace {
  let earlierServerMs = 0;
  return {
    begin() {
      earlierServerMs = 0;
    },
    restMs(tookMs, serverMs) {
      const slower = Math.min(serverMs, earlierServerMs);
      earlierServerMs = serverMs;
      return restMs(interval(), tookMs, slower);
    },
  };
}

async function pollUntilStopped<Report>(loop: Loop<Report>): Promise<void> {
  const { source, clock, onState, rest, wake, stop, interval, isPaused } = loop;
  let reader: ActivityReader<Report> | null = null;
  let report: Report | null = null;
  let attempt = 0;
  const pace = createPace(interval);
  const close = async () => {
    const closing = reader;
    reader = null;
    await closing?.close();
  };
  const retryLater = async (failure: DatabaseFailure) => {
    await close();
    if (stop.aborted || isPaused()) return;
    attempt += 1;
    const retryInMs = retryDelayMs(failure.kind, attempt);
    onState({ kind: 'lost', failure, retryInMs, attempt, report });
    await rest(retryInMs);
  };
  const look = async (open: ActivityReader<Report>) => {
    const began = clock.now();
    const answer = await open.read();
    if (stop.aborted || isPaused()) return;
    if (answer.kind === 'failed') return retryLater(answer.failure);
    attempt = 0;
    report = answer.report;
    const nextInMs = pace.restMs(clock.now() - began, answer.serverMs ?? 0);
    onState({ kind: 'live', report, nextInMs });
    await rest(nextInMs);
  };
  try {
    while (!stop.aborted) {
      if (isPaused()) {
        await close();
        if (!stop.aborted) onState({ kind: 'paused', report });
        while (isPaused() && !stop.aborted) await rest(null);
      } else if (reader === null) {
        if (attempt === 0) onState({ kind: 'connecting' });
        const opened = await source.open(stop);
        if (opened.kind === 'failed') await retryLater(opened.failure);
        else {
          reader = opened.reader;
          pace.begin();
          // The next look will find the connection gone and say why.
          reader.onLost(wake);
        }
      } else await look(reader);
    }
  } finally {
    await close();
  }
}
