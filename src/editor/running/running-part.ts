import { Disposable, window, workspace, type ExtensionContext } from 'vscode';
import { runningCommands } from '../../contributions.ts';
import type { ToView } from '../../webview/messages.ts';
import { nothingRunning, type RunningState } from '../../webview/running-messages.ts';
import type { CommandTable } from '../command-table.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { Paced } from './paced.ts';
import { poolsInNeed } from './pools-in-need.ts';
import type { RunningHub } from './running-hub.ts';
import type { RunningRoom } from './running-room.ts';

/** Applications report more often than anybody can read. */
const betweenShowsMs = 250;

/** What of the sidebar's page tells of applications. */
export interface RunningPages {
  /** Makes the message only when the page can be seen. */
  sendSidebar(message: () => ToView): void;
  setBadge(pools: number): void;
}

/** The commands of applications under watch. What they do stands in `RunningRoom`, which the first of them loads: until then nobody listens. */
export class RunningPart implements Disposable {
  readonly #context: ExtensionContext;
  readonly #hub: RunningHub;
  readonly #shows: Paced;
  readonly #hearing: Disposable;
  #opening: Promise<RunningRoom> | undefined;
  #room: RunningRoom | undefined;

  constructor(context: ExtensionContext, hub: RunningHub, pages: RunningPages) {
    this.#context = context;
    this.#hub = hub;
    this.#shows = new Paced(() => {
      pages.sendSidebar(() => ({ kind: 'running', running: this.state }));
      pages.setBadge(poolsInNeed(hub.apps));
    }, betweenShowsMs);
    this.#hearing = Disposable.from(
      hub.onDidChange(() => this.#shows.ask()),
      workspace.onDidGrantWorkspaceTrust(() => this.#shows.ask()),
    );
    // What an earlier window left behind points to a listener that is gone.
    context.environmentVariableCollection.clear();
  }

  get state(): RunningState {
    return this.#room?.state ?? { ...nothingRunning, isTrusted: workspace.isTrusted };
  }

  table(): CommandTable<typeof runningCommands> {
    return {
      [runningCommands.run]: () => this.#in((room) => room.run()),
      [runningCommands.watchTerminals]: () => this.#in((room) => room.watchTerminals(true)),
      [runningCommands.stopWatchingTerminals]: () =>
        this.#room?.watchTerminals(false) ?? this.#shows.ask(),
    };
  }

  async openPlace(key: string): Promise<void> {
    await this.#room?.openPlace(key);
  }

  dispose(): void {
    this.#hearing.dispose();
    this.#shows.dispose();
    void this.#opening?.then((room) => room[Symbol.asyncDispose]()).catch(() => undefined);
  }

  async #in(act: (room: RunningRoom) => unknown): Promise<void> {
    if (!workspace.isTrusted)
      return void window.showInformationMessage(
        'Poolguard runs nothing in Restricted Mode. Trust this workspace first.',
      );
    try {
      this.#room ??= await (this.#opening ??= this.#open());
      await act(this.#room);
    } catch (failure) {
      // What could not be opened is tried again by the next command.
      if (this.#room === undefined) this.#opening = undefined;
      void window.showErrorMessage(
        plainMessage(
          `Running applications cannot be watched: ${failure instanceof Error ? failure.message : String(failure)}`,
        ),
      );
    }
    this.#shows.ask();
  }

  async #open(): Promise<RunningRoom> {
    const [context, hub] = [this.#context, this.#hub];
    const { RunningRoom } = await import('./running-room.ts');
    return RunningRoom.open({
      hub,
      collection: context.environmentVariableCollection,
      registerPath: context.asAbsolutePath('dist/pool-watch.cjs'),
    });
  }
}
