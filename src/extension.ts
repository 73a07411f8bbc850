import type { ExtensionContext } from 'vscode';
import { registerFindings } from './editor/findings/register-findings.ts';
import { serverProcess } from './editor/findings/server-process.ts';
import { LiveFigures } from './editor/live-figures.ts';
import { registerPool } from './editor/pool/register-pool.ts';

export function activate(context: ExtensionContext): void {
  const figures = new LiveFigures();
  context.subscriptions.push(figures, registerPool(context, figures), registerFindings(context, serverProcess(context), figures));
}
