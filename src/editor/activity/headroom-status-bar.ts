import { StatusBarAlignment, ThemeColor, window, type Disposable } from 'vscode';
import { activityCommands } from '../../contributions.ts';
import type { PoolModel } from '../../webview/to-view.ts';
import { describeHeadroom } from './headroom-status.ts';

export interface HeadroomStatusBar extends Disposable {
  show(model: PoolModel): void;
}

/** "12/97 connections" while connected, yellow when a threshold calls it critical; says when the figure is no longer fresh. */
export function createHeadroomStatusBar(): HeadroomStatusBar {
  const item = window.createStatusBarItem('poolguard.connections', StatusBarAlignment.Left, 10);
  item.name = 'Poolguard';
  item.command = activityCommands.openSessions;
  return {
    show: (model) => {
      const status = describeHeadroom(model);
      if (status === undefined) return item.hide();
      item.text = status.text;
      item.tooltip = status.tooltip;
      item.accessibilityInformation = { label: status.spoken, role: 'button' };
      item.backgroundColor = status.isCritical ? criticalBackground : undefined;
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

const criticalBackground = new ThemeColor('statusBarItem.warningBackground');
