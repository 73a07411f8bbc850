import type { ExtensionContext } from 'vscode';
import { registerFindings } from './editor/findings/register-findings.ts';
import { LiveFigures } from './editor/live-figures.ts';
import { registerPool } from './editor/register-pool.ts';

export function activate(context: ExtensionContext): void {
  const figures = new LiveFigures();
  const loadCreate = async () => (await import('./editor/findings/server-process.ts')).serverProcess(context);
  context.subscriptions.push(figures, registerPool(context, figures), registerFindings(context, loadCreate, figures));
}
