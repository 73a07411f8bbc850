import type { ExtensionContext } from 'vscode';
import { startLanguageClient } from './editor/language-client.ts';
import { registerPool } from './editor/register-pool.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(registerPool(context));
  context.subscriptions.push(await startLanguageClient(context));
}
