import {
  CancellationTokenSource,
  Disposable,
  ProgressLocation,
  Uri,
  commands as editorCommands,
  languages as editorLanguages,
  window,
  workspace,
  type CancellationToken,
  type DiagnosticCollection,
  type Progress,
} from 'vscode';
import type { WorkspaceDiagnosticReport } from 'vscode-languageclient';
import { rest } from '../../ownership/rest.ts';
import { toPlainText } from '../../activity/plain-text.ts';
import { checkCommands, contextKeys } from '../../contributions.ts';
import { checkFiles } from '../../server/protocol.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { KeptCheck } from './kept-check.ts';
import type { LanguageClient } from './language-client.ts';
import type { LanguageServer } from './language-server.ts';
import type { Findings } from './part.ts';
import { ask } from './talk.ts';

type Reports = WorkspaceDiagnosticReport['items'];

/** So long after a file has changed, those with findings are looked at again. */
const restMs = 1000;

/** Checks all files of the workspace when somebody asks for it, and keeps what was found true until it is cleared. */
export function checkWorkspace({ server }: Findings): Disposable {
  const shown = editorLanguages.createDiagnosticCollection('poolguard.workspace');
  const kept = new KeptCheck({
    check: async (signal) => {
      await window.withProgress(
        { location: ProgressLocation.Notification, title: 'Poolguard', cancellable: true },
        (progress, token) => runCheck(server, shown, progress, { token, signal }),
      );
    },
    lookAgain: (changed, signal) => lookAgain(server, shown, changed, signal),
    onSwitch: (isOn) => {
      void editorCommands.executeCommand('setContext', contextKeys.workspaceChecked, isOn);
      if (!isOn) shown.clear();
    },
    rest: (signal) => rest(restMs, signal),
  });
  const check = async () => {
    if (await kept.check()) void tellResult();
  };
  return Disposable.from(
    editorCommands.registerCommand(checkCommands.checkWorkspace, check),
    editorCommands.registerCommand(checkCommands.clearWorkspaceCheck, () => {
      kept.clear();
    }),
    keepTrue(kept, shown),
    {
      dispose: () => {
        kept.clear();
      },
    },
    shown,
  );
}

/** Who ends a check: the one who waits for it, another check, or whoever clears it. */
interface Enders {
  readonly token: CancellationToken;
  readonly signal: AbortSignal;
}

function tokenOf({ token, signal }: Enders): CancellationToken {
  const source = new CancellationTokenSource();
  const cancel = () => {
    source.cancel();
  };
  token.onCancellationRequested(cancel);
  signal.addEventListener('abort', cancel, { once: true });
  if (token.isCancellationRequested || signal.aborted) cancel();
  return source.token;
}

/** What is found is shown as it comes. */
async function runCheck(
  server: LanguageServer,
  shown: DiagnosticCollection,
  progress: Progress<{ message?: string; increment?: number }>,
  enders: Enders,
): Promise<void> {
  const { signal } = enders;
  progress.report({ message: 'Looking for files' });
  await server.start();
  const client = server.running;
  if (client === undefined || signal.aborted) return;
  const { WorkDoneProgress, WorkspaceDiagnosticRequest } = await import('vscode-languageclient');
  const id = `poolguard-check-${Date.now()}`;
  const [workDoneToken, partialResultToken] = [`${id}-work`, `${id}-part`];
  let percent = 0;
  const listening = Disposable.from(
    client.onProgress(WorkDoneProgress.type, workDoneToken, (told) => {
      if (told.kind !== 'report') return;
      progress.report({
        message: toPlainText(told.message ?? ''),
        increment: (told.percentage ?? percent) - percent,
      });
      percent = told.percentage ?? percent;
    }),
    client.onProgress(
      WorkspaceDiagnosticRequest.partialResult,
      partialResultToken,
      ({ items }) => void show(items, client, shown, signal),
    ),
  );
  try {
    const { items } = await client.sendRequest(
      WorkspaceDiagnosticRequest.type,
      { previousResultIds: [], workDoneToken, partialResultToken },
      tokenOf(enders),
    );
    await show(items, client, shown, signal);
  } finally {
    listening.dispose();
  }
}

async function show(
  reports: Reports,
  client: LanguageClient,
  shown: DiagnosticCollection,
  signal: AbortSignal,
): Promise<void> {
  for (const report of reports) {
    const uri = Uri.parse(report.uri);
    if (report.kind !== 'full' || isOpen(uri)) continue;
    const diagnostics = await client.protocol2CodeConverter.asDiagnostics(report.items);
    if (signal.aborted) return;
    shown.set(uri, diagnostics);
  }
}

/** What is open is shown by pulling. */
function isOpen(uri: Uri): boolean {
  return workspace.textDocuments.some(
    (document) => !document.isClosed && document.uri.toString() === uri.toString(),
  );
}

async function lookAgain(
  server: LanguageServer,
  shown: DiagnosticCollection,
  changed: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const uris = [...new Set([...changed, ...urisOf(shown)])];
  const reports = await ask(server, checkFiles, { uris });
  if (server.running !== undefined) await show([...(reports ?? [])], server.running, shown, signal);
}

/** Open documents are left to pulling; when one is closed, or files have changed, what may be another answer is asked for. */
function keepTrue(kept: KeptCheck, shown: DiagnosticCollection): Disposable {
  const later = (uri: Uri) => {
    if (!uri.path.includes('/node_modules/')) kept.changed(uri.toString());
  };
  const watcher = workspace.createFileSystemWatcher('**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}');
  return Disposable.from(
    watcher,
    watcher.onDidChange(later),
    watcher.onDidCreate(later),
    watcher.onDidDelete((uri) => {
      shown.delete(uri);
    }),
    workspace.onDidOpenTextDocument(({ uri }) => {
      shown.delete(uri);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === 'file') later(uri);
    }),
  );
}

function urisOf(shown: DiagnosticCollection): string[] {
  const uris: string[] = [];
  shown.forEach((uri) => uris.push(uri.toString()));
  return uris;
}

/** Open documents count, too: it is the workspace that was checked. */
async function tellResult(): Promise<void> {
  const amounts = editorLanguages
    .getDiagnostics()
    .map(([, diagnostics]) => diagnostics.filter(({ source }) => source === 'poolguard').length)
    .filter((amount) => amount > 0);
  const findings = amounts.reduce((sum, amount) => sum + amount, 0);
  const sentence =
    findings === 0
      ? 'Poolguard has no findings in this workspace.'
      : `Poolguard: ${count(findings, 'finding')} in ${count(amounts.length, 'file')}`;
  const chosen = await window.showInformationMessage(
    plainMessage(sentence),
    ...(findings === 0 ? [] : ['Show problems']),
  );
  if (chosen !== undefined) await editorCommands.executeCommand('workbench.actions.view.problems');
}

function count(amount: number, thing: string): string {
  return `${amount.toLocaleString('en-US')} ${thing}${amount === 1 ? '' : 's'}`;
}
