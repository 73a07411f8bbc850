import { emptyActivity, type ActivityModel } from '../../activity/activity-model.ts';
import type { IntervalSeconds } from '../../activity/snapshot.ts';
import type { Thresholds } from '../../activity/thresholds.ts';
import { Owner } from '../../ownership/owner.ts';
import type { ConnectionState } from '../../webview/to-view.ts';
import {
  LiveConnection,
  type LiveConnectionOptions,
  type OpenConnection,
  type Watching,
} from './live-connection.ts';

export interface LiveActivityOptions extends LiveConnectionOptions {
  readonly intervalSeconds: IntervalSeconds;
  readonly thresholds: Thresholds;
}

/** The one open connection, and how it is looked through, which holds for the next one too. */
export class LiveActivity {
  readonly #options: LiveActivityOptions;
  readonly #owner = new Owner<LiveConnection>((connection) => connection.end());
  /** The one that is wanted; it begins when the one before has ended. */
  #connection: LiveConnection | undefined;
  #intervalSeconds: IntervalSeconds;
  #watching: Watching;

  constructor(options: LiveActivityOptions) {
    this.#options = options;
    this.#intervalSeconds = options.intervalSeconds;
    this.#watching = {
      isWatched: false,
      intervalMs: options.intervalSeconds * 1_000,
      thresholds: options.thresholds,
    };
  }

  get connection(): LiveConnection | undefined {
    return this.#connection;
  }

  get open(): OpenConnection | undefined {
    return this.#connection?.open;
  }

  /** Whether a pooler stands in between; undefined until the connection was opened. */
  get isPooled(): boolean | undefined {
    return this.#connection?.isPooled;
  }

  get activity(): ActivityModel {
    return this.#connection?.activity ?? emptyActivity;
  }

  /** When the server was last looked at, in milliseconds since 1970. */
  get seenAt(): number | undefined {
    return this.#connection?.seenAt;
  }

  get intervalSeconds(): IntervalSeconds {
    return this.#intervalSeconds;
  }

  /** Undefined when there is no connection. */
  connectionState(): ConnectionState | undefined {
    return this.#connection?.state;
  }

  /** Takes the place of the open one. */
  connect(open: OpenConnection): void {
    const connection = new LiveConnection(open, this.#watching, this.#options);
    this.#connection = connection;
    void this.#owner.start((signal) => connection.begin(signal));
    this.#options.onChange();
  }

  /** Resolves when nothing is open any more. */
  async disconnect(): Promise<void> {
    this.#connection = undefined;
    const ended = this.#owner.end();
    this.#options.onChange();
    await ended;
  }

  setWatched(isWatched: boolean): void {
    this.#watch({ isWatched });
  }

  setPaused(isPaused: boolean): void {
    this.#connection?.setPaused(isPaused);
    this.#options.onChange();
  }

  setInterval(seconds: IntervalSeconds): void {
    this.#intervalSeconds = seconds;
    this.#watch({ intervalMs: seconds * 1_000 });
    this.#options.onChange();
  }

  /** What was last seen is judged anew. */
  setThresholds(thresholds: Thresholds): void {
    this.#watch({ thresholds });
    this.#options.onChange();
  }

  refresh(): void {
    this.#connection?.refresh();
  }

  /** The code has changed. */
  relink(): void {
    this.#connection?.relink();
    this.#options.onChange();
  }

  #watch(change: Partial<Watching>): void {
    this.#watching = { ...this.#watching, ...change };
    this.#connection?.watch(this.#watching);
  }
}
