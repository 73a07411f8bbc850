import { EventEmitter, window, type Disposable, type LogOutputChannel } from 'vscode';
import type { LanguageClient } from './language-client.ts';
import { createRestartPolicy } from './restart-policy.ts';
import type { ServerState } from './status-text.ts';

/** Numbers that `State` of the client library has; the library itself is loaded with the first start only. */
const states: Readonly<Record<number, ServerState>> = { 1: 'stopped', 2: 'running', 3: 'starting' };

/** What a client tells while it lives. */
export interface ClientEvents {
  readonly onStale: () => void;
  /** Resolves when the server is to be started again; to false when it is to stay down. */
  readonly onDeath: () => Promise<boolean>;
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
  #state: ServerState = 'idle';
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
    return this.#state === 'running' ? this.#client : undefined;
  }

  /** Starts the server unless it was started before, for whoever needs it whatever is in sight. Resolves when it answers, or cannot be started. */
  start(): Promise<void> {
    return (this.#started ??= this.#guard(() => this.#startFirst()));
  }

  /** Starts anew a server that runs, or that has stopped for good. One that is starting is left to it. */
  async restart(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return this.start();
    if (this.#state === 'starting') return;
    this.#policy.forget();
    await this.#guard(async () => {
      if (this.running !== undefined) await client.stop();
      await client.start();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#client?.dispose();
    this.#stateChanged.dispose();
    this.#wentStale.dispose();
  }

  async #startFirst(): Promise<void> {
    this.#set('starting');
    const client = await this.#load({ onStale: () => { this.#wentStale.fire(); }, onDeath: () => this.#afterDeath() });
    if (this.#isDisposed) return client.dispose();
    this.#client = client;
    client.onDidChangeState(({ newState }) => { this.#set(states[newState] ?? 'starting'); });
    await client.start();
  }

  async #guard(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (failure) {
      this.#set('stopped');
      this.#channel.error(failure instanceof Error ? failure : String(failure));
      await this.#tell('Poolguard could not start its language server, so files are not checked. The Poolguard output channel says why.');
    }
  }

  async #afterDeath(): Promise<boolean> {
    const next = this.#policy.died();
    if (next.kind === 'stop') {
      this.#channel.error(`The language server ended unexpectedly ${next.deaths} times in a row and is not started again.`);
      void this.#tell(`Poolguard’s language server ended unexpectedly ${next.deaths} times in a row and is not started again, so files are not checked.`, { 'Start it again': () => this.restart() });
      return false;
    }
    this.#set('starting');
    this.#channel.warn(`The language server ended unexpectedly; it is started again in ${next.waitMs / 1000} s.`);
    if (next.isNews) void this.#tell('Poolguard’s language server ended unexpectedly and is being started again. Findings are back in a moment.');
    await new Promise((resolve) => setTimeout(resolve, next.waitMs));
    return !this.#isDisposed;
  }

  async #tell(sentence: string, actions: Readonly<Record<string, () => Promise<void>>> = {}): Promise<void> {
    const chosen = await window.showWarningMessage(sentence, ...Object.keys(actions), 'Show log');
    if (chosen === 'Show log') this.#channel.show();
    else if (chosen !== undefined) await actions[chosen]?.();
  }

  #set(state: ServerState): void {
    this.#state = state;
    this.#stateChanged.fire(state);
  }
}
