import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { transform } from 'esbuild';
import { inject } from 'vitest';
import { codeBlocksOf, type CodeBlock } from '../support/code-blocks.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { poolModule } from '../support/pool-module.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { patienceMs, type AnyHarm, type Seen } from './harm.ts';

const root = join(import.meta.dirname, '../..');

/** A scenario that waits in vain for what it wants to see fails rather than staying behind. */
const limitMs = 20_000;

export interface ExampleRun {
  readonly seen: Seen | undefined;
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs one example of a rule's page in a process of its own, in the way that its row plays it. */
export async function runExample(
  row: AnyHarm,
  caption: string,
  player: string,
): Promise<ExampleRun> {
  await using database = await createOwnedDatabase(row);
  await using folder = await layOut(row, exampleOf(row.rule, caption));
  if (row.pgBouncerBackends === undefined)
    return await play(row, player, folder.path, database.url);
  await using pgBouncer = await startPgBouncer(database.url, row.pgBouncerBackends);
  return await play(row, player, folder.path, pgBouncer.url);
}

function exampleOf(rule: string, caption: string): CodeBlock {
  const blocks = codeBlocksOf(readFileSync(join(root, 'docs/rules', `${rule}.md`), 'utf8')).filter(
    (block) => block.caption === caption,
  );
  const [block, ...others] = blocks;
  if (block === undefined || others.length > 0)
    throw new Error(
      `docs/rules/${rule}.md has ${blocks.length} examples with the caption: ${caption}`,
    );
  return block;
}

async function layOut(
  { modules = {}, max }: AnyHarm,
  { text, language }: CodeBlock,
): Promise<TemporaryFolder> {
  const isCommonJs = /\brequire\(/u.test(text);
  const { code } = await transform(text, { loader: language === 'ts' ? 'ts' : 'js' });
  const folder = await createTemporaryFolder({
    'package.json': JSON.stringify({ type: isCommonJs ? 'commonjs' : 'module' }),
    'pool.js': poolModule({ max, connectionTimeoutMillis: patienceMs, isCommonJs }),
    'example.js': code,
    ...modules,
  });
  await mkdir(join(folder.path, 'node_modules'), { recursive: true });
  await symlink(join(root, 'node_modules/pg'), join(folder.path, 'node_modules/pg'), 'junction');
  return folder;
}

async function play(
  { rule, name }: AnyHarm,
  player: string,
  folder: string,
  url: string,
): Promise<ExampleRun> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const connection = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
    PGAPPNAME: 'example',
    DATABASE_URL: url,
  };
  const env = {
    ...process.env,
    ...connection,
    SERVER_URL: inject('postgresUrl'),
    NODE_OPTIONS: '',
    NODE_ENV: 'production',
  };
  const child = fork(player, [folder, rule, name], {
    cwd: folder,
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let seen: Seen | undefined;
  child.once('message', (message) => {
    seen = message as Seen;
  });
  const { stderr } = child;
  if (stderr === null) throw new Error('The example has no standard error.');
  const [said, [code]] = await Promise.all([
    text(stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { seen, code, stderr: said };
}
