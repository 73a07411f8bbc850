import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runNode, runNodeWith } from '../../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const leak = `import { pool } from './pool.js';
export async function leak() { const client = await pool.connect(); await client.query('SELECT 1'); }
`;
const files = {
  'work/package.json': '{ "dependencies": { "pg": "8" } }',
  'work/pool.js': "import { Pool } from 'pg';\nexport const pool = new Pool();\n",
  'work/leak.ts': leak,
  'work/page.tsx': `${leak}export const page = <p title="a">&nbsp;b</p>;`,
};
const wrong = { 'work/wrong.ts': `${leak}const a = {;` };
/** Writes at the end which of these packages were loaded. */
const noting = `process.on('exit', () => {
  const loaded = Object.keys(require('node:module')._cache).join(' ');
  for (const name of ['typescript/lib/typescript.js', '@typescript-eslint/parser/', '@typescript-eslint/typescript-estree/', '.node'])
    if (loaded.includes(name)) process.stderr.write(name + ' ');
});`;

let folder: TemporaryFolder;

/** The command beside a node_modules of its own, in which nothing of oxc is. */
async function installWithoutBinding(): Promise<string> {
  const place = join(folder.path, 'installed');
  await mkdir(join(place, 'node_modules'), { recursive: true });
  const modules = join(process.cwd(), 'node_modules');
  for (const name of await readdir(modules))
    if (!name.startsWith('.') && name !== '@oxc-parser' && name !== 'oxc-parser')
      await symlink(join(modules, name), join(place, 'node_modules', name));
  await cp(join(modules, 'oxc-parser'), join(place, 'node_modules/oxc-parser'), {
    recursive: true,
  });
  for (const name of ['cli.js', 'engine.js']) await cp(join('dist', name), join(place, name));
  await cp('package.json', join(place, 'package.json'));
  return join(place, 'cli.js');
}

const lint = (cli: string, ...args: readonly string[]) =>
  runNode(
    ['--require', join(folder.path, 'noting.cjs'), cli, 'lint', '--format', 'json', ...args],
    join(folder.path, 'work'),
  );

beforeAll(async () => {
  folder = await createTemporaryFolder({ ...files, 'noting.cjs': noting });
});

afterAll(() => folder[Symbol.asyncDispose]());

test('a plain run does not load TypeScript', async () => {
  const { code, stdout, stderr } = await lint(join(process.cwd(), 'dist/cli.js'));
  expect(stderr.trim()).toBe('.node');
  expect(code).toBe(1);
  expect(stdout.match(/poolguard\/no-unreleased-client/g)).toHaveLength(2);
});

test('without a binding for this machine TypeScript parses, silently, and everything found is the same', async () => {
  const cli = await installWithoutBinding();
  const without = await lint(cli);
  expect(without.stderr.trim().split(' ')).toEqual([
    'typescript/lib/typescript.js',
    '@typescript-eslint/typescript-estree/',
  ]);
  const own = await lint(join(process.cwd(), 'dist/cli.js'));
  expect(without.stdout).toBe(own.stdout);
  expect(without.code).toBe(1);
});

test('a binding that does not load is none', async () => {
  const own = await lint(join(process.cwd(), 'dist/cli.js'));
  const broken = await runNodeWith(
    [join(process.cwd(), 'dist/cli.js'), 'lint', '--format', 'json', '--concurrency', '2'],
    join(folder.path, 'work'),
    { NAPI_RS_FORCE_WASI: 'error' },
  );
  expect(broken).toEqual({ ...own, stderr: '' });
});

test('a syntax error is told in the words of TypeScript', async () => {
  await using other = await createTemporaryFolder({ ...files, ...wrong });
  const { stdout, stderr, code } = await runNode(
    [join(process.cwd(), 'dist/cli.js'), 'lint'],
    join(other.path, 'work'),
  );
  expect(stdout).toMatch(
    /wrong\.ts\n\s+3:11\s+error\s+The file does not parse, so it was not checked: Property assignment expected/,
  );
  expect({ stderr, code }).toEqual({ stderr: '', code: 1 });
});
