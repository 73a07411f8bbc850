import { EventEmitter, ThemeColor, ThemeIcon, TreeItem, type TreeDataProvider } from 'vscode';
import { connectionCommands, connectionRows } from '../../contributions.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import type { ConnectionState } from '../../webview/to-view.ts';
import { toRow } from './connection-row.ts';
import { connectionKey, type SavedConnections } from './saved-connections.ts';
import type { SavedConnection } from './saved-state.ts';

/** Saved connections, the open one with its state. A row is a `SavedConnection`, which commands get as their argument. */
export class ConnectionsTree implements TreeDataProvider<SavedConnection> {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #saved: SavedConnections;
  readonly #open: () => ConnectionTarget | undefined;
  #state: ConnectionState = { kind: 'none', saved: 0 };

  constructor(saved: SavedConnections, open: () => ConnectionTarget | undefined) {
    this.#saved = saved;
    this.#open = open;
  }

  refresh(): void {
    this.#changed.fire();
  }

  /** Draws anew when the open connection is in another state than before. */
  show(state: ConnectionState): void {
    const isNew = JSON.stringify(state) !== JSON.stringify(this.#state);
    this.#state = state;
    if (isNew) this.refresh();
  }

  getChildren(row?: SavedConnection): SavedConnection[] {
    return row === undefined ? [...this.#saved.list()] : [];
  }

  getTreeItem(connection: SavedConnection): TreeItem {
    const open = this.#open();
    const isOpen = open !== undefined && connectionKey(open) === connectionKey(connection.target);
    const row = toRow(connection, isOpen ? this.#state : undefined);
    const item = new TreeItem(row.label);
    item.id = connectionKey(connection.target);
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.iconPath = new ThemeIcon(
      row.icon,
      row.color === undefined ? undefined : new ThemeColor(row.color),
    );
    item.accessibilityInformation = { label: `${row.label}, ${row.description}` };
    item.contextValue = isOpen ? connectionRows.open : connectionRows.closed;
    if (!isOpen)
      item.command = {
        command: connectionCommands.reconnect,
        title: 'Connect',
        arguments: [connection],
      };
    return item;
  }
}
