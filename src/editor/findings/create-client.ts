import { workspace, type LogOutputChannel, Disposable, extensions } from 'vscode';
import { CloseAction, ErrorAction, RevealOutputChannelOn } from 'vscode-languageclient';
import { checksStale, hostChanged } from '../../server/protocol.ts';
import type { ReadSetting } from '../read-settings.ts';
import type { HostFacts } from '../../server/asked.ts';
import {
  documentSelector,
  type CreateLanguageClient,
  type LanguageClient,
} from './language-client.ts';
import type { ClientEvents } from './language-server.ts';
import type { OfferedPath } from './offered-path.ts';
import { createStepAside } from './step-aside.ts';

/** Files whose change on disk can change what is true in an open one. */
const sources = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,json}';

interface ClientParts extends ClientEvents {
  readonly readSetting: ReadSetting;
  readonly path: OfferedPath;
}

/** A client of the language server, be that a process or a worker. What is to be disposed with it goes into `subscriptions`. */
export function createClient(
  create: CreateLanguageClient,
  channel: LogOutputChannel,
  { onStale, onDeath, readSetting, path }: ClientParts,
  subscriptions: Disposable[],
): LanguageClient {
  const stepAside = createStepAside(readSetting);
  const files = workspace.createFileSystemWatcher(sources);
  const client = create('poolguard', 'Poolguard', {
    documentSelector: documentSelector(),
    diagnosticCollectionName: 'poolguard',
    diagnosticPullOptions: { onChange: true, onTabs: true },
    initializationOptions: readHostFacts,
    outputChannel: channel,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed() {
        onDeath();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    synchronize: { fileEvents: files },
    middleware: {
      provideDiagnostics: stepAside.provideDiagnostics,
      provideCodeActions: async (document, range, context, token, next) =>
        path.keep(document, await next(document, range, context, token)),
    },
  });
  // What goes wrong is told to the user once, by whoever starts the client; the log has all of it.
  const log = client.error.bind(client);
  client.error = (message, data) => {
    log(message, data, false);
  };
  // A server that is not running learns it when it starts.
  const tellHost = onHostFactsChanged(
    (facts) => void (client.isRunning() && client.sendNotification(hostChanged.method, facts)),
  );
  subscriptions.push(
    files,
    tellHost,
    stepAside.watch(client),
    client.onNotification(checksStale.method, onStale),
  );
  return client;
}

/** Shows what the workspace's ESLint reports. That of oxlint does not: its reports follow another configuration, and are told by themselves. */
const eslintExtension = 'dbaeumer.vscode-eslint';

function readHostFacts(): HostFacts {
  return {
    isTrusted: workspace.isTrusted,
    showsEslint: extensions.getExtension(eslintExtension) !== undefined,
    foldersWithoutEslint: (workspace.workspaceFolders ?? [])
      .filter(({ uri }) => workspace.getConfiguration('eslint', uri).get('enable') === false)
      .map(({ uri }) => uri.toString()),
    showsPaths: true,
    checksWorkspaceOnDemand: true,
  };
}

function onHostFactsChanged(listener: (facts: HostFacts) => void): Disposable {
  const tell = () => {
    listener(readHostFacts());
  };
  return Disposable.from(
    workspace.onDidGrantWorkspaceTrust(tell),
    extensions.onDidChange(tell),
    workspace.onDidChangeWorkspaceFolders(tell),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('eslint.enable')) tell();
    }),
  );
}
