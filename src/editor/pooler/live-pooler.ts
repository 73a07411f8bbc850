import {
  startPoller,
  type Poller,
  type PollerClock,
  type PollerState,
} from '../../activity/poller.ts';
import type { DatabaseFailureKind } from '../../database/failure-row.ts';
import type { PoolerSource } from '../../database/pooler-console.ts';
import type { Secret } from '../../database/secret.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import { Owner } from '../../ownership/owner.ts';
import { emptyPooler, nextPooler, type PoolerModel } from '../../pooler/pooler-model.ts';
import type { PoolerReport } from '../../pooler/pooler-report.ts';
import type { PoolerState } from '../../webview/to-pooler-page.ts';
import { sentenceOf, type OpenConnection } from '../activity/live-connection.ts';

export interface LivePoolerOptions {
  /** Who looks into the console of the pooler that a connection leads through. */
  readonly chooseRole: (open: OpenConnection) => Promise<OpenConnection>;
  readonly createSource: (console: ConnectionTarget, secret: Secret | null) => PoolerSource;
  readonly clock: PollerClock;
  readonly onChange: () => void;
  /** An error of our own. */
  readonly onError: (error: unknown) => void;
}

/** How the editor is connected. */
export interface PoolerWay {
  readonly open: OpenConnection | undefined;
  /** Undefined as long as nobody knows. */
  readonly isPooled: boolean | undefined;
  readonly isPausedByUser: boolean;
  readonly intervalSeconds: number;
}

/** Failures that only a person can fix: the console is not asked again by itself. */
const settled: Partial<Record<DatabaseFailureKind, { readonly isForRole: boolean }>> = {
  permission: { isForRole: true },
  'wrong-password': { isForRole: true },
  'no-such-role': { isForRole: true },
  'no-such-database': { isForRole: false },
};

/** The console of the pooler in front of the open connection, looked into while somebody watches. */
export class LivePooler {
  readonly #options: LivePoolerOptions;
  readonly #poller = new Owner<Poller>((poller) => poller.stop());
  #way: PoolerWay = {
    open: undefined,
    isPooled: undefined,
    isPausedByUser: false,
    intervalSeconds: 2,
  };
  #polled: PollerState<PoolerReport> = { kind: 'connecting' };
  #model: PoolerModel = emptyPooler;
  #isWatched = false;

  constructor(options: LivePoolerOptions) {
    this.#options = options;
  }

  get open(): OpenConnection | undefined {
    return this.#way.open;
  }

  get state(): PoolerState {
    const { open, isPooled } = this.#way;
    if (open === undefined || isPooled === undefined) return { kind: 'unknown' };
    if (!isPooled) return { kind: 'direct' };
    const polled = this.#polled;
    const model = this.#model;
    if (polled.kind === 'lost') {
      const { failure, retryInMs } = polled;
      const sentence = sentenceOf(failure);
      return retryInMs === null
        ? { kind: 'closed', sentence, isForRole: settled[failure.kind]?.isForRole ?? false }
        : { kind: 'lost', model, sentence, retryInMs };
    }
    return {
      kind: polled.kind === 'paused' && !this.#way.isPausedByUser ? 'connecting' : polled.kind,
      model,
    };
  }

  /** To learn of every change of the connection; does nothing when none matters here. */
  follow(way: PoolerWay): void {
    const before = this.#way;
    this.#way = way;
    if (before.open !== way.open || before.isPooled !== way.isPooled) this.retry();
    if (before.intervalSeconds !== way.intervalSeconds)
      this.#poller.thing?.setIntervalMs(way.intervalSeconds * 1_000);
    this.#applyPause();
  }

  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#applyPause();
  }

  refresh(): void {
    if (this.state.kind !== 'closed') this.#poller.thing?.refresh();
  }

  /** Asks the console anew, as whichever role is chosen by now. */
  retry(): void {
    this.#polled = { kind: 'connecting' };
    this.#model = emptyPooler;
    const { open, isPooled } = this.#way;
    if (open !== undefined && isPooled === true)
      void this.#poller.start((signal) => this.#begin(open, signal));
    else void this.stop();
    this.#options.onChange();
  }

  /** Resolves when the connection is closed. */
  stop(): Promise<void> {
    return this.#poller.end();
  }

  async #begin(open: OpenConnection, signal: AbortSignal): Promise<Poller> {
    const { target, secret } = await this.#options.chooseRole(open);
    return startPoller({
      source: this.#options.createSource(target, secret),
      clock: this.#options.clock,
      intervalMs: this.#way.intervalSeconds * 1_000,
      startPaused: !this.#isLooking,
      isFinal: ({ kind }) => settled[kind] !== undefined,
      onState: (state) => this.#receive(state),
      signal,
    });
  }

  get #isLooking(): boolean {
    return this.#isWatched && !this.#way.isPausedByUser;
  }

  #applyPause(): void {
    if (this.#isLooking) this.#poller.thing?.resume();
    else this.#poller.thing?.pause();
  }

  #receive(state: PollerState<PoolerReport>): void {
    this.#polled = state;
    if (state.kind === 'lost' && state.failure.kind === 'unexpected')
      this.#options.onError(state.failure.error);
    if (state.kind === 'live') this.#model = nextPooler(this.#model, state.report);
    this.#options.onChange();
  }
}
