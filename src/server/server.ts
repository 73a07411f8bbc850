import type { Connection, InitializeParams } from 'vscode-languageserver';
import {
  DidChangeConfigurationNotification,
  Emitter,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import * as v from 'valibot';
import type { Analyser } from '../lint/analyser.ts';
import { version } from '../../package.json';
import { stackOf } from '../database/secret.ts';
import { createChecks } from './checks.ts';
import { codeActions } from './code-actions.ts';
import { codeFactsFeature } from './code-facts.ts';
import { declaredPoolsFeature } from './declared-pools.ts';
import { heldLinesFeature } from './held-lines.ts';
import { hovers } from './hovers.ts';
import { inlayHints } from './inlay-hints.ts';
import { diagnostics } from './diagnostics.ts';
import { fileStatusFeature } from './file-status.ts';
import { lintSetupFeature } from './lint-setup.ts';
import type { Host } from './host.ts';
import { createShownEvidence } from './evidence/shown-evidence.ts';
import { closedFileEvidence } from './evidence/closed-file-evidence.ts';
import { createKnownSettings, type KnownSettings } from './known-settings.ts';
import { createMistakes } from './mistakes.ts';
import { createOpenDocuments } from './open-documents.ts';
import { pathOfUri } from './path-of-document.ts';
import { poolLenses } from './pool-lenses.ts';
import { HostFacts } from './asked.ts';
import { hostChanged } from './protocol.ts';
import type { Client } from './client.ts';
import type { Feature, Session } from './session.ts';
import { section } from './section.ts';
import { snapshots } from './snapshot.ts';
import { watchImports } from './watch-imports.ts';
import { workspaceCheck } from './workspace-check.ts';

/** Everything the server does for editors, a row each. */
const features: readonly Feature[] = [
  diagnostics,
  closedFileEvidence,
  codeActions,
  fileStatusFeature,
  hovers,
  inlayHints,
  heldLinesFeature,
  poolLenses,
  declaredPoolsFeature,
  codeFactsFeature,
  lintSetupFeature,
  workspaceCheck,
];

/** Serves one editor over `connection` until it closes. */
export function startServer(connection: Connection, analyser: Analyser, host: Host): void {
  const session = createSession(connection, analyser, host);
  connection.onInitialize((params) => {
    session.start(readClient(params));
    const offered = features.map((feature) => feature.capabilities(session.client()));
    const textDocumentSync = {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: true,
    };
    return {
      serverInfo: { name: 'Poolguard', version },
      capabilities: Object.assign({ textDocumentSync }, ...offered) as object,
    };
  });
  connection.onInitialized(() => {
    if (session.client().can.workspace?.configuration === true)
      session.inBackground(
        connection.client.register(DidChangeConfigurationNotification.type, { section }),
      );
  });
  for (const feature of features) feature.register(session);
  connection.onShutdown(() => host.dispose());
  session.documents.listen(connection);
  connection.listen();
}

interface StartingSession extends Session {
  start(client: Client): void;
}

function createSession(connection: Connection, analyser: Analyser, host: Host): StartingSession {
  const documents = new TextDocuments(snapshots);
  const open = createOpenDocuments(documents);
  const stale = new Emitter<void>();
  const mistakes = createMistakes((text) => {
    connection.console.error(text);
  });
  let client: Client = { folders: [], can: {}, facts: readFacts(undefined) };
  const settings = createKnownSettings(
    async (uri) =>
      client.can.workspace?.configuration === true
        ? ((await connection.workspace.getConfiguration({ scopeUri: uri, section })) as unknown)
        : {},
    () => client.can.workspace?.didChangeConfiguration?.dynamicRegistration === true,
  );
  const checks = createChecks({
    analyser,
    host,
    client: () => client,
    settingsOf: settings.of,
    open,
    mistakes,
    onLate: () => {
      stale.fire();
    },
  });
  const evidence = createShownEvidence({
    connection,
    documents,
    checks,
    files: host.files,
    folders: () => client.folders,
    settingsOf: settings.of,
  });
  const inBackground = (work: Promise<unknown>): void =>
    void work.catch((failure: unknown) => {
      connection.console.error(stackOf(failure));
    });
  followChanges(
    { connection, documents, host, open, checks, inBackground },
    settings,
    stale,
    (facts) => (client = { ...client, facts }),
  );
  return {
    connection,
    documents,
    analyser,
    host,
    checks,
    open,
    mistakes,
    evidence,
    settingsOf: settings.of,
    inBackground,
    client: () => client,
    start: (told) => (client = told),
    onStale: (listener) => stale.event(listener),
  };
}

/** Findings may be other ones after what the editor tells here. */
function followChanges(
  {
    connection,
    documents,
    host,
    open,
    checks,
    inBackground,
  }: Pick<Session, 'connection' | 'documents' | 'host' | 'open' | 'checks' | 'inBackground'>,
  settings: KnownSettings,
  stale: Emitter<void>,
  onHost: (facts: HostFacts) => void,
): void {
  const turnStale = () => {
    checks.forget();
    stale.fire();
  };
  connection.onNotification(hostChanged.method, (told: unknown) => {
    onHost(readFacts(told));
    turnStale();
  });
  // The analysis reads other files, so whatever changes there may change what is true in an open one.
  connection.onDidChangeWatchedFiles(() => {
    host.forgetFiles();
    open.forget();
    turnStale();
  });
  // Editors announce a change when it is agreed to, too, while the first file is being checked.
  connection.onDidChangeConfiguration(() => {
    inBackground(settings.changed().then((differs) => differs && turnStale()));
  });
  // An editor that watches no files tells at least what it saves itself.
  documents.onDidSave(() => {
    host.forgetFiles();
    turnStale();
  });
  documents.onDidClose(({ document: { uri } }) => {
    checks.forgetDocument(uri);
    settings.forget(uri);
  });
  watchImports(
    documents,
    (path) => checks.forgetReadersOf(new Set([path])),
    () => {
      stale.fire();
    },
  );
}

function readClient({
  capabilities,
  workspaceFolders,
  initializationOptions,
}: InitializeParams): Client {
  return {
    folders: (workspaceFolders ?? []).flatMap(({ uri }) => pathOfUri(uri) ?? []),
    can: capabilities,
    facts: readFacts(initializationOptions),
  };
}

/** An editor that says nothing is one that we do not know. */
function readFacts(told: unknown): HostFacts {
  return v.parse(v.fallback(HostFacts, v.parse(HostFacts, {})), told);
}
