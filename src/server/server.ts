import type { Connection, InitializeParams } from 'vscode-languageserver';
import { DidChangeConfigurationNotification, Emitter, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Plugin } from '../lint/plugin.ts';
import { version } from '../../package.json';
import { readThrough } from '../../rules/analysis/files/modules-of-parser.ts';
import { createTolerantParser } from '../lint/tolerant-parser.ts';
import { readSettings } from '../settings/settings.ts';
import { createChecks } from './checks.ts';
import { codeActions } from './code-actions.ts';
import { diagnostics } from './diagnostics.ts';
import { fileStatusFeature } from './file-status.ts';
import type { Host } from './host.ts';
import { createOpenDocuments } from './open-documents.ts';
import { pathOfUri } from './path-of-document.ts';
import { hostChanged, type HostFacts } from './protocol.ts';
import type { Client, Feature, Session } from './session.ts';
import { section } from './to-diagnostics.ts';

/** Everything the server does for editors, a row each. */
const features: readonly Feature[] = [diagnostics, codeActions, fileStatusFeature];

/** Serves one editor over `connection` until it closes. */
export function startServer(connection: Connection, plugin: Plugin, host: Host): void {
  const session = createSession(connection, plugin, host);
  connection.onInitialize((params) => {
    session.start(readClient(params));
    const offered = features.map((feature) => feature.capabilities(session.client()));
    const textDocumentSync = { openClose: true, change: TextDocumentSyncKind.Incremental, save: true };
    return { serverInfo: { name: 'Poolguard', version }, capabilities: Object.assign({ textDocumentSync }, ...offered) as object };
  });
  connection.onInitialized(() => {
    if (session.client().can.workspace?.configuration === true) session.inBackground(connection.client.register(DidChangeConfigurationNotification.type, { section }));
  });
  for (const feature of features) feature.register(session);
  connection.onShutdown(() => host.dispose());
  session.documents.listen(connection);
  connection.listen();
}

interface StartingSession extends Session {
  start(client: Client): void;
}

function createSession(connection: Connection, plugin: Plugin, host: Host): StartingSession {
  const documents = new TextDocuments(TextDocument);
  const stale = new Emitter<void>();
  let client: Client = { folders: [], can: {}, facts: readFacts(undefined) };
  const settingsOf = async (uri: string) => readSettings(client.can.workspace?.configuration === true ? await connection.workspace.getConfiguration({ scopeUri: uri, section }) : {});
  const parser = createTolerantParser();
  readThrough(parser, createOpenDocuments(documents));
  const checks = createChecks({ plugin, host, parser, client: () => client, settingsOf });
  const turnStale = () => {
    checks.forget();
    stale.fire();
  };
  const changed = (facts: HostFacts) => {
    client = { ...client, facts: readFacts(facts) };
    turnStale();
  };
  connection.onNotification(hostChanged.method, changed);
  // The analysis reads other files, so whatever changes there may change what is true in an open one.
  connection.onDidChangeWatchedFiles(() => {
    host.forgetFiles();
    turnStale();
  });
  connection.onDidChangeConfiguration(turnStale);
  documents.onDidSave(turnStale);
  documents.onDidChangeContent(({ document }) => { checks.forgetOthers(document.uri); });
  documents.onDidClose(({ document }) => checks.forgetDocument(document.uri));
  return {
    connection, documents, plugin, host, checks, settingsOf,
    client: () => client,
    start: (told) => (client = told),
    onStale: (listener) => stale.event(listener),
    inBackground: (work) => void work.catch((failure: unknown) => { connection.console.error(String(failure)); }),
  };
}

function readClient({ capabilities, workspaceFolders, initializationOptions }: InitializeParams): Client {
  return {
    folders: (workspaceFolders ?? []).flatMap(({ uri }) => pathOfUri(uri) ?? []),
    can: capabilities,
    facts: readFacts(initializationOptions),
  };
}

/** An editor that says nothing is one that we do not know. */
function readFacts(told: unknown): HostFacts {
  const { isTrusted, showsEslint, checksWorkspaceOnDemand } = (typeof told === 'object' && told !== null ? told : {}) as Partial<Record<keyof HostFacts, unknown>>;
  return { isTrusted: isTrusted === true, showsEslint: showsEslint === true, checksWorkspaceOnDemand: checksWorkspaceOnDemand === true };
}
