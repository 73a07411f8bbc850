import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type {
  ClientCapabilities,
  CodeAction,
  Connection,
  Diagnostic,
  FullDocumentDiagnosticReport,
  ProtocolConnection,
  Range,
} from 'vscode-languageserver/node';
import {
  createConnection,
  createProtocolConnection,
  ProposedFeatures,
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
  workspace: {
    configuration: true,
    workspaceFolders: true,
    diagnostics: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
  },
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
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  // Who waits for an answer of a server that has died hears of it.
  server.once('exit', () => {
    connection.dispose();
  });
  const end = async () => {
    await connection.sendNotification('exit');
    await exited;
  };
  return initialise(connection, {
    folder,
    capabilities,
    initializationOptions,
    processId: process.pid,
    end,
  });
}

/** The same, with the server in this process: `serve` gets its end of the connection. */
export function startServerHere(
  serve: (connection: Connection) => void,
  folder: string | undefined,
  capabilities: ClientCapabilities = modern,
): Promise<TestClient> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  serve(createConnection(ProposedFeatures.all, toServer, toClient));
  const connection = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  // The server ends its process at "exit" and at the end of its input, so it is only left alone.
  const end = () => Promise.resolve(connection.dispose());
  return initialise(connection, { folder, capabilities, processId: null, end });
}

interface Opening {
  readonly folder: string | undefined;
  readonly capabilities: ClientCapabilities;
  readonly initializationOptions?: object | undefined;
  /** Whom the server outlives by no more than a moment. */
  readonly processId: number | null;
  readonly end: () => Promise<void>;
}

async function initialise(
  connection: ProtocolConnection,
  { folder, capabilities, initializationOptions, processId, end }: Opening,
): Promise<TestClient> {
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('workspace/configuration', () => [client.settings]);
  connection.listen();
  const workspaceFolders =
    folder === undefined ? null : [{ name: 'test', uri: pathToFileURL(folder).href }];
  const { capabilities: offered } = await connection.sendRequest<{ capabilities: object }>(
    'initialize',
    { processId, rootUri: null, capabilities, workspaceFolders, initializationOptions },
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
      await end();
    },
  };
  return client;
}
