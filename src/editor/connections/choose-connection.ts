import { homedir } from 'node:os';
import { QuickPickItemKind, window, workspace, type QuickPickItem } from 'vscode';
import { mustBeMeant, type FoundConnection } from '../../connections/found-connection.ts';
import { describeTarget } from '../../database/target.ts';
import { readSetting } from '../read-settings.ts';
import {
  describeSources,
  toItems,
  type ConnectionChoice,
  type ConnectionItem,
} from './connection-items.ts';
import { describeTls } from './connection-row.ts';
import { plainMessage } from './plain-labels.ts';
import { connectionKey, type SavedConnections } from './saved-connections.ts';

/** Lists what was found, a way to type, and what is saved. Straight to typing when there is nothing else. Undefined when the user gave up. */
export async function chooseConnection(
  saved: SavedConnections,
): Promise<ConnectionChoice | undefined> {
  const found = await offersBeside(saved, await findOffers());
  const items = toItems(found, saved.list(), (workspace.workspaceFolders?.length ?? 0) > 1);
  if (items.found.length + items.saved.length === 0) return items.typed.choice;
  const rows: (QuickPickItem & Partial<ConnectionItem>)[] = [
    ...under('suggested', items.found),
    ...under('', [items.typed]),
    ...under('saved', items.saved),
  ];
  const picked = await window.showQuickPick(rows, {
    title: 'Connect to a PostgreSQL database',
    placeHolder: 'Use a development database',
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked?.choice;
}

function under(
  title: string,
  items: readonly ConnectionItem[],
): readonly (QuickPickItem & Partial<ConnectionItem>)[] {
  return items.length === 0 ? [] : [{ label: title, kind: QuickPickItemKind.Separator }, ...items];
}

/** Nothing in Restricted Mode, nor when the user switched it off. */
async function findOffers(): Promise<readonly FoundConnection[]> {
  if (!workspace.isTrusted || !readSetting('connections.find')) return [];
  const { findConnections } = await import('../../connections/find-connections.ts');
  const folders = (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
  const { connections, warnings } = await findConnections(folders, {
    environment: process.env,
    home: homedir(),
    platform: process.platform,
  });
  for (const warning of warnings) void window.showWarningMessage(plainMessage(warning));
  return connections;
}

/** Without those that are saved as they are. */
async function offersBeside(
  saved: SavedConnections,
  found: readonly FoundConnection[],
): Promise<readonly FoundConnection[]> {
  const isNew = await Promise.all(
    found.map(async ({ target, secret }) => {
      const same = saved.find(connectionKey(target));
      if (same === undefined || same.target.tls !== target.tls) return true;
      return secret !== null && secret.reveal() !== (await saved.secretOf(target))?.reveal();
    }),
  );
  return found.filter((_, index) => isNew[index]);
}

/** A repository may name anybody's server: beyond this machine and its networks, the user says that it is meant. */
export async function confirmFound(found: FoundConnection): Promise<boolean> {
  const { target, sources } = found;
  if (!mustBeMeant(found)) return true;
  const detail = plainMessage(
    `${describeSources(sources, true)} names ${describeTarget(target)}, ${describeTls(target)}. Connect only if you trust that server.`,
  );
  const answer = await window.showWarningMessage(
    plainMessage(`A file of this workspace names the connection ${target.host}.`),
    { modal: true, detail },
    'Connect',
  );
  return answer === 'Connect';
}
