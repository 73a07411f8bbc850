import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { transform } from 'esbuild';
import { codeBlocksOf, type CodeBlock } from '../support/code-blocks.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { poolModule } from '../support/pool-module.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { patienceMs, type AnyHarm, type Observed, type Seen } from './harm.ts';

const root = join(import.meta.dirname, '../..');

/** A scenario that waits in vain for what it wants to see fails rather than staying behind. */
const limitMs = 60_000;

export interface ExampleRun {
  readonly seen: Seen | undefined;
  readonly code: number | null;
  readonly stderr: string;
}

/** What the playing process learns of an example. */
export interface Play {
  readonly rule: string;
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface LaidOut extends AsyncDisposable {
  readonly play: Play;
}

/** Runs both examples of each row in the way that the row plays them. Those that end well and say nothing share a process. */
export async function runExamples(
  rows: readonly AnyHarm[],
  player: string,
): Promise<ReadonlyMap<Observed, ExampleRun>> {
  const all = rows.flatMap((row) => [
    { row, observed: row.wrong, waitsMs: patienceMs },
    { row, observed: row.right, waitsMs: limitMs },
  ]);
  const quiet = all.filter(({ observed }) => isQuiet(observed));
  const groups = [quiet, ...all.filter(({ observed }) => !isQuiet(observed)).map((one) => [one])];
  const runs = await Promise.all(
    groups.map(async (group) => {
      const laidOut = await Promise.all(
        group.map(({ row, observed, waitsMs }) => layOut(row, observed.example, waitsMs)),
      );
      const { seen, ...end } = await play(
        laidOut.map((each) => each.play),
        player,
      );
      for (const each of laidOut) await each[Symbol.asyncDispose]();
      return group.map(({ observed }, at) => [observed, { ...end, seen: seen[at] }] as const);
    }),
  );
  return new Map(runs.flat());
}

function isQuiet({ code = 0, stderr }: Observed): boolean {
  return code === 0 && stderr === undefined;
}

async function layOut(row: AnyHarm, caption: string, waitsMs: number): Promise<LaidOut> {
  const { rule, name, pgBouncerBackends } = row;
  const database = await createOwnedDatabase(row);
  const folder = await writeFolder(row, exampleOf(rule, caption), waitsMs);
  const pgBouncer =
    pgBouncerBackends === undefined
      ? undefined
      : await startPgBouncer(database.url, pgBouncerBackends);
  const environment = environmentOf(pgBouncer?.url ?? database.url);
  return {
    play: { rule, name, folder: folder.path, environment },
    [Symbol.asyncDispose]: async () => {
      await pgBouncer?.[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
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

async function writeFolder(
  { modules = {}, max }: AnyHarm,
  { text, language }: CodeBlock,
  connectionTimeoutMillis: number,
): Promise<TemporaryFolder> {
  const isCommonJs = /\brequire\(/u.test(text);
  const { code } = await transform(text, { loader: language === 'ts' ? 'ts' : 'js' });
  const folder = await createTemporaryFolder({
    'package.json': JSON.stringify({ type: isCommonJs ? 'commonjs' : 'module' }),
    'pool.js': poolModule({ max, connectionTimeoutMillis, isCommonJs }),
    'example.js': code,
    ...modules,
  });
  await mkdir(join(folder.path, 'node_modules'), { recursive: true });
  await symlink(join(root, 'node_modules/pg'), join(folder.path, 'node_modules/pg'), 'junction');
  return folder;
}

function environmentOf(url: string): Readonly<Record<string, string>> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
    PGAPPNAME: 'example',
    DATABASE_URL: url,
  };
}

interface Played extends Omit<ExampleRun, 'seen'> {
  /** In the order of the plays; what came before the process ended. */
  readonly seen: readonly Seen[];
}

async function play(plays: readonly Play[], player: string): Promise<Played> {
  const env = {
    ...process.env,
    PLAYS: JSON.stringify(plays),
    SERVER_URL: postgresUrl(),
    NODE_OPTIONS: '',
    NODE_ENV: 'production',
  };
  const child = fork(player, {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const seen: Seen[] = [];
  child.on('message', (message) => seen.push(message as Seen));
  const { stderr } = child;
  if (stderr === null) throw new Error('The examples have no standard error.');
  const [said, [code]] = await Promise.all([
    text(stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { seen, code, stderr: said };
}
