import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestClient } from '../../support/language-client.ts';
import { eslints } from '../../support/packed-plugin.ts';
import { runNode } from '../../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const cli = join(root, 'dist/cli.js');
const leak =
  "import pg from 'pg';\nconst pool = new pg.Pool();\nexport async function load(id) {\n  const client = await pool.connect();\n  await client.query('select $1', [id]);\n  client.release();\n}\n";
const leakRule = 'poolguard/no-unreleased-client';
const plugin =
  "const plugin = { meta: { name: 'eslint-plugin-poolguard' }, rules: { 'no-unreleased-client': { meta: { schema: false }, create: () => ({}) } } };\n";

let folder: TemporaryFolder;
let uri: string;
beforeEach(async () => {
  const config = `${plugin}require('node:fs').writeFileSync(__dirname + '/config-ran', '');\nmodule.exports = [{ plugins: { poolguard: plugin }, rules: { '${leakRule}': 'warn' } }];\n`;
  folder = await createTemporaryFolder({
    'package.json': '{ "dependencies": { "pg": "^8" } }',
    'eslint.config.cjs': config,
    'node_modules/.keep': '',
  });
  await symlink(eslints['10'], join(folder.path, 'node_modules/eslint'), 'junction');
  uri = pathToFileURL(join(folder.path, 'load.js')).href;
});
afterEach(() => folder[Symbol.asyncDispose]());

function start(initializationOptions?: object) {
  return startTestClient(
    { file: cli, args: ['lsp', '--stdio'] },
    folder.path,
    undefined,
    initializationOptions,
  );
}

it('serves any editor over its standard streams, and runs no configuration unless told to trust', async () => {
  await using client = await start();
  await client.open(uri, leak, 'javascript');
  const found = await client.diagnostics(uri);
  expect(found.map(({ code, severity }) => [code, severity])).toContainEqual([leakRule, 1]);
  await expect(
    runNode(['-e', "require('node:fs').accessSync('config-ran')"], folder.path),
  ).resolves.toMatchObject({ code: 1 });
});

it('takes the severity of ESLint where ESLint is trusted, as soon as it is known', async () => {
  await using client = await start({ isTrusted: true });
  await client.open(uri, leak, 'javascript');
  await expect
    .poll(
      async () => (await client.diagnostics(uri)).find(({ code }) => code === leakRule)?.severity,
    )
    .toBe(2);
});

it('leaves a rule to ESLint where that is shown, keeps the others, and has no path to show in an editor without our command', async () => {
  await using client = await start({ isTrusted: true, showsEslint: true });
  await client.open(uri, leak, 'javascript');
  await expect
    .poll(async () => (await client.diagnostics(uri)).map(({ code }) => code))
    .toEqual(['poolguard/require-pool-error-handler']);
  const everything = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
  expect(
    (await client.codeActions(uri, everything))
      .map(({ title }) => title)
      .filter((title) => title.includes('path') || title.includes(leakRule)),
  ).toEqual([]);
});

it('hears the same comments as ESLint', async () => {
  await using client = await start();
  // A user's file that switches the rule off for a line.
  await client.open(
    uri,
    leak.replace('  const client', `  // eslint-disable-next-line ${leakRule}\n  const client`),
    'javascript',
  );
  expect((await client.diagnostics(uri)).map(({ code }) => code)).not.toContain(leakRule);
});

it('answers before a slow ESLint, and asks to be asked again when that has answered', async () => {
  await folder.write({
    'eslint.config.mjs': `await new Promise((resolve) => setTimeout(resolve, 1000));\n${plugin}export default [{ plugins: { poolguard: plugin }, rules: { '${leakRule}': 'warn' } }];\n`,
  });
  await using client = await start({ isTrusted: true, showsEslint: true, showsPaths: true });
  const refreshed = new Promise<void>((resolve) => {
    client.connection.onRequest('workspace/diagnostic/refresh', () => {
      resolve();
      return null;
    });
  });
  await client.open(uri, leak, 'javascript');
  expect((await client.diagnostics(uri)).map(({ code }) => code)).toContain(leakRule);
  await refreshed;
  expect((await client.diagnostics(uri)).map(({ code }) => code)).not.toContain(leakRule);
  const line = { start: { line: 3, character: 30 }, end: { line: 3, character: 30 } };
  expect((await client.codeActions(uri, line)).map(({ title }) => title)).toEqual([
    'Show the path of this client',
  ]);
});
