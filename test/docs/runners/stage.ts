import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createFreshDatabase } from '../../support/fresh-database.ts';
import { modules } from '../../support/packed-plugin.ts';
import { startPgBouncer } from '../../support/pgbouncer.ts';
import { probeResults } from '../../support/probe-results.ts';
import { runProgram, type Finished } from '../../support/run-process.ts';
import { codeBlocksOf } from '../../support/code-blocks.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { root, textOf, wordsOf } from '../../support/documents.ts';

/** A reader's project with a leak in `src/`, a database, and a PgBouncer that is configured as docs/poolers.md says. */
export interface Stage extends AsyncDisposable {
  readonly folder: string;
  /** A connection to the database, which its superuser has. */
  readonly admin: pg.Client;
  write(name: string, text: string): Promise<void>;
  /** Runs `npx poolguard …` or `npx eslint …` in the project, with the variables that stand before it; once for the same files. */
  run(command: string, more?: readonly string[]): Promise<Finished>;
}

/** The first code of docs/getting-started.md, which has a leak. */
export const leakyFile =
  codeBlocksOf(textOf('docs/getting-started.md')).find(({ language }) => language === 'js')?.text ??
  '';
export const leakRule = 'poolguard/no-unreleased-client';

export async function openStage(): Promise<Stage> {
  const [folder, database] = await Promise.all([
    createTemporaryFolder({
      'package.json': '{ "type": "module", "dependencies": { "pg": "^8" } }',
      'src/orders.js': leakyFile,
      'result.json': JSON.stringify(probeResults.size),
      'k6-summary-10.json': JSON.stringify(probeResults.k6),
    }),
    createFreshDatabase(),
  ]);
  await folder.write({ '.env': `DATABASE_URL=${database.ownerUrl}\n` });
  await symlink(modules, join(folder.path, 'node_modules'), 'junction');
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(
    'CREATE TABLE users AS SELECT id, md5(id::text) AS name FROM generate_series(1, 1000) AS id',
  );
  await admin.query(
    'ALTER TABLE users ADD email text, ADD tenant_id int, ADD created_at timestamptz; CREATE TABLE orders (state text)',
  );
  const pooler = await startPgBouncer(database.ownerUrl, 2, { settings: iniSettings() });
  const asApp = new URL(pooler.url);
  asApp.username = 'app';
  const runs = new Map<string, Promise<Finished>>();
  let written = '';
  return {
    folder: folder.path,
    admin,
    write: async (name, text) => {
      await mkdir(join(folder.path, name, '..'), { recursive: true });
      await writeFile(join(folder.path, name), text);
      written = `${name}: ${text}`;
    },
    run: (command, more = []) => {
      const key = JSON.stringify([command, more, written]);
      const run =
        runs.get(key) ??
        runCommand(
          command,
          more,
          folder.path,
          command.includes('poolguard pooler') ? asApp.href : database.ownerUrl,
        );
      runs.set(key, run);
      return run;
    },
    [Symbol.asyncDispose]: async () => {
      await admin.end();
      await pooler[Symbol.asyncDispose]();
      await Promise.all([database.drop(), folder[Symbol.asyncDispose]()]);
    },
  };
}

/** What the document has one write into pgbouncer.ini. */
export function iniSettings(): Readonly<Record<string, string>> {
  const [block] = codeBlocksOf(textOf('docs/poolers.md')).filter(
    ({ language }) => language === 'ini',
  );
  return Object.fromEntries(
    (block?.text ?? '')
      .split('\n')
      .flatMap((line) =>
        line.includes('=') ? [line.split('=').map((part) => part.trim()) as [string, string]] : [],
      ),
  );
}

const programs: Readonly<Record<string, string>> = {
  poolguard: join(root, 'dist/cli.js'),
  eslint: join(root, 'node_modules/eslint/bin/eslint.js'),
};

function runCommand(
  command: string,
  more: readonly string[],
  folder: string,
  databaseUrl: string,
): Promise<Finished> {
  const words = wordsOf(command);
  const start = words.indexOf('npx');
  const variables = Object.fromEntries(
    words.slice(0, start).map((word) => word.split('=') as [string, string]),
  );
  const program = programs[words[start + 1] ?? ''];
  if (program === undefined) throw new Error(`Nobody here knows the program of ${command}.`);
  return runProgram(process.execPath, [program, ...words.slice(start + 2), ...more], folder, {
    DATABASE_URL: words.includes('--database-from') ? '' : databaseUrl,
    POOLGUARD_DEBUG: '',
    ...variables,
  });
}
