import {
  commands as editorCommands,
  workspace,
  type Disposable,
  type GlobalEnvironmentVariableCollection,
} from 'vscode';
import { contextKeys } from '../../contributions.ts';
import { listen, type Listener } from '../../running/listener.ts';
import { nextRunningApps, type RunningEvent } from '../../running/running-apps.ts';
import type { RunningState } from '../../webview/running-state.ts';
import { chooseRun } from './choose-run.ts';
import { openPlace } from './open-place.ts';
import type { RunningHub } from './running-hub.ts';
import { findPlace, toRunningState } from './to-running-state.ts';
import { openWatchedTerminal, watchNewTerminals } from './watched-terminals.ts';

// Of the same bundle.
export { openEvidence } from './open-evidence.ts';

export interface RunningRoomOptions {
  /** The bundle that applications load first. */
  readonly registerPath: string;
  readonly collection: GlobalEnvironmentVariableCollection;
  readonly hub: RunningHub;
}

/** All that is done for applications under watch, in a bundle of its own that the first of them loads. */
export class RunningRoom implements AsyncDisposable {
  readonly #listener: Listener;
  readonly #options: RunningRoomOptions;
  #newTerminals: Disposable | undefined;

  /** @throws A sentence when nobody can listen on this machine. */
  static async open(options: RunningRoomOptions): Promise<RunningRoom> {
    const { hub, registerPath } = options;
    const hear = (key: string, event: RunningEvent): void =>
      hub.set(nextRunningApps(hub.apps, key, event, Date.now()));
    return new RunningRoom(
      await listen({ registerPath, onReport: hear, onGone: (key) => hear(key, { kind: 'gone' }) }),
      options,
    );
  }

  private constructor(listener: Listener, options: RunningRoomOptions) {
    this.#listener = listener;
    this.#options = options;
  }

  get state(): RunningState {
    return toRunningState(this.#options.hub.apps, workspace.asRelativePath, {
      isTrusted: true,
      isListening: true,
      watchesTerminals: this.#newTerminals !== undefined,
      at: Date.now(),
    });
  }

  /** Nothing runs that the user did not choose. */
  /** Whether something was chosen to run. */
  async run(): Promise<boolean> {
    const chosen = await chooseRun();
    if (chosen !== undefined) openWatchedTerminal(this.#listener, chosen);
    return chosen !== undefined;
  }

  watchTerminals(isWanted: boolean): void {
    this.#newTerminals?.dispose();
    this.#newTerminals = isWanted
      ? watchNewTerminals(this.#listener, this.#options.collection)
      : undefined;
    void editorCommands.executeCommand('setContext', contextKeys.watchingTerminals, isWanted);
  }

  async openPlace(key: string): Promise<void> {
    const place = findPlace(this.#options.hub.apps, key);
    if (place !== undefined) await openPlace(place);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.watchTerminals(false);
    await this.#listener[Symbol.asyncDispose]();
  }
}
