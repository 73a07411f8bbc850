import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runNode } from '../../../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

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
/** Writes at the end whether the bundle with TypeScript was loaded. */
const noting = `process.on('exit', () => {
  const loaded = Object.keys(require('node:module')._cache);
  if (loaded.some((path) => /dist.typescript\\.cjs$/u.test(path))) process.stderr.write('typescript');
});`;

let folder: TemporaryFolder;

const lint = (...options: readonly string[]) =>
  runNode(
    [
      ...options,
      '--require',
      join(folder.path, 'noting.cjs'),
      join(process.cwd(), 'dist/cli.js'),
      'lint',
      '--format',
      'json',
    ],
    join(folder.path, 'work'),
  );

beforeAll(async () => {
  folder = await createTemporaryFolder({ ...files, 'noting.cjs': noting });
});

afterAll(() => folder[Symbol.asyncDispose]());

test('a plain run does not load TypeScript', async () => {
  const { code, stdout, stderr } = await lint();
  expect(stderr).toBe('');
  expect(code).toBe(1);
  expect(stdout.match(/poolguard\/no-unreleased-client/g)).toHaveLength(2);
});

test('where there is no WebAssembly TypeScript parses, silently, and everything found is the same', async () => {
  const own = await lint();
  const without = await lint('--no-expose-wasm');
  expect(without.stderr).toBe('typescript');
  expect(without).toEqual({ ...own, stderr: without.stderr });
});

test('a syntax error is told in the words of TypeScript', async () => {
  await using other = await createTemporaryFolder({ ...files, ...wrong });
  const { stdout, stderr, code } = await runNode(
    [join(process.cwd(), 'dist/cli.js'), 'lint'],
    join(other.path, 'work'),
  );
  expect(stdout).toMatch(
    /wrong\.ts\n\s+3:11\s+error\s+The file was not checked because of a syntax error: Property assignment expected/,
  );
  expect({ stderr, code }).toEqual({ stderr: '', code: 1 });
});
