import { Disposable, languages, workspace } from 'vscode';
import { documentSelector } from '../findings/language-client.ts';
import type { Findings } from '../findings/register-findings.ts';
import { PoolCodeActions } from './pool-code-actions.ts';
import { PoolLensProvider } from './pool-lens-provider.ts';
import { registerPoolOptionCommands } from './pool-option-commands.ts';
import { createPoolQuestions } from './pool-questions.ts';

/** Files that may make pools. */
const sources = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}';

/** Above each pool what the connected server allows, and the commands that write a pool's options. */
export function registerLenses(findings: Findings): Disposable {
  const { server, figures } = findings;
  const questions = createPoolQuestions(findings);
  const provider = new PoolLensProvider(questions, figures);
  const files = workspace.createFileSystemWatcher(sources);
  const soon = () => { provider.refreshSoon(); };
  const whileConnected = () => figures.now !== undefined && provider.refreshSoon();
  const selector = documentSelector();
  return Disposable.from(
    provider,
    languages.registerCodeLensProvider(selector, provider),
    languages.registerCodeActionsProvider(selector, new PoolCodeActions(questions), { providedCodeActionKinds: PoolCodeActions.kinds }),
    registerPoolOptionCommands(questions, figures),
    figures.onDidChange(soon),
    files,
    files.onDidChange(whileConnected),
    files.onDidCreate(whileConnected),
    files.onDidDelete(whileConnected),
    workspace.onDidGrantWorkspaceTrust(() => { provider.refresh(); }),
    workspace.onDidChangeConfiguration((change) => { if (change.affectsConfiguration('poolguard')) provider.refresh(); }),
    server.onDidChangeState(() => { provider.refresh(); }),
  );
}
