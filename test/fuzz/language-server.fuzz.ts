import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect } from 'vitest';
import { shippedServer } from '../support/language-client.ts';
import { hostileText } from '../support/hostile-text.ts';
import { fuzz } from './support/fuzz.ts';
import { spoilt, strangeValue } from '../support/spoilt.ts';

const document = {
  uri: 'file:///shop/a.ts',
  languageId: 'typescript',
  version: 1,
  text: "import { Pool } from 'pg';\nconst pool = new Pool();\nexport const f = async () => { const client = await pool.connect(); };\n",
};
const position = { textDocument: { uri: document.uri }, position: { line: 2, character: 50 } };
const messages: readonly unknown[] = [
  { jsonrpc: '2.0', method: 'initialized', params: {} },
  { jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: document } },
  {
    jsonrpc: '2.0',
    method: 'textDocument/didChange',
    params: {
      textDocument: { uri: document.uri, version: 2 },
      contentChanges: [
        { range: { start: { line: 0, character: 0 }, end: { line: 9, character: 9 } }, text: 'x' },
      ],
    },
  },
  {
    jsonrpc: '2.0',
    method: 'textDocument/didClose',
    params: { textDocument: { uri: document.uri } },
  },
  {
    jsonrpc: '2.0',
    method: 'workspace/didChangeConfiguration',
    params: { settings: { poolguard: {} } },
  },
  {
    jsonrpc: '2.0',
    id: 2,
    method: 'textDocument/diagnostic',
    params: { textDocument: { uri: document.uri } },
  },
  { jsonrpc: '2.0', id: 3, method: 'textDocument/hover', params: position },
  {
    jsonrpc: '2.0',
    id: 4,
    method: 'textDocument/codeAction',
    params: {
      textDocument: { uri: document.uri },
      range: { start: position.position, end: position.position },
      context: { diagnostics: [] },
    },
  },
  {
    jsonrpc: '2.0',
    id: 5,
    method: 'textDocument/inlayHint',
    params: {
      textDocument: { uri: document.uri },
      range: { start: { line: 0, character: 0 }, end: { line: 5, character: 0 } },
    },
  },
  { jsonrpc: '2.0', id: 6, result: [null] },
  { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 2 } },
];

const framed = (text: string): string =>
  `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const wellFramed = fc
  .oneof(spoilt(messages), strangeValue)
  .map((value) => framed(JSON.stringify(value)));
const torn = fc.oneof(
  hostileText,
  fc.constantFrom(
    'Content-Length: -1\r\n\r\n',
    'Content-Length: x\r\n\r\n{}',
    'Content-Length: 3\r\n\r\n{"a"',
    '\r\n\r\n',
    'Content-Type: x\r\n\r\n',
    framed('{"jsonrpc":'),
    framed('[]'),
    framed('null'),
  ),
);

interface Talk {
  readonly options: unknown;
  readonly frames: readonly string[];
}

const talk: fc.Arbitrary<Talk> = fc.record({
  options: strangeValue,
  frames: fc.array(fc.oneof({ weight: 5, arbitrary: wellFramed }, { weight: 1, arbitrary: torn }), {
    maxLength: 12,
  }),
});

fuzz(
  'a language server that is sent anything answers or ends, and never hangs',
  talk,
  async ({ options, frames }) => {
    const server = spawn(process.execPath, [shippedServer, '--stdio'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    server.stdout.resume();
    server.stdin.on('error', () => undefined);
    const ended = once(server, 'exit') as Promise<[code: number | null, signal: string | null]>;
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        processId: process.pid,
        rootUri: null,
        capabilities: {},
        initializationOptions: options,
      },
    };
    server.stdin.end([framed(JSON.stringify(initialize)), ...frames].join(''));
    const limit = setTimeout(() => server.kill('SIGKILL'), 30_000);
    const [, signal] = await ended;
    clearTimeout(limit);
    expect([signal, said.includes('out of memory')]).toEqual([null, false]);
  },
  3,
);
