import { window, workspace } from 'vscode';
import { connectionCommands } from '../../contributions.ts';
import type { FoundConnection } from '../../connections/found-connection.ts';
import { describePlace, describeTarget, type ConnectionTarget } from '../../database/target.ts';
import type { DatabaseFailure } from '../../database/failure-row.ts';
import type { LiveActivity } from '../activity/live-activity.ts';
import type { OpenConnection } from '../activity/live-connection.ts';
import type { CommandTable } from '../command-table.ts';
import type { ProbeControl } from '../probe/probe-control.ts';
import { askForName, askForTarget } from './ask-for-target.ts';
import { chooseConnection, confirmFound } from './choose-connection.ts';
import { suggestName } from './connection-items.ts';
import type { ConnectionsTree } from './connections-tree.ts';
import { editConnection } from './edit-connection.ts';
import { Opening } from './opening.ts';
import { plainLabel, plainMessage } from './plain-labels.ts';
import { connectionKey, type SavedConnections } from './saved-connections.ts';
import { readSavedState, type SavedConnection } from './saved-state.ts';
import { testConnection, tryConnection } from './try-connection.ts';

export interface ConnectionParts {
  readonly saved: SavedConnections;
  /** What is remembered of the probes of a database. */
  readonly probes: { readonly forget: (target: ConnectionTarget) => Promise<unknown> };
  readonly live: LiveActivity;
  readonly probe: ProbeControl;
  readonly tree: ConnectionsTree;
  /** Shows the sidebar. */
  readonly reveal: () => PromiseLike<unknown>;
}

/** What palette, tree and pages can ask of connections. None of it carries SQL or an address. */
export class ConnectionCommands {
  readonly #parts: ConnectionParts;
  readonly #opening: Opening;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#opening = new Opening(parts);
  }

  table(): CommandTable<typeof connectionCommands> {
    const whereTrusted = (run: (row: unknown) => Promise<void>) => async (row: unknown) =>
      workspace.isTrusted ? run(row) : sayRestricted();
    return {
      [connectionCommands.connect]: whereTrusted(() => this.#connect()),
      [connectionCommands.reconnect]: whereTrusted((row) =>
        this.#onSaved(row, 'Connect to', (saved) => this.#reconnect(saved)),
      ),
      [connectionCommands.test]: whereTrusted((row) =>
        this.#onSaved(row, 'Test', (saved) => this.#test(saved)),
      ),
      [connectionCommands.edit]: whereTrusted((row) =>
        this.#onSaved(row, 'Edit', (saved) => this.#edit(saved)),
      ),
      [connectionCommands.forget]: (row) =>
        this.#onSaved(row, 'Forget', (saved) => this.#forget(saved)),
      [connectionCommands.disconnect]: () => this.#disconnect(),
    };
  }

  /** Resolves when nothing is open, and nothing on its way. */
  close(): Promise<void> {
    return this.#opening.close();
  }

  /** For what needs a connection: one is chosen, or typed. Resolves as well when the user gave up. */
  async connectSomewhere(): Promise<void> {
    await this.table()[connectionCommands.connect]();
  }

  /** The server refuses the password, as when it was changed: trying again and again could lock the role. */
  async offerEdit({ target }: OpenConnection, { sentence }: DatabaseFailure): Promise<void> {
    const answer = await window.showErrorMessage(plainMessage(sentence), 'Edit…');
    const saved = this.#parts.saved.find(connectionKey(target));
    if (answer !== undefined && saved !== undefined) await this.#edit(saved);
  }

  async #connect(): Promise<void> {
    const choice = await chooseConnection(this.#parts.saved);
    if (choice?.kind === 'saved') return this.#reconnect(choice.saved);
    const asked =
      choice?.kind === 'found' ? await takeFound(choice.found) : choice && (await askForTarget());
    if (choice === undefined || asked === undefined) return;
    await this.#saveAndOpen(
      asked,
      choice.kind === 'found' ? (choice.found.sources[0]?.file ?? '') : describePlace(asked.target),
    );
  }

  /** Kept under a name once it works. `place` tells it from another one to a database of the same name. */
  async #saveAndOpen(asked: OpenConnection, place: string): Promise<void> {
    const { saved } = this.#parts;
    const name =
      saved.find(connectionKey(asked.target))?.name ??
      (await askForName(suggestName(asked.target, saved.list(), place)));
    if (name === undefined) return;
    await this.#open(async (signal) => {
      const worked = await tryConnection(asked, signal);
      if (worked !== undefined) await saved.save({ name, target: worked.target }, worked.secret);
      return worked;
    });
  }

  async #reconnect(connection: SavedConnection): Promise<void> {
    const { saved } = this.#parts;
    const open = { target: connection.target, secret: await saved.secretOf(connection.target) };
    await this.#open(async (signal) => {
      const worked = await tryConnection(open, signal);
      if (worked !== undefined && worked !== open)
        await saved.replace(connection, { ...connection, target: worked.target }, worked.secret);
      return worked;
    });
  }

  async #test(connection: SavedConnection): Promise<void> {
    await testConnection(connection.name, {
      target: connection.target,
      secret: await this.#parts.saved.secretOf(connection.target),
    });
  }

  /** An open connection is opened anew as it is now. */
  async #edit(old: SavedConnection): Promise<void> {
    const { saved, probes, tree } = this.#parts;
    const edited = await editConnection(old, saved);
    if (edited === undefined) return;
    const { connection, secret } = edited;
    const wasOpen = this.#isOpen(old);
    await saved.replace(old, connection, secret);
    if (connectionKey(old.target) !== connectionKey(connection.target))
      await probes.forget(old.target);
    tree.refresh();
    if (wasOpen) await this.#open(() => Promise.resolve({ target: connection.target, secret }));
  }

  async #open(...[tryOut]: Parameters<Opening['open']>): Promise<void> {
    const isOpen = await this.#opening.open(tryOut);
    this.#parts.tree.refresh();
    if (isOpen) await this.#parts.reveal();
  }

  async #disconnect(): Promise<void> {
    await this.close();
    this.#parts.tree.refresh();
  }

  async #forget(connection: SavedConnection): Promise<void> {
    const { saved, probes, tree } = this.#parts;
    if (this.#isOpen(connection)) await this.#disconnect();
    await saved.forget(connection.target);
    await probes.forget(connection.target);
    tree.refresh();
  }

  #isOpen({ target }: SavedConnection): boolean {
    const { open } = this.#parts.live;
    return open !== undefined && connectionKey(open.target) === connectionKey(target);
  }

  /** Arguments of a command come from anywhere: only a connection that is saved counts. */
  async #onSaved(
    row: unknown,
    verb: string,
    run: (saved: SavedConnection) => Promise<void>,
  ): Promise<void> {
    const [told] = readSavedState([row]);
    const saved =
      (told && this.#parts.saved.find(connectionKey(told.target))) ?? (await this.#pick(verb));
    if (saved !== undefined) await run(saved);
  }

  async #pick(verb: string): Promise<SavedConnection | undefined> {
    const all = this.#parts.saved.list();
    if (all.length === 0)
      return void window.showInformationMessage('There are no saved connections.');
    const items = all.map((saved) => ({
      label: plainLabel(saved.name),
      description: plainLabel(describeTarget(saved.target)),
      saved,
    }));
    return (await window.showQuickPick(items, { title: `${verb} a saved connection` }))?.saved;
  }
}

/** Only with the password that was found with it: a file that names none, and weaker TLS, does not get the saved one. */
async function takeFound(found: FoundConnection): Promise<OpenConnection | undefined> {
  return (await confirmFound(found)) ? { target: found.target, secret: found.secret } : undefined;
}

function sayRestricted(): void {
  void window.showInformationMessage(
    'Poolguard does not connect to databases in Restricted Mode. Trust this workspace first.',
  );
}
