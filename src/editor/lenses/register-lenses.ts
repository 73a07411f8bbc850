import { Disposable, languages, workspace } from 'vscode';
import { documentSelector } from '../findings/language-client.ts';
import type { Findings } from '../findings/part.ts';
import { maxMarks } from './max-marks.ts';
import { PoolCodeActions } from './pool-code-actions.ts';
import { PoolLensProvider } from './pool-lens-provider.ts';
import { registerPoolOptionCommands } from './pool-option-commands.ts';
import { createPoolQuestions } from './pool-questions.ts';
import { QueryLensProvider } from './query-lens-provider.ts';

/** Files that may make pools. */
const sources = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}';

/** Above each pool what the connected server allows, above each query a probe, at each `max` what contradicts it, and the commands that write a pool's options. */
export function registerLenses(findings: Findings): Disposable {
  const { server, figures, code } = findings;
  const questions = createPoolQuestions(findings);
  const provider = new PoolLensProvider(questions, figures);
  const queries = new QueryLensProvider(code, figures);
  const files = workspace.createFileSystemWatcher(sources);
  const soon = () => {
    provider.refreshSoon();
  };
  const whileConnected = () => figures.now !== undefined && provider.refreshSoon();
  const selector = documentSelector();
  return Disposable.from(
    provider,
    queries,
    languages.registerCodeLensProvider(selector, provider),
    languages.registerCodeLensProvider(selector, queries),
    code.onDidChangeCode(() => {
      queries.refresh();
    }),
    languages.registerCodeActionsProvider(selector, new PoolCodeActions(questions, figures), {
      providedCodeActionKinds: PoolCodeActions.kinds,
    }),
    registerPoolOptionCommands(questions, figures),
    maxMarks(questions, findings),
    figures.onDidChange(soon),
    files,
    files.onDidChange(whileConnected),
    files.onDidCreate(whileConnected),
    files.onDidDelete(whileConnected),
    workspace.onDidGrantWorkspaceTrust(() => {
      provider.refresh();
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('poolguard')) {
        provider.refresh();
        queries.refresh();
      }
    }),
    server.onDidChangeState(() => {
      provider.refresh();
    }),
  );
}
