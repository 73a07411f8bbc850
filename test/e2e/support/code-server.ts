import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCaches } from '../../../scripts/npm.mjs';

const version = '4.139.1';
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** A real VS Code that a browser can open, and the Node it wants. */
export interface CodeServer {
  /** Executable of Node 24. */
  readonly node: string;
  /** The script to run with it. */
  readonly entry: string;
}

/** `POOLGUARD_E2E_CACHE`, which several checkouts may share, or `.cache/` of the repository. */
function cacheFolder(): string {
  return process.env['POOLGUARD_E2E_CACHE'] ?? join(root, '.cache');
}

/** Downloads VS Code (code-server, from npm) into the cache folder once. */
export async function prepareCodeServer(say: (line: string) => void): Promise<CodeServer> {
  const folder = join(cacheFolder(), 'code-server');
  const nodeFolder = join(folder, 'node24', 'node_modules', 'node', 'bin');
  const entry = join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
  const ready = join(folder, `ready-${version}`);
  if (!existsSync(ready)) {
    say(`VS Code (code-server ${version}) goes into ${folder}: about two minutes, once.`);
    await install(folder, nodeFolder, say);
    await writeFile(ready, '');
  }
  return { node: join(nodeFolder, 'node'), entry };
}

async function install(
  folder: string,
  nodeFolder: string,
  say: (line: string) => void,
): Promise<void> {
  const product = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // Of its native parts the extension host needs these two only; the rest would take minutes and system libraries.
  const steps: readonly (readonly [saying: string, cwd: string, npm: readonly string[]])[] = [
    ['Node 24', join(folder, 'node24'), ['install', 'node@24', ...quiet]],
    ['code-server', folder, ['install', `code-server@${version}`, '--ignore-scripts', ...quiet]],
    ["the workbench's packages", product, ['install', '--omit=dev', '--ignore-scripts', ...quiet]],
    [
      'two native modules',
      product,
      ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog', ...quiet],
    ],
    [
      'the bundled extensions',
      join(product, 'extensions'),
      ['install', '--omit=dev', '--ignore-scripts', ...quiet],
    ],
  ];
  for (const [saying, cwd, args] of steps) {
    say(`  ${saying} …`);
    await mkdir(cwd, { recursive: true });
    if (!existsSync(join(cwd, 'package.json')))
      await writeFile(join(cwd, 'package.json'), '{ "private": true }');
    await run('npm', args, cwd, {
      ...process.env,
      ...npmCaches(),
      PATH: [nodeFolder, process.env['PATH']].join(delimiter),
    });
  }
}

/** Runs a program to its end; what it said is in the error when it fails. */
export function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(said.join(''));
      else
        reject(
          new Error(`${file} ${args.join(' ')} failed in ${cwd}:\n${said.join('').slice(-2000)}`),
        );
    });
  });
}
