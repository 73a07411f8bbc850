import { commands as editorCommands, type Disposable, type ExtensionContext, window } from 'vscode';
import { systemClock } from '../../activity/clock.ts';
import { connectionCommands, poolerCommands } from '../../contributions.ts';
import type { PoolerSource } from '../../database/pooler-console.ts';
import { Secret } from '../../database/secret.ts';
import { describeTarget, type ConnectionTarget, describePlace } from '../../database/target.ts';
import type { PoolerState } from '../../webview/to-pooler-page.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import type { CommandTable } from '../command-table.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import type { KeptState } from '../kept-state.ts';
import { LivePooler } from './live-pooler.ts';
import { PoolerPage } from './pooler-page.ts';
import { PoolerRoles } from './pooler-roles.ts';

export interface PoolerRoomOptions {
  readonly context: ExtensionContext;
  /** Of all windows. */
  readonly state: KeptState;
  readonly live: LiveActivity;
  /** For what needs a connection. */
  readonly connectSomewhere: () => Promise<void>;
  readonly savedTargets: () => readonly ConnectionTarget[];
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** The pooler in front of the open connection: its console, its page, its commands. */
export class PoolerRoom implements Disposable {
  readonly #options: PoolerRoomOptions;
  readonly #roles: PoolerRoles;
  readonly #pooler: LivePooler;
  readonly #page: PoolerPage;
  #isSidebarVisible = false;

  constructor(options: PoolerRoomOptions) {
    const { context, state, live, onChange, onError } = options;
    this.#options = options;
    this.#roles = new PoolerRoles(state, context.secrets);
    this.#page = new PoolerPage({
      extensionUri: context.extensionUri,
      model: () => ({
        connection: live.open === undefined ? null : describeTarget(live.open.target),
        pooler: this.#pooler.state,
      }),
      onRequest: (kind) =>
        kind === 'retry'
          ? this.#pooler.retry()
          : void editorCommands.executeCommand(
              kind === 'role' ? poolerCommands.usePoolerRole : connectionCommands.connect,
            ),
      onVisible: () => {
        this.#watch();
        onChange();
      },
    });
    this.#pooler = new LivePooler({
      chooseRole: (open) => this.#roles.choose(open),
      createSource: (console, secret) => createSource(console, secret, () => this.#page.isVisible),
      clock: systemClock,
      onChange,
      onError,
    });
  }

  get state(): PoolerState {
    return this.#pooler.state;
  }

  table(): CommandTable<typeof poolerCommands> {
    return {
      [poolerCommands.openPooler]: () => this.#open(),
      [poolerCommands.usePoolerRole]: () => this.#useRole(),
    };
  }

  /** To learn of every change of the connection, and whether another page shows it. */
  follow(isSidebarVisible: boolean): void {
    const { live, savedTargets } = this.#options;
    // A connection that was forgotten takes the role for its console with it.
    if (live.open === undefined) void this.#roles.keepOnly(savedTargets());
    this.#isSidebarVisible = isSidebarVisible;
    this.#pooler.follow({
      open: live.open,
      isPooled: live.isPooled,
      isPausedByUser: live.connectionState()?.kind === 'paused',
      intervalSeconds: live.intervalSeconds,
    });
    this.#watch();
    this.#page.show();
  }

  dispose(): void {
    this.#page.dispose();
    void this.#pooler.stop();
  }

  /** How the connection leads is known once it was opened: this page waits for that, and no longer. */
  #watch(): void {
    const { live } = this.#options;
    this.#pooler.setWatched(this.#isSidebarVisible || this.#page.isVisible);
    live.setWatched(
      this.#isSidebarVisible || (this.#page.isVisible && live.isPooled === undefined),
    );
  }

  async #open(): Promise<void> {
    if (this.#options.live.open === undefined) await this.#options.connectSomewhere();
    this.#page.reveal();
    this.#pooler.refresh();
  }

  async #useRole(): Promise<void> {
    const target = this.#options.live.open?.target;
    if (target === undefined) return;
    const asked = await askForRole(target, this.#roles.userOf(target));
    if (asked === undefined) return;
    await this.#roles.keepOnly([target, ...this.#options.savedTargets()]);
    if (asked.user === '') await this.#roles.forget(target);
    else await this.#roles.use(target, asked.user, asked.password);
    this.#pooler.retry();
  }
}

/** The driver is loaded with the first connection. */
function createSource(
  console: ConnectionTarget,
  secret: Secret | null,
  wantsSockets: () => boolean,
): PoolerSource {
  return {
    async open(signal) {
      const { createPoolerSource } = await import('../driver.ts');
      return createPoolerSource(console, secret, {
        wantsSockets,
        now: () => new Date(),
        elapsed: () => systemClock.now(),
      }).open(signal);
    },
  };
}

interface AskedRole {
  /** Empty for the connection's own. */
  readonly user: string;
  readonly password: Secret | null;
}

/** Asks who shall look into the pooler's console. Undefined when the user gave up. */
async function askForRole(
  target: ConnectionTarget,
  current: string | undefined,
): Promise<AskedRole | undefined> {
  const title = plainMessage(`The pooler's console at ${describePlace(target)}`);
  const own = plainMessage(target.user);
  const user = await window.showInputBox({
    title,
    prompt: `A role in stats_users or admin_users of pgbouncer.ini. Leave empty for the role of the connection, ${own}.`,
    value: current ?? '',
    placeHolder: own,
    ignoreFocusOut: true,
  });
  if (user === undefined) return undefined;
  if (user === '') return { user, password: null };
  const password = await window.showInputBox({
    title,
    prompt: `Password of ${plainMessage(user)}. It is kept in the editor's secret storage and only sent to this pooler.`,
    password: true,
    ignoreFocusOut: true,
  });
  return password === undefined
    ? undefined
    : { user, password: password === '' ? null : new Secret(password) };
}
