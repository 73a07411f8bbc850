import { aborted } from '../ownership/aborted.ts';
import { Owner } from '../ownership/owner.ts';
import {
  type DatabaseFailure,
  type DatabaseFailureKind,
  unexpectedFailure,
} from '../database/failure-row.ts';
import type { ActivityReport } from './snapshot.ts';

/** What one sample gives. `Report` is what is looked at: a server's sessions, if nothing else is said. */
export type ActivityAnswer<Report = ActivityReport> =
  | {
      readonly kind: 'report';
      readonly report: Report;
      /** What the sample took by the server's own clock, where that tells. */ readonly serverMs?: number;
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
      /** Until the next sample. */ readonly nextInMs: number;
    }
  | { readonly kind: 'paused'; /** The last one seen. */ readonly report: Report | null }
  | {
      readonly kind: 'lost';
      readonly failure: DatabaseFailure;
      /** Null: not before somebody asks for it. */
      readonly retryInMs: number | null;
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
  /** Failures after which nothing is tried again until `refresh`. What is unexpected, and a server that breaks the protocol, are always among them. */
  readonly isFinal?: (failure: DatabaseFailure) => boolean;
  /** Stops the poller permanently. */
  readonly signal?: AbortSignal;
}

export interface Poller {
  /** Stops looking and closes the connection: nothing is held on the server while nobody looks. */
  pause(): void;
  resume(): void;
  /** Looks, or tries to connect again, without waiting for the interval. What is seen next has begun after this was called. */
  refresh(): void;
  setIntervalMs(intervalMs: number): void;
  /** Resolves when the connection is closed. Safe to call twice. No state is emitted afterwards. */
  stop(): Promise<void>;
}

const defaultPollIntervalMs = 2_000;

/** A sample may take at most a fifth of the time: a slow server or network is asked less often. */
const restPerSample = 4;
/** The server may work for us at most a hundredth of the time. */
const restPerServerTime = 99;
const longestRestMs = 30_000;
const firstRetryMs = 500;
const longestRetryMs = 10_000;
/** Failures that no waiting fixes: trying again soon would only lock an account or fill the server's log. */
const retryOfSettledFailureMs = 30_000;
const settledFailures: ReadonlySet<DatabaseFailureKind> = new Set([
  'wrong-password',
  'no-such-role',
  'no-such-database',
  'tls-refused',
  'permission',
]);

/** How long to rest after a sample that took so long here, and so long on the server. */
export function restMs(intervalMs: number, tookMs: number, serverMs: number): number {
  return Math.max(
    intervalMs,
    Math.min(
      longestRestMs,
      Math.round(Math.max(restPerSample * tookMs, restPerServerTime * serverMs)),
    ),
  );
}

/** How long to wait after the given number of failures in a row. */
function retryDelayMs(kind: DatabaseFailureKind, attempt: number): number {
  return settledFailures.has(kind)
    ? retryOfSettledFailureMs
    : Math.min(longestRetryMs, firstRetryMs * 2 ** (attempt - 1));
}

/** The first sample after connecting fills the server's caches, and any sample may be unlucky: two slow ones in a row count. */
function createPace(interval: () => number): (tookMs: number, serverMs: number) => number {
  let earlierServerMs = 0;
  return (tookMs, serverMs) => {
    const slower = Math.min(serverMs, earlierServerMs);
    earlierServerMs = serverMs;
    return restMs(interval(), tookMs, slower);
  };
}

/** Rests that somebody can end early. */
interface Alarm {
  /** Until the time is over, it rings, or the signal aborts. Null waits for as long as it takes. */
  rest(milliseconds: number | null, signal: AbortSignal): Promise<void>;
  /** Ends the rest, if there is one. */
  ring(): void;
}

function createAlarm(clock: PollerClock): Alarm {
  let nap = new AbortController();
  return {
    async rest(milliseconds, signal) {
      nap = new AbortController();
      const { signal: woken } = nap;
      const ring = () => nap.abort();
      signal.addEventListener('abort', ring, { once: true });
      if (signal.aborted) ring();
      else if (milliseconds !== null) await clock.sleep(milliseconds, woken);
      else await aborted(woken);
      signal.removeEventListener('abort', ring);
    },
    ring: () => nap.abort(),
  };
}

/** Starts to look at once. One request is in flight at most; every failure is a state, followed by another attempt. */
export function startPoller<Report = ActivityReport>(options: PollerOptions<Report>): Poller {
  const { onState, intervalMs = defaultPollIntervalMs, startPaused = false, signal } = options;
  const owner = new Owner();
  const polling = new Polling(options, intervalMs);
  let isPaused = startPaused;
  let isStopped = false;
  /** The connection is closed before it is told that nobody looks. */
  const follow = () => {
    if (isStopped || polling.hasGivenUp) return;
    void owner.start(
      isPaused
        ? () => onState({ kind: 'paused', report: polling.report })
        : (over) => polling.lookUntil(over),
    );
  };
  const setPaused = (paused: boolean) => {
    if (paused === isPaused) return;
    isPaused = paused;
    follow();
  };
  const stop = () => {
    isStopped = true;
    signal?.removeEventListener('abort', onAbort);
    return owner.end();
  };
  const onAbort = () => void stop();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  follow();
  return {
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    refresh() {
      const hadGivenUp = polling.hasGivenUp;
      polling.refresh();
      if (hadGivenUp && isPaused) follow();
    },
    setIntervalMs: (milliseconds) => polling.setIntervalMs(milliseconds),
    stop,
  };
}

/** What goes on from one connection to the next. */
class Polling<Report> {
  readonly #options: PollerOptions<Report>;
  readonly #alarm: Alarm;
  #intervalMs: number;
  #report: Report | null = null;
  /** Failures in a row. */
  #failures = 0;
  #hasGivenUp = false;
  #isLookWanted = false;

  constructor(options: PollerOptions<Report>, intervalMs: number) {
    this.#options = options;
    this.#alarm = createAlarm(options.clock);
    this.#intervalMs = intervalMs;
  }

  /** The last one seen. */
  get report(): Report | null {
    return this.#report;
  }

  /** After a final failure, until somebody asks for another sample. */
  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** A sample that is on its way may have begun too early: another one follows it at once. */
  refresh(): void {
    this.#hasGivenUp = false;
    this.#isLookWanted = true;
    this.#alarm.ring();
  }

  setIntervalMs(intervalMs: number): void {
    this.#intervalMs = intervalMs;
    this.#alarm.ring();
  }

  /** Over one connection after the other, the last of which is closed when it resolves. */
  async lookUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const failure = await this.#lookUntilFailure(signal).catch(unexpectedFailure);
      if (failure !== null && !signal.aborted) await this.#tryLater(failure, signal);
    }
  }

  /** Null when it is over. */
  async #lookUntilFailure(signal: AbortSignal): Promise<DatabaseFailure | null> {
    if (this.#failures === 0) this.#options.onState({ kind: 'connecting' });
    this.#isLookWanted = false;
    const opened = await this.#options.source.open(signal);
    if (opened.kind === 'failed') return opened.failure;
    const { reader } = opened;
    const paceMs = createPace(() => this.#intervalMs);
    // The next sample will find the connection gone and say why.
    const unsubscribe = reader.onLost(() => this.#alarm.ring());
    try {
      while (!signal.aborted) {
        const failure = await this.#look(reader, paceMs, signal);
        if (failure !== null) return failure;
      }
      return null;
    } finally {
      unsubscribe();
      await reader.close();
    }
  }

  async #look(
    reader: ActivityReader<Report>,
    paceMs: ReturnType<typeof createPace>,
    signal: AbortSignal,
  ): Promise<DatabaseFailure | null> {
    const { clock, onState } = this.#options;
    this.#isLookWanted = false;
    const began = clock.now();
    const answer = await reader.read();
    if (signal.aborted) return null;
    if (answer.kind === 'failed') return answer.failure;
    this.#failures = 0;
    this.#report = answer.report;
    const nextInMs = paceMs(clock.now() - began, answer.serverMs ?? 0);
    onState({ kind: 'live', report: answer.report, nextInMs });
    await this.#rest(nextInMs, signal);
    return null;
  }

  async #tryLater(failure: DatabaseFailure, signal: AbortSignal): Promise<void> {
    const { isFinal, onState } = this.#options;
    this.#failures += 1;
    this.#hasGivenUp =
      failure.kind === 'unexpected' || failure.kind === 'breach' || (isFinal?.(failure) ?? false);
    // What was asked for meanwhile would be answered the same.
    if (this.#hasGivenUp) this.#isLookWanted = false;
    const retryInMs = this.#hasGivenUp ? null : retryDelayMs(failure.kind, this.#failures);
    onState({ kind: 'lost', failure, retryInMs, attempt: this.#failures, report: this.#report });
    do await this.#rest(retryInMs, signal);
    while (this.#hasGivenUp && !signal.aborted);
  }

  async #rest(milliseconds: number | null, signal: AbortSignal): Promise<void> {
    if (!this.#isLookWanted) await this.#alarm.rest(milliseconds, signal);
  }
}
