import { EventEmitter, window, type Disposable, type LogOutputChannel } from 'vscode';
import { rest } from '../../ownership/rest.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import type { LanguageClient } from './language-client.ts';
import type { AfterDeath } from './restart-policy.ts';
import { ServerLife } from './server-life.ts';
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
  readonly #channel: LogOutputChannel;
  readonly #stateChanged = new EventEmitter<ServerState>();
  readonly #wentStale = new EventEmitter<void>();
  readonly #life: ServerLife<LanguageClient>;
  readonly onDidChangeState = this.#stateChanged.event;
  /** Answers may be other ones although no document was edited. */
  readonly onDidGoStale = this.#wentStale.event;
  #state: ServerState = 'resting';

  constructor(load: LoadClient, channel: LogOutputChannel) {
    this.#channel = channel;
    this.#life = new ServerLife<LanguageClient>({
      load: () => this.#load(load),
      now: Date.now,
      sleep: rest,
      onState: (state) => {
        this.#set(state);
      },
      onFailure: (failure) => {
        this.#channel.error(failure instanceof Error ? failure : String(failure));
        void this.#tell(
          'Poolguard could not start its language server, so files are not checked. See the Poolguard output channel.',
        );
      },
      onDeath: (next) => {
        this.#tellDeath(next);
      },
    });
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The client while the server runs. */
  get running(): LanguageClient | undefined {
    const { client } = this.#life;
    return client?.isRunning() === true ? client : undefined;
  }

  /** Starts the server unless it was started before, for whoever needs it whatever is in sight. Resolves when it answers, or cannot be started. */
  start(): Promise<void> {
    return this.#life.start();
  }

  /** Restarts the server, whatever its state. */
  restart(): Promise<void> {
    return this.#life.restart();
  }

  dispose(): void {
    void this.#life.end().then(() => this.#life.client?.dispose());
    this.#stateChanged.dispose();
    this.#wentStale.dispose();
  }

  async #load(load: LoadClient): Promise<LanguageClient> {
    const client = await load({
      onStale: () => {
        this.#wentStale.fire();
      },
      onDeath: () => {
        this.#life.died();
      },
    });
    client.onDidChangeState(({ newState }) => {
      this.#life.changed(states[newState] ?? 'starting');
    });
    return client;
  }

  #tellDeath(next: AfterDeath): void {
    if (next.kind === 'stop') {
      const sentence = `ended unexpectedly ${next.deaths} times in a row and is not restarted`;
      this.#channel.error(`The language server ${sentence}.`);
      return void this.#tell(`Poolguard’s language server ${sentence}, so files are not checked.`, {
        Restart: () => this.restart(),
      });
    }
    this.#channel.warn(
      `The language server ended unexpectedly; restarting in ${next.waitMs / 1000} s.`,
    );
    if (next.isNews)
      void this.#tell('Poolguard’s language server ended unexpectedly and is restarting.');
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

  #set(state: ServerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#stateChanged.fire(state);
  }
}
