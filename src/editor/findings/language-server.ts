import { EventEmitter, window, type Disposable, type LogOutputChannel } from 'vscode';
import { plainMessage } from '../connections/plain-labels.ts';
import type { LanguageClient } from './language-client.ts';
import { createRestartPolicy } from './restart-policy.ts';
import type { ServerState } from './status-text.ts';

/** Numbers that `State` of the client library has; the library itself is loaded with the first start only. */
const states: Readonly<Record<number, ServerState>> = { 1: 'stopped', 2: 'running', 3: 'starting' };

/** What a client tells while it lives. */
export interface ClientEvents {
  readonly onStale: () => void;
  /** The server has ended and nobody asked it to. */
  readonly onDeath: () => void;
}

/** Loads what makes a client, and makes it. Its server is not started yet. */
export type LoadClient = (events: ClientEvents) => Promise<LanguageClient>;

/**
 * The language server as the editor's parts know it: before its first start, while it runs, and after its end.
 * The client library takes longer to load than all the rest of the extension, so it is loaded when the server is about to start.
 */
export class LanguageServer implements Disposable {
  readonly #load: LoadClient;
  readonly #channel: LogOutputChannel;
  readonly #stateChanged = new EventEmitter<ServerState>();
  readonly #wentStale = new EventEmitter<void>();
  readonly #policy = createRestartPolicy(Date.now);
  readonly onDidChangeState = this.#stateChanged.event;
  /** Answers may be other ones although no document was edited. */
  readonly onDidGoStale = this.#wentStale.event;
  #client: LanguageClient | undefined;
  #started: Promise<void> | undefined;
  #state: ServerState = 'resting';
  #deaths = 0;
  /** Ticks from a death to the next start. */
  #retry: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(load: LoadClient, channel: LogOutputChannel) {
    this.#load = load;
    this.#channel = channel;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The client while the server runs. */
  get running(): LanguageClient | undefined {
    return this.#client?.isRunning() === true ? this.#client : undefined;
  }

  /** Starts the server unless it was started before, for whoever needs it whatever is in sight. Resolves when it answers, or cannot be started. */
  start(): Promise<void> {
    return (this.#started ??= this.#guard(() => this.#startFirst()));
  }

  /** Starts a server anew, be it that it runs, waits for its next start, or has stopped for good. */
  async restart(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return this.start();
    this.#policy.forget();
    await this.#guard(async () => {
      if (client.isRunning()) await client.stop();
      await this.#startAgain(client);
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#retry);
    void this.#client?.dispose();
    this.#stateChanged.dispose();
    this.#wentStale.dispose();
  }

  async #startFirst(): Promise<void> {
    this.#set('starting');
    const client = await this.#load({
      onStale: () => {
        this.#wentStale.fire();
      },
      onDeath: () => {
        this.#afterDeath();
      },
    });
    if (this.#isDisposed) return client.dispose();
    this.#client = client;
    client.onDidChangeState(({ newState }) => {
      this.#set(states[newState] ?? 'starting');
    });
    await client.start();
  }

  async #startAgain(client: LanguageClient): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    await client.start();
  }

  async #guard(run: () => Promise<void>): Promise<void> {
    const before = this.#deaths;
    try {
      await run();
    } catch (failure) {
      this.#channel.error(failure instanceof Error ? failure : String(failure));
      // A start that ended with a death is told as one.
      if (this.#deaths !== before) return;
      this.#set('stopped');
      void this.#tell(
        'Poolguard could not start its language server, so files are not checked. The Poolguard output channel says why.',
      );
    }
  }

  #afterDeath(): void {
    this.#deaths += 1;
    const next = this.#policy.died();
    if (next.kind === 'stop') return this.#giveUp(next.deaths);
    const client = this.#client;
    this.#retry = setTimeout(
      () => void (client && this.#guard(() => this.#startAgain(client))),
      next.waitMs,
    );
    this.#set('starting');
    this.#channel.warn(
      `The language server ended unexpectedly; it is started again in ${next.waitMs / 1000} s.`,
    );
    if (next.isNews)
      void this.#tell(
        'Poolguard’s language server ended unexpectedly and is being started again. Findings are back in a moment.',
      );
  }

  #giveUp(deaths: number): void {
    this.#channel.error(
      `The language server ended unexpectedly ${deaths} times in a row and is not started again.`,
    );
    void this.#tell(
      `Poolguard’s language server ended unexpectedly ${deaths} times in a row and is not started again, so files are not checked.`,
      { 'Start it again': () => this.restart() },
    );
  }

  async #tell(
    sentence: string,
    actions: Readonly<Record<string, () => Promise<void>>> = {},
  ): Promise<void> {
    const chosen = await window.showWarningMessage(
      plainMessage(sentence),
      ...Object.keys(actions),
      'Show log',
    );
    if (chosen === 'Show log') this.#channel.show();
    else if (chosen !== undefined) await actions[chosen]?.();
  }

  /** A server that waits for its next start is one that starts. */
  #set(state: ServerState): void {
    const next = this.#retry === undefined ? state : 'starting';
    if (next === this.#state) return;
    this.#state = next;
    this.#stateChanged.fire(next);
  }
}
