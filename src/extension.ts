import type { ExtensionContext } from 'vscode';
import { registerFindings } from './editor/findings/register-findings.ts';
import { serverProcess } from './editor/findings/server-process.ts';
import { registerPool } from './editor/pool/register-pool.ts';

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(registerPool(context), registerFindings(context, serverProcess(context)));
}
