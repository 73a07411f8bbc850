import { ESLint } from 'eslint';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { parser } from 'typescript-eslint';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import plugin from '../../rules/index.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const caller =
  "import { getClient } from './index';\nexport async function find() {\n  const client = await getClient();\n  await client.query('SELECT 1');\n}\n";
const ours =
  "import { Pool } from 'pg';\nconst pool = new Pool();\nexport const getClient = () => pool.connect();\n";
const foreign =
  "import { createClient } from 'redis';\nexport const getClient = () => createClient();\n";

// Files are looked at again after a moment, which passes here at a word.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One linter for a whole test, as in an editor; the caller itself never changes. */
async function openEditor(
  files: Readonly<Record<string, string>>,
): Promise<
  AsyncDisposable & { readonly folder: TemporaryFolder; findings(): Promise<readonly string[]> }
> {
  const folder = await createTemporaryFolder({
    'caller.ts': caller,
    'index.ts': "export * from './db';\n",
    ...files,
  });
  await Promise.all(
    ['caller.ts', 'index.ts', ...Object.keys(files)].map((name) => makeOld(folder, name)),
  );
  const eslint = new ESLint({
    cwd: folder.path,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ['**/*.ts'], languageOptions: { parser } },
      plugin.configs.recommended,
    ],
  });
  return {
    folder,
    async findings() {
      vi.setSystemTime(Date.now() + 300);
      const [result] = await eslint.lintFiles([join(folder.path, 'caller.ts')]);
      return (result?.messages ?? []).map(({ line, messageId }) => `${line} ${messageId}`);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Lies as long ago as a checkout's files do, so that the stamp alone tells whether a file has changed. */
async function makeOld(folder: TemporaryFolder, name: string): Promise<void> {
  const then = new Date(Date.now() - 3_600_000);
  await utimes(join(folder.path, name), then, then);
}

const leak = ['3 neverReleased'];

test('a file two imports away changes', async () => {
  await using editor = await openEditor({ 'db.ts': foreign });
  expect(await editor.findings()).toEqual([]);
  await editor.folder.write({ 'db.ts': ours });
  expect(await editor.findings()).toEqual(leak);
  await editor.folder.write({ 'db.ts': foreign });
  expect(await editor.findings()).toEqual([]);
});

test('a change that keeps the length, at once', async () => {
  await using editor = await openEditor({
    'db.ts': ours.replace('pool.connect()', 'pool.connecc()'),
  });
  expect(await editor.findings()).toEqual([]);
  await editor.folder.write({ 'db.ts': ours });
  expect(await editor.findings()).toEqual(leak);
});

test('a file that an import names is made, goes, and comes as another', async () => {
  await using editor = await openEditor({});
  expect(await editor.findings()).toEqual([]);
  await editor.folder.write({ 'db.ts': ours });
  expect(await editor.findings()).toEqual(leak);
  await rm(join(editor.folder.path, 'db.ts'));
  expect(await editor.findings()).toEqual([]);
  await editor.folder.write({ 'db/index.js': ours });
  expect(await editor.findings()).toEqual(leak);
});

test('a package of the workspace is made, and its manifest changes', async () => {
  await using editor = await openEditor({
    'index.ts': "export * from '@shop/db';\n",
    'package.json': '{ "workspaces": ["packages/*"] }',
    'packages/other/package.json': '{ "name": "other" }',
  });
  expect(await editor.findings()).toEqual([]);
  await editor.folder.write({
    'packages/db/package.json': '{ "name": "@shop/db", "main": "./a.js" }',
    'packages/db/a.ts': foreign,
    'packages/db/b.ts': ours,
  });
  expect(await editor.findings()).toEqual([]);
  await editor.folder.write({
    'packages/db/package.json': '{ "name": "@shop/db", "main": "./b.js" }',
  });
  expect(await editor.findings()).toEqual(leak);
});

test('an alias changes in the configuration that another one inherits', async () => {
  await using editor = await openEditor({
    'index.ts': "export * from '@/db';\n",
    'tsconfig.json': '{ "extends": "./base.json" }',
    'base.json': '{}',
    'lib/db.ts': ours,
  });
  expect(await editor.findings()).toEqual([]);
  await editor.folder.write({
    'base.json': '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }',
  });
  expect(await editor.findings()).toEqual(leak);
});
