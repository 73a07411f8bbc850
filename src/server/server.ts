import { setImmediate } from 'node:timers/promises';
import type { CancellationToken, CodeActionParams, Connection, InitializeParams, InitializeResult } from 'vscode-languageserver';
import { DidChangeConfigurationNotification, DocumentDiagnosticReportKind, LSPErrorCodes, ResponseError, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Plugin } from '../lint/plugin.ts';
import type { Problem } from '../lint/problem.ts';
import type { ServerSettings } from './settings.ts';
import { version } from '../../package.json';
import { createLinter } from '../lint/linter.ts';
import { mayUsePool } from '../lint/may-use-pool.ts';
import { factsOf, ruleIdsOf } from '../lint/plugin.ts';
import { toCodeActions } from './code-actions.ts';
import { folderOf, pathOfDocument, pathOfUri } from './path-of-document.ts';
import { readServerSettings } from './settings.ts';
import { source, toDiagnostics } from './to-diagnostics.ts';

/** What the client told about itself. */
interface Client {
  readonly folders: readonly string[];
  readonly canConfigure: boolean;
  readonly canPull: boolean;
  readonly canRefresh: boolean;
}

const capabilities: InitializeResult = {
  serverInfo: { name: 'Poolguard', version },
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    diagnosticProvider: { identifier: source, interFileDependencies: true, workspaceDiagnostics: false },
    codeActionProvider: { codeActionKinds: ['quickfix'] },
  },
};

/** Serves one editor over `connection` until it closes. */
export function startServer(connection: Connection, plugin: Plugin): void {
  const documents = new TextDocuments(TextDocument);
  let client: Client = { folders: [], canConfigure: false, canPull: false, canRefresh: false };

  connection.onInitialize((params) => {
    client = readClient(params);
    return capabilities;
  });
  connection.onInitialized(async () => {
    if (client.canConfigure) await connection.client.register(DidChangeConfigurationNotification.type, { section: source });
  });

  const problemsIn = async (document: TextDocument) => lint(document, await settingsOf(document.uri), client, plugin);
  const settingsOf = async (uri: string) => readServerSettings(client.canConfigure ? await connection.workspace.getConfiguration({ scopeUri: uri, section: source }) : {}, ruleIdsOf(plugin));
  const diagnosticsOf = async (document: TextDocument) => toDiagnostics(logUnchecked(await problemsIn(document), connection), document.uri, (rule) => factsOf(plugin, rule).url);

  connection.languages.diagnostics.on(async ({ textDocument: { uri } }, token) => {
    const items = await unlessCancelled(token, documents.get(uri), diagnosticsOf);
    return { kind: DocumentDiagnosticReportKind.Full, items };
  });
  connection.onCodeAction(async ({ textDocument: { uri }, range, context }: CodeActionParams, token) =>
    unlessCancelled(token, documents.get(uri), async (document) => toCodeActions(document, await problemsIn(document), range, context.only)));

  // The analysis reads other files from disk, so whatever changes there may change what is true here.
  const lookAgain = () => inBackground(connection, client.canPull ? refresh() : Promise.all(documents.all().map(push)));
  const refresh = async () => {
    if (client.canRefresh) await connection.languages.diagnostics.refresh();
  };
  const push = async (document: TextDocument) => {
    await connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics: await diagnosticsOf(document) });
  };
  documents.onDidChangeContent(({ document }) => {
    if (!client.canPull) inBackground(connection, push(document));
  });
  documents.onDidSave(lookAgain);
  connection.onDidChangeWatchedFiles(lookAgain);
  connection.onDidChangeConfiguration(lookAgain);

  documents.listen(connection);
  connection.listen();
}

/** Nobody waits for this work, so its failure goes to the log; an unhandled one would end the process. */
function inBackground({ console }: Connection, work: Promise<unknown>): void {
  work.catch((failure: unknown) => { console.error(String(failure)); });
}

function readClient({ capabilities: { workspace, textDocument }, workspaceFolders }: InitializeParams): Client {
  return {
    folders: (workspaceFolders ?? []).flatMap(({ uri }) => pathOfUri(uri) ?? []),
    canConfigure: workspace?.configuration === true,
    canPull: textDocument?.diagnostic !== undefined,
    canRefresh: workspace?.diagnostics?.refreshSupport === true,
  };
}

/** Answers [] for a document that is not open. One turn of the event loop lets a cancellation in that is already waiting. */
async function unlessCancelled<T>(token: CancellationToken, document: TextDocument | undefined, answer: (document: TextDocument) => Promise<T[]>): Promise<T[]> {
  await setImmediate();
  if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The editor no longer needs the answer.');
  return document === undefined ? [] : answer(document);
}

function lint(document: TextDocument, { isEnabled, severities, pooler }: ServerSettings, { folders }: Client, plugin: Plugin): readonly Problem[] {
  const text = document.getText();
  if (!isEnabled || !mayUsePool(text)) return [];
  const path = pathOfDocument(document, folders[0] ?? process.cwd());
  const cwd = folderOf(path, folders);
  return createLinter(plugin, { cwd, severities, ...(pooler === undefined ? {} : { pooler }) })({ path, text }).problems;
}

/** The log, unlike the editor, hears about files that were not checked. */
function logUnchecked(problems: readonly Problem[], { console }: Connection): readonly Problem[] {
  for (const { rule, message } of problems) if (rule === null) console.log(message);
  return problems;
}
