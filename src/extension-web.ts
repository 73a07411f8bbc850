import { window, type ExtensionContext } from 'vscode';
import { views } from './contributions.ts';
import { registerFindings } from './editor/findings/register-findings.ts';
import { CodeIndex } from './editor/code-index.ts';
import { LiveFigures } from './editor/live-figures.ts';

/** In a browser files are checked; what needs a connection is not there, and the view without rows says so. */
export function activate(context: ExtensionContext): void {
  const channel = window.createOutputChannel('Poolguard', { log: true });
  const figures = new LiveFigures();
  const code = new CodeIndex();
  const loadCreate = async () =>
    (await import('./editor/findings/server-worker.ts')).serverWorker(context);
  context.subscriptions.push(
    figures,
    code,
    registerFindings({ context, channel, figures, code }, loadCreate),
    channel,
    window.registerTreeDataProvider(views.connections, {
      getChildren: () => [],
      getTreeItem: (row: never) => row,
    }),
  );
}
