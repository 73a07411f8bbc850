import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  ClientCapabilities,
  CodeAction,
  Diagnostic,
  FullDocumentDiagnosticReport,
  ProtocolConnection,
  Range,
} from 'vscode-languageserver/node';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

export interface TestClient extends AsyncDisposable {
  readonly connection: ProtocolConnection;
  readonly capabilities: object;
  /** What `workspace/configuration` answers; may be changed. */
  settings: object;
  open(uri: string, text: string, languageId?: string): Promise<void>;
  change(uri: string, version: number, text: string): Promise<void>;
  diagnostics(uri: string): Promise<Diagnostic[]>;
  codeActions(uri: string, range: Range, only?: string[]): Promise<CodeAction[]>;
}

const modern: ClientCapabilities = {
  workspace: { configuration: true, workspaceFolders: true, diagnostics: { refreshSupport: true } },
  textDocument: { diagnostic: {} },
};

export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** The language server that the extension ships. */
export const shippedServer = join(import.meta.dirname, '../../dist/server.cjs');

/** A plain LSP client over the standard streams of a server process. */
export async function startTestClient(
  serverFile: string | ServerCommand,
  folder: string | undefined,
  capabilities: ClientCapabilities = modern,
  initializationOptions?: object,
): Promise<TestClient> {
  const { file, args } =
    typeof serverFile === 'string' ? { file: serverFile, args: ['--stdio'] } : serverFile;
  const server = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  // Who waits for an answer of a server that has died hears of it.
  server.once('exit', () => {
    connection.dispose();
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('workspace/configuration', () => [client.settings]);
  connection.listen();
  const workspaceFolders =
    folder === undefined ? null : [{ name: 'test', uri: pathToFileURL(folder).href }];
  const { capabilities: offered } = await connection.sendRequest<{ capabilities: object }>(
    'initialize',
    {
      processId: process.pid,
      rootUri: null,
      capabilities,
      workspaceFolders,
      initializationOptions,
    },
  );
  await connection.sendNotification('initialized', {});
  const client: TestClient = {
    connection,
    capabilities: offered,
    settings: {},
    open: (uri, text, languageId = 'typescript') =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version: 1, text },
      }),
    change: (uri, version, text) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      }),
    diagnostics: async (uri) =>
      (
        await connection.sendRequest<FullDocumentDiagnosticReport>('textDocument/diagnostic', {
          textDocument: { uri },
        })
      ).items,
    codeActions: (uri, range, only) =>
      connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
      }),
    [Symbol.asyncDispose]: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await exited;
    },
  };
  return client;
}
