import {
  emptyActivity,
  linkActivity,
  nextActivity,
  type ActivityModel,
} from '../../activity/activity-model.ts';
import type { CodeKnowledge } from '../../activity/code-knowledge.ts';
import {
  startPoller,
  type ActivitySource,
  type Poller,
  type PollerClock,
  type PollerState,
} from '../../activity/poller.ts';
import type { HolderOf } from '../../activity/holder.ts';
import type { Thresholds } from '../../activity/thresholds.ts';
import type { DatabaseFailure } from '../../database/failure.ts';
import type { Secret } from '../../database/secret.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { describeTarget, type ConnectionTarget } from '../../database/target.ts';
import type { ConnectionState, IntervalSeconds } from '../../webview/messages.ts';

export interface OpenConnection {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
}

export interface LiveActivityOptions {
  readonly createSource: (
    target: ConnectionTarget,
    secret: Secret | null,
    onOpen: (session: DatabaseSession) => void,
  ) => ActivitySource;
  readonly clock: PollerClock;
  readonly intervalSeconds: IntervalSeconds;
  /** Undefined while the code has not been read. */
  readonly code: () => CodeKnowledge | undefined;
  /** Undefined while no application runs under watch. */
  readonly holderOf?: () => HolderOf | undefined;
  readonly thresholds: Thresholds;
  readonly onChange: () => void;
  /** The server refuses the password. Nothing is tried again until `refresh` or `connect`. */
  readonly onRefused: (open: OpenConnection, failure: DatabaseFailure) => void;
}

/**
 * The one open connection and what was last seen through it.
 * Looks at the server only while somebody watches and nobody paused it; the connection is closed in between.
 */
export class LiveActivity {
  readonly #options: LiveActivityOptions;
  #open: OpenConnection | undefined;
  #poller: Poller | undefined;
  #session: DatabaseSession | undefined;
  #state: PollerState = { kind: 'connecting' };
  #activity: ActivityModel = emptyActivity;
  #seenAt: number | undefined;
  #intervalSeconds: IntervalSeconds;
  #thresholds: Thresholds;
  #isWatched = false;
  #isPausedByUser = false;

  constructor(options: LiveActivityOptions) {
    this.#options = options;
    this.#intervalSeconds = options.intervalSeconds;
    this.#thresholds = options.thresholds;
  }

  get open(): OpenConnection | undefined {
    return this.#open;
  }

  /** The connection that looks, while one is open: nobody else closes it. */
  get watching(): DatabaseSession | undefined {
    return this.#state.kind === 'live' ? this.#session : undefined;
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

  get intervalSeconds(): IntervalSeconds {
    return this.#intervalSeconds;
  }

  /** Undefined when there is no connection. */
  connectionState(): ConnectionState | undefined {
    if (this.#open === undefined) return undefined;
    const label = describeTarget(this.#open.target);
    const state = this.#state;
    switch (state.kind) {
      case 'connecting':
      case 'live':
        return { kind: state.kind, label };
      case 'paused':
        return { kind: this.#isPausedByUser ? 'paused' : 'connecting', label };
      case 'lost':
        return {
          kind: 'lost',
          label,
          sentence: state.failure.sentence,
          retryInMs: this.#poller === undefined ? null : state.retryInMs,
        };
    }
  }

  async connect(open: OpenConnection): Promise<void> {
    await this.disconnect();
    this.#open = open;
    this.#isPausedByUser = false;
    this.#start(open);
    this.#options.onChange();
  }

  /** Resolves when the connection is closed. */
  async disconnect(): Promise<void> {
    const poller = this.#poller;
    this.#poller = undefined;
    this.#session = undefined;
    this.#open = undefined;
    this.#state = { kind: 'connecting' };
    this.#activity = emptyActivity;
    this.#seenAt = undefined;
    await poller?.stop();
    this.#options.onChange();
  }

  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#applyPause();
  }

  setPaused(isPaused: boolean): void {
    this.#isPausedByUser = isPaused;
    this.#applyPause();
    this.#options.onChange();
  }

  setInterval(seconds: IntervalSeconds): void {
    this.#intervalSeconds = seconds;
    this.#poller?.setIntervalMs(seconds * 1000);
    this.#options.onChange();
  }

  /** What was last seen is judged anew. */
  setThresholds(thresholds: Thresholds): void {
    this.#thresholds = thresholds;
    this.relink();
  }

  /** Looks at once, also at a server that had refused the password. */
  refresh(): void {
    if (this.#poller === undefined && this.#open !== undefined) this.#start(this.#open);
    else this.#poller?.refresh();
  }

  #start(open: OpenConnection): void {
    this.#poller = startPoller({
      source: this.#options.createSource(open.target, open.secret, (session) =>
        this.#opened(open, session),
      ),
      clock: this.#options.clock,
      intervalMs: this.#intervalSeconds * 1000,
      startPaused: !this.#isWatched,
      onState: (state) => this.#receive(state),
    });
  }

  /** The code or the thresholds have changed: what was seen last is linked and judged anew. */
  relink(): void {
    this.#activity = linkActivity(this.#activity, this.#options.code(), this.#thresholds);
    this.#options.onChange();
  }

  #applyPause(): void {
    if (this.#isWatched && !this.#isPausedByUser) this.#poller?.resume();
    else this.#poller?.pause();
  }

  /** How the connection leads is known before the first look, which may have to wait. */
  #opened(open: OpenConnection, session: DatabaseSession): void {
    if (this.#open !== open) return;
    this.#session = session;
    this.#options.onChange();
  }

  #receive(state: PollerState): void {
    this.#state = state;
    if (state.kind === 'lost' && state.failure.kind === 'wrong-password')
      this.#giveUp(state.failure);
    if (state.kind === 'live') {
      this.#activity = nextActivity(this.#activity, state.report, {
        thresholds: this.#thresholds,
        code: this.#options.code(),
        holderOf: this.#options.holderOf?.(),
      });
      this.#seenAt = Date.now();
    }
    this.#options.onChange();
  }

  /** A wrong password stays wrong: another attempt every half minute could lock the role, and fills the server's log. */
  #giveUp(failure: DatabaseFailure): void {
    void this.#poller?.stop();
    this.#poller = undefined;
    if (this.#open !== undefined) this.#options.onRefused(this.#open, failure);
  }
}
