import {
  emptyActivity,
  linkActivity,
  nextActivity,
  type ActivityModel,
} from '../../activity/activity-model.ts';
import type { CodeKnowledge } from '../../activity/code-knowledge.ts';
import type { EndingOutcome, EndingRequest } from '../../activity/ending-words.ts';
import type { HolderOf } from '../../activity/holder.ts';
import {
  startPoller,
  type ActivitySource,
  type Poller,
  type PollerClock,
  type PollerState,
} from '../../activity/poller.ts';
import type { Thresholds } from '../../activity/thresholds.ts';
import type { DatabaseFailure } from '../../database/failure-row.ts';
import type { Secret } from '../../database/secret.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { describeTarget, type ConnectionTarget } from '../../database/target.ts';
import type { ConnectionState } from '../../webview/to-view.ts';

export interface OpenConnection {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
}

export interface LiveConnectionOptions {
  readonly createSource: (
    open: OpenConnection,
    onOpen: (session: DatabaseSession) => void,
  ) => ActivitySource;
  /** Ends a session of the server, through the connection that looks while there is one. */
  readonly endSession: (
    watching: DatabaseSession | undefined,
    open: OpenConnection,
    request: EndingRequest,
    signal: AbortSignal,
  ) => Promise<EndingOutcome>;
  readonly clock: PollerClock;
  /** Undefined while the code has not been read. */
  readonly code: () => CodeKnowledge | undefined;
  /** Undefined while no application runs under watch. */
  readonly holderOf?: () => HolderOf | undefined;
  readonly onChange: () => void;
  /** The server refuses the password. Nothing is tried again until `refresh` or another connection. */
  readonly onRefused: (open: OpenConnection, failure: DatabaseFailure) => void;
  /** An error of our own, of which the user is told one sentence. Nothing is tried again until `refresh`. */
  readonly onError: (error: unknown) => void;
}

/** How somebody looks, through whichever connection is open. */
export interface Watching {
  readonly isWatched: boolean;
  readonly intervalMs: number;
  readonly thresholds: Thresholds;
}

/**
 * A connection that somebody opened, from its beginning to its end: what looks through it, what was seen, and what is done to sessions.
 * It looks only while somebody watches and nobody paused it; in between nothing is open.
 */
export class LiveConnection {
  readonly open: OpenConnection;
  readonly #options: LiveConnectionOptions;
  #watching: Watching;
  #poller: Poller | undefined;
  #signal: AbortSignal | undefined;
  readonly #endings = new Set<Promise<EndingOutcome>>();
  #session: DatabaseSession | undefined;
  #state: PollerState = { kind: 'connecting' };
  #activity: ActivityModel = emptyActivity;
  #seenAt: number | undefined;
  #isPausedByUser = false;

  constructor(open: OpenConnection, watching: Watching, options: LiveConnectionOptions) {
    this.open = open;
    this.#watching = watching;
    this.#options = options;
  }

  /** Whether a pooler stands in between; undefined until the connection was opened. */
  get isPooled(): boolean | undefined {
    return this.#session?.isPooled;
  }

  get activity(): ActivityModel {
    return this.#activity;
  }

  /** When the server was last looked at, in milliseconds since 1970. */
  get seenAt(): number | undefined {
    return this.#seenAt;
  }

  get state(): ConnectionState {
    const label = describeTarget(this.open.target);
    const state = this.#state;
    switch (state.kind) {
      case 'connecting':
      case 'live':
        return { kind: state.kind, label };
      case 'paused':
        return { kind: this.#isPausedByUser ? 'paused' : 'connecting', label };
      case 'lost': {
        const { failure, retryInMs } = state;
        return { kind: 'lost', label, sentence: sentenceOf(failure), retryInMs };
      }
    }
  }

  /** To be called once. What begins here is over with `end`. */
  begin(signal: AbortSignal): this {
    this.#signal = signal;
    this.#poller = startPoller({
      source: this.#options.createSource(this.open, (session) => {
        if (!signal.aborted) this.#opened(session);
      }),
      clock: this.#options.clock,
      intervalMs: this.#watching.intervalMs,
      startPaused: !this.#isLooking,
      // A wrong password stays wrong: another attempt every half minute could lock the role, and fills the server's log.
      isFinal: ({ kind }) => kind === 'wrong-password',
      onState: (state) => this.#receive(state),
    });
    return this;
  }

  /** Resolves when nothing of it is open. Its signal has told it of the end before. */
  async end(): Promise<void> {
    await Promise.all([this.#poller?.stop(), ...this.#endings]);
  }

  watch(watching: Watching): void {
    const before = this.#watching;
    this.#watching = watching;
    if (watching.intervalMs !== before.intervalMs) this.#poller?.setIntervalMs(watching.intervalMs);
    if (watching.thresholds !== before.thresholds) this.relink();
    this.#applyPause();
  }

  setPaused(isPaused: boolean): void {
    this.#isPausedByUser = isPaused;
    this.#applyPause();
  }

  /** Looks at once, also at a server that had refused the password. */
  refresh(): void {
    this.#poller?.refresh();
  }

  /** The code or the thresholds have changed: what was seen last is linked and judged anew. */
  relink(): void {
    this.#activity = linkActivity(this.#activity, this.#options.code(), this.#watching.thresholds);
  }

  /** Cancels or terminates, and looks again. Nothing is asked of the server once the connection has ended. */
  async endSession(request: EndingRequest): Promise<EndingOutcome> {
    const ended: EndingOutcome = {
      kind: 'failed',
      failure: {
        kind: 'cancelled',
        sentence: `The connection to ${describeTarget(this.open.target)} was closed, so the result is unknown for session ${request.pid}.`,
        code: null,
      },
    };
    const signal = this.#signal;
    if (signal === undefined || signal.aborted) return ended;
    const session = this.#state.kind === 'live' ? this.#session : undefined;
    const ending = this.#options.endSession(session, this.open, request, signal);
    this.#endings.add(ending);
    try {
      const outcome = await ending;
      return signal.aborted && outcome.kind === 'failed' ? ended : outcome;
    } finally {
      this.#endings.delete(ending);
      this.refresh();
    }
  }

  get #isLooking(): boolean {
    return this.#watching.isWatched && !this.#isPausedByUser;
  }

  #applyPause(): void {
    if (this.#isLooking) this.#poller?.resume();
    else this.#poller?.pause();
  }

  /** How the connection leads is known before the first sample, which may have to wait. */
  #opened(session: DatabaseSession): void {
    this.#session = session;
    this.#options.onChange();
  }

  #receive(state: PollerState): void {
    this.#state = state;
    if (state.kind === 'live') {
      this.#activity = nextActivity(this.#activity, state.report, {
        thresholds: this.#watching.thresholds,
        code: this.#options.code(),
        holderOf: this.#options.holderOf?.(),
      });
      this.#seenAt = Date.now();
    }
    this.#options.onChange();
    if (state.kind === 'lost' && state.retryInMs === null) this.#giveUp(state.failure);
  }

  #giveUp(failure: DatabaseFailure): void {
    if (failure.kind === 'unexpected') this.#options.onError(failure.error);
    else this.#options.onRefused(this.open, failure);
  }
}

/** Where an error was thrown is for the log. */
export function sentenceOf({ kind, sentence }: DatabaseFailure): string {
  return kind === 'unexpected' ? `${sentence} The Poolguard output channel shows where.` : sentence;
}
