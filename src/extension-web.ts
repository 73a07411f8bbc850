import { window, type ExtensionContext } from 'vscode';
import { views } from './contributions.ts';
import { registerFindings } from './editor/findings/register-findings.ts';
import { serverWorker } from './editor/findings/server-worker.ts';
import { LiveFigures } from './editor/live-figures.ts';

/** In a browser files are checked; what needs a connection is not there, and the view without rows says so. */
export function activate(context: ExtensionContext): void {
  const figures = new LiveFigures();
  context.subscriptions.push(
    figures,
    registerFindings(context, serverWorker(context), figures),
    window.registerTreeDataProvider(views.connections, { getChildren: () => [], getTreeItem: (row: never) => row }),
  );
}
