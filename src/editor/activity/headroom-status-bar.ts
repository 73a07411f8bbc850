import { StatusBarAlignment, ThemeColor, window, type Disposable } from 'vscode';
import { activityCommands } from '../../contributions.ts';
import type { PoolModel } from '../../webview/to-view.ts';
import { describeHeadroom, type HeadroomStatus } from './headroom-status.ts';

export interface HeadroomStatusBar extends Disposable {
  show(model: PoolModel): void;
}

/** "Pool 12/97" while connected, coloured when something needs attention; says when the figure is no longer fresh. */
export function createHeadroomStatusBar(): HeadroomStatusBar {
  const item = window.createStatusBarItem('poolguard.pool', StatusBarAlignment.Left, 10);
  item.name = 'Poolguard';
  item.command = activityCommands.openSessions;
  return {
    show: (model) => {
      const status = describeHeadroom(model);
      if (status === undefined) return item.hide();
      item.text = status.text;
      item.tooltip = status.tooltip;
      item.accessibilityInformation = { label: status.spoken, role: 'button' };
      item.backgroundColor = backgrounds[status.severity];
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

const backgrounds: Readonly<Record<HeadroomStatus['severity'], ThemeColor | undefined>> = {
  fine: undefined,
  warning: new ThemeColor('statusBarItem.warningBackground'),
  critical: new ThemeColor('statusBarItem.errorBackground'),
};
