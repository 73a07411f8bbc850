import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  Diagnostic,
  FullDocumentDiagnosticReport,
  Position,
  WorkspaceDiagnosticReport,
} from 'vscode-languageserver/node';
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
} from 'vscode-languageserver/node';

/** A server process of its own, spoken to as VS Code does. */
export interface ServerClient extends AsyncDisposable {
  readonly processId: number;
  open(uri: string, text: string): Promise<void>;
  close(uri: string): Promise<void>;
  insert(uri: string, version: number, at: Position, text: string): Promise<void>;
  diagnostics(uri: string): Promise<readonly Diagnostic[]>;
  /** The number of findings in files that are not open. */
  checkWorkspace(): Promise<number>;
}

const shippedServer = fileURLToPath(new URL('server.cjs', import.meta.url));
const capabilities = {
  workspace: { configuration: true, workspaceFolders: true, diagnostics: { refreshSupport: true } },
  textDocument: { diagnostic: {} },
};
const facts = {
  isTrusted: true,
  showsEslint: true,
  foldersWithoutEslint: [],
  showsPaths: true,
  checksWorkspaceOnDemand: true,
};

/** How the server's process is started, where that matters. */
export interface ServerStart {
  readonly execArgv?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Apart from the terminal, so that Ctrl-C there is no end of the server. */
  readonly detached?: boolean;
}

/** Starts `dist/server.cjs` beside this bundle, over IPC. */
export async function startServerClient(
  folder: string,
  { execArgv = [], variables = {}, detached = false }: ServerStart = {},
): Promise<ServerClient> {
  const server = fork(shippedServer, ['--node-ipc', `--clientProcessId=${process.pid}`], {
    execArgv: [...execArgv],
    env: { ...process.env, ...variables },
    detached,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(server, 'exit');
  const connection = createProtocolConnection(
    new IPCMessageReader(server),
    new IPCMessageWriter(server),
  );
  // Who waits for an answer of a server that has died hears of it.
  server.once('exit', () => {
    connection.dispose();
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest(
    'workspace/configuration',
    ({ items }: { readonly items: readonly unknown[] }) => items.map(() => ({})),
  );
  connection.onRequest('workspace/diagnostic/refresh', () => null);
  connection.listen();
  const workspaceFolders = [{ name: 'bench', uri: pathToFileURL(folder).href }];
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities,
    workspaceFolders,
    initializationOptions: facts,
  });
  await connection.sendNotification('initialized', {});
  return {
    processId: server.pid ?? Number.NaN,
    open: (uri, text) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'typescript', version: 1, text },
      }),
    close: (uri) => connection.sendNotification('textDocument/didClose', { textDocument: { uri } }),
    insert: (uri, version, at, text) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: { start: at, end: at }, text }],
      }),
    diagnostics: async (uri) =>
      (
        await connection.sendRequest<FullDocumentDiagnosticReport>('textDocument/diagnostic', {
          textDocument: { uri },
        })
      ).items,
    checkWorkspace: async () => {
      const { items } = await connection.sendRequest<WorkspaceDiagnosticReport>(
        'workspace/diagnostic',
        { previousResultIds: [] },
      );
      return items.reduce((sum, item) => sum + (item.kind === 'full' ? item.items.length : 0), 0);
    },
    [Symbol.asyncDispose]: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        await connection.sendRequest('shutdown').catch(() => undefined);
        await connection.sendNotification('exit').catch(() => undefined);
      }
      await exited;
    },
  };
}
