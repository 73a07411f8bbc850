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
import { emptyPooler, nextPooler, type PoolerModel } from '../../pooler/pooler-model.ts';
import type { PoolerReport } from '../../pooler/pooler-report.ts';
import type { PoolerState } from '../../webview/pooler-messages.ts';
import type { OpenConnection } from '../activity/live-activity.ts';

export interface LivePoolerOptions {
  /** Who looks into the console of the pooler that a connection leads through. */
  readonly chooseRole: (open: OpenConnection) => Promise<OpenConnection>;
  readonly createSource: (console: ConnectionTarget, secret: Secret | null) => PoolerSource;
  readonly clock: PollerClock;
  readonly onChange: () => void;
}

/** How the editor is connected. */
export interface PoolerWay {
  readonly open: OpenConnection | undefined;
  /** Undefined as long as nobody knows. */
  readonly isPooled: boolean | undefined;
  readonly isPausedByUser: boolean;
  readonly intervalSeconds: number;
}

/** Failures that only a person can mend: the console is not asked again by itself. */
const settled: Partial<Record<DatabaseFailureKind, { readonly isForRole: boolean }>> = {
  permission: { isForRole: true },
  'wrong-password': { isForRole: true },
  'no-such-role': { isForRole: true },
  'no-such-database': { isForRole: false },
};

/** The console of the pooler in front of the open connection, looked into while somebody watches. */
export class LivePooler {
  readonly #options: LivePoolerOptions;
  #way: PoolerWay = {
    open: undefined,
    isPooled: undefined,
    isPausedByUser: false,
    intervalSeconds: 2,
  };
  #poller: Poller | undefined;
  #polled: PollerState<PoolerReport> = { kind: 'connecting' };
  #model: PoolerModel = emptyPooler;
  #closed: { readonly sentence: string; readonly isForRole: boolean } | undefined;
  #isWatched = false;
  /** Counts the consoles that were asked, so that an answer which comes late is known as such. */
  #round = 0;

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
    if (this.#closed !== undefined) return { kind: 'closed', ...this.#closed };
    const polled = this.#polled;
    const model = this.#model;
    if (polled.kind === 'lost')
      return {
        kind: 'lost',
        model,
        sentence: polled.failure.sentence,
        retryInMs: polled.retryInMs,
      };
    return {
      kind: polled.kind === 'paused' && !this.#way.isPausedByUser ? 'connecting' : polled.kind,
      model,
    };
  }

  /** To be told of every change of the connection; does nothing when none matters here. */
  follow(way: PoolerWay): void {
    const before = this.#way;
    this.#way = way;
    if (before.open !== way.open || before.isPooled !== way.isPooled) this.retry();
    if (before.intervalSeconds !== way.intervalSeconds)
      this.#poller?.setIntervalMs(way.intervalSeconds * 1_000);
    this.#applyPause();
  }

  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#applyPause();
  }

  refresh(): void {
    this.#poller?.refresh();
  }

  /** Asks the console anew, as whichever role is chosen by now. */
  retry(): void {
    this.#round += 1;
    const round = this.#round;
    void this.#poller?.stop();
    this.#poller = undefined;
    this.#polled = { kind: 'connecting' };
    this.#model = emptyPooler;
    this.#closed = undefined;
    const { open, isPooled } = this.#way;
    if (open !== undefined && isPooled === true) void this.#start(open, round);
    this.#options.onChange();
  }

  /** Resolves when the connection is closed. */
  async stop(): Promise<void> {
    this.#round += 1;
    await this.#poller?.stop();
  }

  async #start(open: OpenConnection, round: number): Promise<void> {
    const { target, secret } = await this.#options.chooseRole(open);
    if (round !== this.#round) return;
    this.#poller = startPoller({
      source: this.#options.createSource(target, secret),
      clock: this.#options.clock,
      intervalMs: this.#way.intervalSeconds * 1_000,
      startPaused: !this.#isLooking(),
      onState: (state) => round === this.#round && this.#receive(state),
    });
  }

  #isLooking(): boolean {
    return this.#isWatched && !this.#way.isPausedByUser;
  }

  #applyPause(): void {
    if (this.#isLooking()) this.#poller?.resume();
    else this.#poller?.pause();
  }

  #receive(state: PollerState<PoolerReport>): void {
    this.#polled = state;
    if (state.kind === 'live') this.#model = nextPooler(this.#model, state.report);
    const reason = state.kind === 'lost' ? settled[state.failure.kind] : undefined;
    if (state.kind === 'lost' && reason !== undefined) {
      this.#closed = { sentence: state.failure.sentence, ...reason };
      void this.#poller?.stop();
      this.#poller = undefined;
    }
    this.#options.onChange();
  }
}
