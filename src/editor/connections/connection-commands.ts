import { window, workspace } from 'vscode';
import { connectionCommands, views } from '../../contributions.ts';
import { describeTarget, type ConnectionTarget } from '../../database/target.ts';
import type { LiveActivity, OpenConnection } from '../activity/live-activity.ts';
import type { CommandTable } from '../command-table.ts';
import type { LastProbes } from '../probe/last-probes.ts';
import type { ProbeControl } from '../probe/probe-control.ts';
import { askForTarget } from './ask-for-target.ts';
import type { ConnectionsTree } from './connections-tree.ts';
import { connectionKey, type SavedConnections } from './saved-connections.ts';

export interface ConnectionParts {
  readonly saved: SavedConnections;
  readonly lastProbes: LastProbes;
  readonly live: LiveActivity;
  readonly probe: ProbeControl;
  readonly tree: ConnectionsTree;
  /** Shows the sidebar. */
  readonly reveal: () => PromiseLike<unknown>;
}

/** What palette, tree and pages can ask of connections. None of it carries SQL or an address. */
export class ConnectionCommands {
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  table(): CommandTable<typeof connectionCommands> {
    return {
      [connectionCommands.connect]: () => this.#connect(),
      [connectionCommands.reconnect]: (row) => this.#reconnect(row),
      [connectionCommands.disconnect]: () => this.#disconnect(),
      [connectionCommands.forget]: (row) => this.#forget(row),
    };
  }

  /** For what needs a connection: one is chosen, or typed. Resolves as well when the user gave up. */
  async connectSomewhere(): Promise<void> {
    await (this.#parts.saved.list().length > 0 ? this.#reconnect(undefined) : this.#connect());
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
    const { live, probe, tree, reveal } = this.#parts;
    await probe.clear();
    await live.connect(open);
    tree.refresh();
    await reveal();
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
