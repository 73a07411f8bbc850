import { EventEmitter, ThemeIcon, TreeItem, type TreeDataProvider } from 'vscode';
import { connectionCommands, connectionRows } from '../../contributions.ts';
import { describePlace, type ConnectionTarget } from '../../database/target.ts';
import { connectionKey, type SavedConnections } from './saved-connections.ts';

/** Saved connections, the open one marked. A row is a `ConnectionTarget`, which commands get as their argument. */
export class ConnectionsTree implements TreeDataProvider<ConnectionTarget> {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #saved: SavedConnections;
  readonly #open: () => ConnectionTarget | undefined;

  constructor(saved: SavedConnections, open: () => ConnectionTarget | undefined) {
    this.#saved = saved;
    this.#open = open;
  }

  refresh(): void {
    this.#changed.fire();
  }

  getChildren(row?: ConnectionTarget): ConnectionTarget[] {
    return row === undefined ? [...this.#saved.list()] : [];
  }

  getTreeItem(target: ConnectionTarget): TreeItem {
    const open = this.#open();
    const isOpen = open !== undefined && connectionKey(open) === connectionKey(target);
    const item = new TreeItem(target.database);
    item.id = connectionKey(target);
    item.description = `${target.user}@${describePlace(target)}`;
    item.tooltip = `${target.database} on ${describePlace(target)} as ${target.user}, TLS ${target.tls}${isOpen ? ', connected' : ''}`;
    item.iconPath = new ThemeIcon(isOpen ? 'pass-filled' : 'database');
    item.contextValue = isOpen ? connectionRows.open : connectionRows.closed;
    if (!isOpen) item.command = { command: connectionCommands.reconnect, title: 'Connect', arguments: [target] };
    return item;
  }
}
