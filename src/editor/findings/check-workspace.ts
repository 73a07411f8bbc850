import {
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
import { toPlainText } from '../../activity/plain-text.ts';
import { checkCommands, contextKeys } from '../../contributions.ts';
import { checkFiles } from '../../server/protocol.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import type { LanguageClient } from './language-client.ts';
import type { LanguageServer } from './language-server.ts';
import type { Findings } from './register-findings.ts';
import { ask } from './talk.ts';

type Reports = WorkspaceDiagnosticReport['items'];

/** So long after a file has changed, those with findings are looked at again. */
const restMs = 1000;

/** Checks all files of the workspace when somebody asks for it, and keeps what was found true until it is cleared. */
export function checkWorkspace(findings: Findings): Disposable {
  const shown = editorLanguages.createDiagnosticCollection('poolguard.workspace');
  let state: 'off' | 'running' | 'on' = 'off';
  const set = (next: typeof state) => {
    state = next;
    void editorCommands.executeCommand('setContext', contextKeys.workspaceChecked, next === 'on');
    if (next !== 'on') shown.clear();
  };
  const check = async () => {
    if (state === 'running') return;
    set('running');
    try {
      await window.withProgress(
        { location: ProgressLocation.Notification, title: 'Poolguard', cancellable: true },
        (progress, token) => runCheck(findings, shown, progress, token),
      );
    } finally {
      set('on');
    }
    void tellResult();
  };
  return Disposable.from(
    shown,
    editorCommands.registerCommand(checkCommands.checkWorkspace, check),
    editorCommands.registerCommand(checkCommands.clearWorkspaceCheck, () => {
      set('off');
    }),
    keepTrue(findings.server, shown, () => state === 'on'),
  );
}

/** What is found is shown as it comes. */
async function runCheck(
  { server }: Findings,
  shown: DiagnosticCollection,
  progress: Progress<{ message?: string; increment?: number }>,
  token: CancellationToken,
): Promise<void> {
  progress.report({ message: 'Looking for files' });
  await server.start();
  const client = server.running;
  if (client === undefined) return;
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
      ({ items }) => void show(items, client, shown),
    ),
  );
  try {
    const { items } = await client.sendRequest(
      WorkspaceDiagnosticRequest.type,
      { previousResultIds: [], workDoneToken, partialResultToken },
      token,
    );
    await show(items, client, shown);
  } finally {
    listening.dispose();
  }
}

async function show(
  reports: Reports,
  client: LanguageClient,
  shown: DiagnosticCollection,
): Promise<void> {
  for (const report of reports) {
    const uri = Uri.parse(report.uri);
    if (report.kind === 'full' && !isOpen(uri))
      shown.set(uri, await client.protocol2CodeConverter.asDiagnostics(report.items));
  }
}

/** What is open is shown by pulling. */
function isOpen(uri: Uri): boolean {
  return workspace.textDocuments.some(
    (document) => !document.isClosed && document.uri.toString() === uri.toString(),
  );
}

/** Open documents are left to pulling; when one is closed, or files have changed, what may be another answer is asked for. */
function keepTrue(
  server: LanguageServer,
  shown: DiagnosticCollection,
  isOn: () => boolean,
): Disposable {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const lookAgain = async () => {
    const uris = [...new Set([...changed, ...urisOf(shown)])];
    changed.clear();
    const reports = isOn() ? await ask(server, checkFiles, { uris }) : undefined;
    if (isOn() && server.running !== undefined)
      await show([...(reports ?? [])], server.running, shown);
  };
  const later = (uri: Uri) => {
    if (!isOn() || uri.path.includes('/node_modules/')) return;
    changed.add(uri.toString());
    clearTimeout(timer);
    timer = setTimeout(() => void lookAgain(), restMs);
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
    {
      dispose: () => {
        clearTimeout(timer);
      },
    },
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
