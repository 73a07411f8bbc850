import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/probe/random.ts';
import { shippedServer } from '../support/language-client.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { rounds, seed } from './support/choose.ts';
import { note } from './support/ledger.ts';
import { markedProcesses } from './support/marked-processes.ts';
import { cliPath, startProgram, type Running } from './support/subject.ts';

/** So much that checking it takes a while. */
const code = `import pg from 'pg';\nconst pool = new pg.Pool({ max: 5 });\n${Array.from({ length: 60 }, (_, at) => `export async function load${at}() { const client = await pool.connect(); await client.query('SELECT ${at}'); if (${at} % 2) client.release(); }\n`).join('')}`;

/** A limit for what hangs: a server answers nothing in the middle of a check, which a busy machine makes long. */
const patienceMs = 30_000;

const servers = {
  'poolguard lsp': [cliPath, 'lsp', '--stdio'],
  'the server of the extension': [shippedServer, '--stdio'],
} as const;

/** What happens to a language server, or to who talks to it. `client` stands between this test and the server. */
const faults: Readonly<Record<string, (server: Running, client: Running | null) => void>> = {
  SIGKILL: ({ child }) => void child.kill('SIGKILL'),
  SIGTERM: ({ child }) => void child.kill('SIGTERM'),
  SIGINT: ({ child }) => void child.kill('SIGINT'),
  SIGHUP: ({ child }) => void child.kill('SIGHUP'),
  'its input is closed': ({ child }) => child.stdin?.destroy(),
  'its output is closed': ({ child }) => child.stdout?.destroy(),
  'both are closed': ({ child }) =>
    [child.stdin, child.stdout].forEach((stream) => stream?.destroy()),
  'a message is cut': ({ child }) =>
    void child.stdin?.end('Content-Length: 500\r\n\r\n{"jsonrpc":'),
  'the client is killed': (_, client) => void client?.child.kill('SIGKILL'),
};

/** Starts a server and passes everything on: a client that may be killed. */
const between = `
const [, file, ...args] = process.argv;
const { spawn } = await import('node:child_process');
const server = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin);
server.stdout.pipe(process.stdout);
`;

const rows = Object.keys(faults).flatMap((fault) =>
  Object.keys(servers).flatMap((server) =>
    Array.from(
      { length: Math.max(1, rounds) },
      (_, round) => [fault, server as keyof typeof servers, round] as const,
    ),
  ),
);

describe.concurrent(
  'a language server in the middle of a check ends, with all that it started',
  () => {
    test.each(rows)('%s × %s, round %i', async (fault, server, round) => {
      const random = createRandom(seed + 31 * round + fault.length);
      await using folder = await createTemporaryFolder({
        'load.ts': code,
        'package.json': '{ "dependencies": { "pg": "^8" } }',
        'eslint.config.mjs': 'export default [];',
        'tmp/.keep': '',
      });
      const mark = randomBytes(6).toString('hex');
      const command =
        fault === 'the client is killed'
          ? ['--input-type=module', '-e', between, ...servers[server]]
          : servers[server];
      const running = startProgram({ args: command }, { folder: folder.path, mark });
      openAndAsk(running, folder.path, fault === 'the client is killed');
      while (running.stdout() === '') await wait(10);
      await wait(600 * random());
      faults[fault]?.(running, running);
      const began = performance.now();
      while (markedProcesses(mark).length > 0 && performance.now() - began < patienceMs)
        await wait(50);
      const left = markedProcesses(mark);
      const trace = /\n\s+at .*:\d+/.exec(running.stderr());
      const complaints = [
        ...left.map(({ command: text }) => `a process: ${text}`),
        ...(trace === null ? [] : [`a stack trace: ${trace[0]}`]),
      ];
      note({ fault, subject: server, complaints, cleanMs: performance.now() - began });
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
      expect(complaints).toEqual([]);
    });
  },
);

/** Opens the document and asks for its findings, without waiting for an answer. */
function openAndAsk({ child }: Running, folder: string, isClient: boolean): void {
  const uri = pathToFileURL(join(folder, 'load.ts')).href;
  const say = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  say({
    id: 1,
    method: 'initialize',
    params: {
      processId: isClient ? child.pid : null,
      initializationOptions: { isTrusted: true, showsEslint: true },
      rootUri: null,
      capabilities: { textDocument: { diagnostic: {} } },
      workspaceFolders: [{ name: 'test', uri: pathToFileURL(folder).href }],
    },
  });
  say({ method: 'initialized', params: {} });
  say({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'typescript', version: 1, text: code } },
  });
  say({ id: 2, method: 'textDocument/diagnostic', params: { textDocument: { uri } } });
}
