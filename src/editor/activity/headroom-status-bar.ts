import { StatusBarAlignment, window, type Disposable } from 'vscode';
import { activityCommands } from '../../contributions.ts';
import type { PoolModel } from '../../webview/messages.ts';

export interface HeadroomStatusBar extends Disposable {
  show(model: PoolModel): void;
}

/** "Pool 12/97" while connected; says when the figure is no longer fresh. */
export function createHeadroomStatusBar(): HeadroomStatusBar {
  const item = window.createStatusBarItem('poolguard.pool', StatusBarAlignment.Left, 10);
  item.name = 'Poolguard';
  item.command = activityCommands.openSessions;
  return {
    show: (model) => {
      const text = statusText(model);
      if (text === undefined) return item.hide();
      item.text = text;
      item.tooltip = statusTooltip(model);
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

export function statusText({ connection, activity: { report } }: PoolModel): string | undefined {
  if (connection.kind === 'none' || connection.kind === 'untrusted') return undefined;
  if (connection.kind === 'lost') return '$(debug-disconnect) Pool lost';
  if (report === null) return '$(database) Pool …';
  const icon = connection.kind === 'live' ? '$(database)' : '$(debug-pause)';
  return `${icon} Pool ${report.headroom.used}/${report.headroom.usable}`;
}

export function statusTooltip({ connection, activity: { report } }: PoolModel): string {
  if (connection.kind === 'lost') return connection.sentence;
  if (report === null) return 'Connecting to the database.';
  const { used, usable, free, split } = report.headroom;
  const freshness = connection.kind === 'live' ? '' : ' Figures are from the last look; open the Poolguard sidebar to go on.';
  return `${used} of ${usable} connections used, ${free} free, ${split.idleInTransaction} idle in transaction.${freshness}`;
}
