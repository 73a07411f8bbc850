import { Owner } from '../../ownership/owner.ts';
import { Disposable, window, workspace, type ExtensionContext } from 'vscode';
import { runningCommands } from '../../contributions.ts';
import type { ToView } from '../../webview/to-view.ts';
import { nothingRunning } from '../../webview/running-messages.ts';
import type { RunningState } from '../../webview/running-state.ts';
import type { CommandTable } from '../command-table.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { Paced } from './paced.ts';
import { poolsInNeed } from './pools-in-need.ts';
import type { RunningHub } from './running-hub.ts';
import type { RunningRoom } from './running-room.ts';

/** Applications report more often than anybody can read. */
const betweenShowsMs = 250;

/** The parts of the sidebar that show running applications. */
export interface RunningPages {
  isSeen(kind: 'running'): boolean;
  send(message: ToView): void;
  setBadge(pools: number): void;
}

export interface RunningPartOptions {
  readonly context: ExtensionContext;
  readonly hub: RunningHub;
  readonly pages: RunningPages;
  /** Shows the view of the running applications. */
  readonly reveal: () => PromiseLike<unknown>;
  /** What went wrong, of which the user is told one sentence. */
  readonly onError: (error: unknown) => void;
}

/** The commands of applications under watch. What they do stands in `RunningRoom`, which the first of them loads: until then nobody listens. */
export class RunningPart implements Disposable {
  readonly #options: RunningPartOptions;
  readonly #shows: Paced;
  readonly #hearing: Disposable;
  readonly #room = new Owner<RunningRoom>((room) => room[Symbol.asyncDispose]());

  constructor(options: RunningPartOptions) {
    const { context, hub, pages } = options;
    this.#options = options;
    this.#shows = new Paced(() => {
      if (pages.isSeen('running')) pages.send({ kind: 'running', running: this.state });
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
    return this.#room.thing?.state ?? { ...nothingRunning, isTrusted: workspace.isTrusted };
  }

  table(): CommandTable<typeof runningCommands> {
    return {
      [runningCommands.run]: () =>
        this.#in(async (room) => {
          if (await room.run()) await this.#options.reveal();
        }),
      [runningCommands.watchTerminals]: () => this.#in((room) => room.watchTerminals(true)),
      [runningCommands.stopWatchingTerminals]: () =>
        this.#room.isUnderWay || this.#room.thing !== undefined
          ? this.#in((room) => room.watchTerminals(false))
          : this.#shows.ask(),
    };
  }

  async openPlace(key: string): Promise<void> {
    await this.#room.thing?.openPlace(key);
  }

  dispose(): void {
    this.#hearing.dispose();
    this.#shows.dispose();
    void this.#room.end();
  }

  async #in(act: (room: RunningRoom) => unknown): Promise<void> {
    if (!workspace.isTrusted)
      return void window.showInformationMessage(
        'Poolguard does not run applications in Restricted Mode. Trust this workspace first.',
      );
    try {
      const room = await this.#room.keep(() => this.#open());
      if (room !== undefined) await act(room);
    } catch (failure) {
      this.#options.onError(failure);
      void window.showErrorMessage(
        plainMessage(
          `Running applications cannot be watched: ${failure instanceof Error ? failure.message : String(failure)}`,
        ),
      );
    }
    this.#shows.ask();
  }

  async #open(): Promise<RunningRoom> {
    const { context, hub } = this.#options;
    const { RunningRoom } = await import('./running-room.ts');
    return RunningRoom.open({
      hub,
      collection: context.environmentVariableCollection,
      registerPath: context.asAbsolutePath('dist/pool-watch.cjs'),
    });
  }
}
