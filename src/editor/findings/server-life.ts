import { Owner } from '../../ownership/owner.ts';
import { createRestartPolicy, type AfterDeath } from './restart-policy.ts';
import type { ServerState } from './status-text.ts';

/** A client whose server can be started again and again. */
export interface Startable {
  isRunning(): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerLifeOptions<Client> {
  /** Makes the client, once; its server is not started yet. */
  readonly load: () => Promise<Client>;
  readonly now: () => number;
  /** Resolves after the time, or as soon as the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  readonly onState: (state: ServerState) => void;
  /** A start has failed, and is not tried again by itself. */
  readonly onFailure: (failure: unknown) => void;
  readonly onDeath: (next: AfterDeath) => void;
}

/** One server at a time, from its first start to its end: it comes back after a death, later each time, until that is hopeless. */
export class ServerLife<Client extends Startable> {
  readonly #options: ServerLifeOptions<Client>;
  readonly #policy: ReturnType<typeof createRestartPolicy>;
  readonly #owner = new Owner<Client | undefined>(async (client) => {
    if (client?.isRunning() === true) await client.stop();
  });
  #client: Client | undefined;

  constructor(options: ServerLifeOptions<Client>) {
    this.#options = options;
    this.#policy = createRestartPolicy(options.now);
  }

  /** Once it was loaded, whether its server runs or not. */
  get client(): Client | undefined {
    return this.#client;
  }

  /** Starts the server unless somebody has before. Resolves when it answers, or cannot be started. */
  async start(): Promise<void> {
    await this.#owner.keep((signal) => this.#begin(0, signal));
  }

  /** Restarts the server in any state: running, waiting to restart, or given up on. */
  async restart(): Promise<void> {
    this.#policy.forget();
    await this.#owner.start((signal) => this.#begin(0, signal));
  }

  /** Resolves when the server has ended, and none is on its way. */
  end(): Promise<void> {
    return this.#owner.end();
  }

  /** To be told when the server has ended and nobody asked it to. */
  died(): void {
    const next = this.#policy.died();
    this.#options.onDeath(next);
    if (next.kind === 'restart') {
      void this.#owner.start((signal) => this.#begin(next.waitMs, signal));
      this.#options.onState('starting');
    } else
      void this.#owner.start(() => {
        this.#options.onState('stopped');
        return this.#client;
      });
  }

  /** To be told what the client says of its server. One that waits for its next start is one that starts. */
  changed(state: ServerState): void {
    this.#options.onState(state === 'stopped' && this.#owner.isUnderWay ? 'starting' : state);
  }

  async #begin(waitMs: number, signal: AbortSignal): Promise<Client | undefined> {
    const { load, sleep, onState, onFailure } = this.#options;
    try {
      if (waitMs > 0) await sleep(waitMs, signal);
      if (signal.aborted) return this.#client;
      onState('starting');
      this.#client ??= await load();
      if (!signal.aborted) await this.#client.start();
    } catch (failure) {
      // A start that ended with a death or another start is told as that.
      if (signal.aborted) return this.#client;
      onState('stopped');
      onFailure(failure);
    }
    return this.#client;
  }
}
