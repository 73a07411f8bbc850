import { Disposable, commands as editorCommands, window, workspace } from 'vscode';
import { commands, views, type CommandId } from '../../contributions.ts';
import { describeTarget, type ConnectionTarget } from '../../database/target.ts';
import { defaultRequest } from '../../probe/request.ts';
import type { FromView } from '../../webview/messages.ts';
import { askForTarget } from './ask-for-target.ts';
import type { ConnectionsTree } from './connections-tree.ts';
import type { LastProbes } from './last-probes.ts';
import type { LiveActivity, OpenConnection } from './live-activity.ts';
import type { PoolPages } from './pool-pages.ts';
import type { ProbeControl } from './probe-control.ts';
import { connectionKey, type SavedConnections } from './saved-connections.ts';

export interface PoolParts {
  readonly saved: SavedConnections;
  readonly lastProbes: LastProbes;
  readonly live: LiveActivity;
  readonly probe: ProbeControl;
  readonly pages: PoolPages;
  readonly tree: ConnectionsTree;
}

/** What palette, tree and pages can ask for. None of them carries SQL, an address or a command of its own. */
export class PoolCommands {
  readonly #parts: PoolParts;

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  register(): Disposable {
    const { live, probe, pages } = this.#parts;
    const handlers: Readonly<Record<CommandId, (row?: unknown) => unknown>> = {
      [commands.connect]: () => this.#connect(),
      [commands.reconnect]: (row) => this.#reconnect(row),
      [commands.disconnect]: () => this.#disconnect(),
      [commands.forget]: (row) => this.#forget(row),
      [commands.openSessions]: () => pages.reveal('sessions'),
      [commands.pause]: () => live.setPaused(true),
      [commands.resume]: () => live.setPaused(false),
      [commands.probe]: () => this.#probe(),
      [commands.cancelProbe]: () => probe.cancel(),
    };
    return Disposable.from(...Object.entries(handlers).map(([id, handler]) => editorCommands.registerCommand(id, handler)));
  }

  answer(request: FromView): void {
    switch (request.kind) {
      case 'ready':
        return;
      case 'interval':
        return this.#setInterval(request.seconds);
      case 'open':
        return this.#parts.pages.reveal(request.section);
      case 'trust':
        return void editorCommands.executeCommand('workbench.trust.manage');
      case 'reconnect':
        return this.#parts.live.refresh();
      case 'connect':
      case 'pause':
      case 'resume':
      case 'probe':
        return void editorCommands.executeCommand(commands[request.kind]);
      case 'cancel-probe':
        return void editorCommands.executeCommand(commands.cancelProbe);
    }
  }

  async #connect(): Promise<void> {
    if (!workspace.isTrusted) return sayRestricted();
    const asked = await askForTarget();
    if (asked === undefined || !(await canConnect(asked))) return;
    await this.#parts.saved.save(asked.target, asked.secret);
    await this.#open(asked);
  }

  async #reconnect(row: unknown): Promise<void> {
    if (!workspace.isTrusted) return sayRestricted();
    const target = this.#savedTarget(row) ?? (await this.#pick('Connect to'));
    if (target === undefined) return;
    const open = { target, secret: await this.#parts.saved.secretOf(target) };
    if (await canConnect(open)) await this.#open(open);
  }

  async #open(open: OpenConnection): Promise<void> {
    const { live, probe, tree } = this.#parts;
    await probe.clear();
    await live.connect(open);
    tree.refresh();
    await editorCommands.executeCommand(`${views.pool}.focus`);
  }

  async #disconnect(): Promise<void> {
    const { live, probe, tree } = this.#parts;
    await probe.clear();
    await live.disconnect();
    tree.refresh();
  }

  async #forget(row: unknown): Promise<void> {
    const target = this.#savedTarget(row) ?? (await this.#pick('Forget'));
    if (target === undefined) return;
    const { live, saved, lastProbes, tree } = this.#parts;
    if (live.open !== undefined && connectionKey(live.open.target) === connectionKey(target)) await this.#disconnect();
    await saved.forget(target);
    await lastProbes.forget(target);
    tree.refresh();
  }

  async #probe(): Promise<void> {
    const { live, probe, pages } = this.#parts;
    if (live.open === undefined) await this.#connectForProbe();
    if (live.open === undefined) return;
    await editorCommands.executeCommand(`${views.pool}.focus`);
    await probe.start({ ...defaultRequest, ...live.open });
    const { state } = probe;
    if (state.kind !== 'result') return;
    const max = state.result.recommendation?.max;
    const told = await window.showInformationMessage(max === undefined ? 'The probe ended without a recommendation.' : `The probe recommends max: ${max}.`, 'Show the curve');
    if (told !== undefined) pages.reveal('probe');
  }

  /** The probe measures on the connected database: one is chosen, or typed, first. */
  async #connectForProbe(): Promise<void> {
    await (this.#parts.saved.list().length > 0 ? this.#reconnect(undefined) : this.#connect());
  }

  #setInterval(seconds: number): void {
    void workspace.getConfiguration().update('poolguard.activity.intervalSeconds', seconds, true);
  }

  /** Arguments of a command come from anywhere: only a connection that is saved counts. */
  #savedTarget(row: unknown): ConnectionTarget | undefined {
    const { saved } = this.#parts;
    return saved.list().find((target) => target === row) ?? (isTargetLike(row) ? saved.find(connectionKey(row)) : undefined);
  }

  async #pick(verb: string): Promise<ConnectionTarget | undefined> {
    const targets = this.#parts.saved.list();
    if (targets.length === 0) return void window.showInformationMessage('No connection is saved.');
    const items = targets.map((target) => ({ label: describeTarget(target), target }));
    return (await window.showQuickPick(items, { title: `${verb} a saved connection` }))?.target;
  }
}

/** Opens and closes one connection, so that a mistyped string is not saved; tells the user what is wrong. */
async function canConnect({ target, secret }: OpenConnection): Promise<boolean> {
  const { connectSession } = await import('../../database/connect.ts');
  const answer = await window.withProgress({ location: { viewId: views.pool } }, () => connectSession(target, secret));
  if (answer.kind === 'connected') {
    await answer.session.close();
    return true;
  }
  void window.showErrorMessage(answer.failure.sentence);
  return false;
}

function isTargetLike(row: unknown): row is ConnectionTarget {
  return typeof row === 'object' && row !== null && 'host' in row && 'port' in row && 'database' in row && 'user' in row;
}

function sayRestricted(): void {
  void window.showInformationMessage('Poolguard connects to no database in Restricted Mode. Trust this workspace first.');
}
