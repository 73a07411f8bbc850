import { chmod, lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addLintCommand } from '../../../../src/cli/lint/lint.ts';
import { poolguardRules } from '../../../../src/lint/known-rules.ts';
import { poolguard } from '../../../../src/lint/analyser.ts';
import { runInProcess } from '../../../support/cli-run.ts';
import { rulesOf } from '../../../support/rules-of.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

const head = `import { Pool } from 'pg';
const pool = new Pool({ connectionTimeoutMillis: 5_000 });
pool.on('error', () => {});
`;
const single = `${head}export async function find(id) {
  const client = await pool.connect();
  try {
    return await client.query('SELECT $1', [id]);
  } finally {
    client.release();
  }
}
`;
const singleFixed = `${head}export async function find(id) {
  return await pool.query('SELECT $1', [id]);
}
`;
const unsettled = `${head}export async function twice(id) {
  const client = await pool.connect();
  try {
    await client.query('SELECT $1', [id]);
    return client.query('SELECT $1', [id]);
  } finally {
    client.release();
  }
}
`;
const nested = `${head}export async function nested(id) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await pool.query('SELECT $1', [id]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
`;
const leak = `${head}export async function leak(id) {
  const client = await pool.connect();
  await client.query('SELECT 1');
  await client.query('SELECT $1', [id]);
}
`;

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder({ 'package.json': '{ "type": "module" }' });
});
afterEach(() => folder[Symbol.asyncDispose]());

function lint(...args: string[]) {
  return runInProcess(['lint', '--preset', 'strict', ...args], {
    cwd: folder.path,
    commands: [
      (program, io) => {
        addLintCommand(program, io, { ...rulesOf(poolguard), known: poolguardRules });
      },
    ],
  });
}

const textOf = (name: string) => readFile(join(folder.path, name), 'utf8');

it('--fix applies what is safe, and reports the rest', async () => {
  await folder.write({ 'a.js': single, 'b.js': unsettled, 'c.js': nested, 'd.js': leak });
  const { code, stdout, stderr } = await lint('--fix');
  expect(await textOf('a.js')).toBe(singleFixed);
  expect(await textOf('b.js')).toBe(unsettled.replace('return client', 'return await client'));
  expect(await textOf('c.js')).toBe(nested);
  expect(await textOf('d.js')).toContain('  } finally {\n    client.release();\n  }\n');
  expect(stderr).toBe('Fixed 3 problems in 3 files.\n');
  expect(stdout).toMatch(/^c\.js\n[^]*✖ 1 problem \(/u);
  expect(code).toBe(1);
  expect(await lint('--fix')).toMatchObject({ stderr: '' });
});

it('several problems of a file are fixed at once, in more passes where they touch', async () => {
  const two = `${single}${unsettled.slice(head.length)}${leak.slice(head.length)}`;
  await folder.write({ 'a.js': two });
  expect(await lint('--fix')).toMatchObject({ code: 0, stderr: 'Fixed 3 problems in 1 file.\n' });
});

it('--fix-dry-run shows what would change, and writes nothing', async () => {
  await folder.write({ 'a.js': single });
  const { code, stdout, stderr } = await lint('--fix-dry-run');
  expect(await textOf('a.js')).toBe(single);
  expect(stderr).toBe('Would fix 1 problem in 1 file.\n');
  expect([code, stdout]).toEqual([
    0,
    `--- a.js
+++ a.js
@@ -2 +2 @@
 const pool = new Pool({ connectionTimeoutMillis: 5_000 });
 pool.on('error', () => {});
 export async function find(id) {
-  const client = await pool.connect();
-  try {
-    return await client.query('SELECT $1', [id]);
-  } finally {
-    client.release();
-  }
+  return await pool.query('SELECT $1', [id]);
 }

✔ No problems, 1 file checked.
`,
  ]);
});

it('as in ESLint, JSON has the output in place of the source, and --quiet leaves warnings as they are', async () => {
  await folder.write({ 'a.js': single, 'c.js': nested });
  const [a, c] = JSON.parse((await lint('--fix-dry-run', '-f', 'json')).stdout) as object[];
  expect(a).toMatchObject({ output: singleFixed, messages: [] });
  expect(a).not.toHaveProperty('source');
  expect(c).toMatchObject({ source: nested });
  expect(c).not.toHaveProperty('output');
  const [quiet] = JSON.parse(
    (await lint('--fix-dry-run', '-f', 'json', '--quiet')).stdout,
  ) as object[];
  expect(quiet).not.toHaveProperty('output');
});

it('line ends, byte order mark, permissions and links stay', async () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
  await folder.write({ 'real/a.js': windows(single), 'real/d.js': windows(leak) });
  await chmod(join(folder.path, 'real/a.js'), 0o755);
  await symlink('real/a.js', join(folder.path, 'link.js'));
  expect(await lint('--fix', 'link.js', 'real/d.js')).toMatchObject({ code: 0 });
  expect(await textOf('real/a.js')).toBe(windows(singleFixed));
  expect(await textOf('real/d.js')).toMatch(/^\uFEFFimport [^]*finally/u);
  expect(await textOf('real/d.js')).not.toMatch(/(?<!\r)\n/u);
  expect((await lstat(join(folder.path, 'link.js'))).isSymbolicLink()).toBe(true);
  expect((await stat(join(folder.path, 'real/a.js'))).mode & 0o777).toBe(0o755);
});

it('what is no UTF-8 is not touched', async () => {
  const bytes = Buffer.concat([Buffer.from(single), Buffer.from([0x2f, 0x2f, 0xe4, 0x0a])]);
  await folder.write({ 'a.js': '' });

  await writeFile(join(folder.path, 'a.js'), bytes);
  expect(await lint('--fix')).toMatchObject({ stderr: '' });
  expect(await readFile(join(folder.path, 'a.js'))).toEqual(bytes);
});

it('the two options exclude each other', async () => {
  expect(await lint('--fix', '--fix-dry-run')).toMatchObject({
    code: 2,
    stderr:
      "Option '--fix-dry-run' cannot be used with option '--fix'. Run poolguard lint --help to see what there is.\n",
  });
});

it('with a cache, what was found before is fixed all the same', async () => {
  await folder.write({ 'a.js': single });
  expect((await lint('--cache')).stdout).toContain('1 problem');
  expect(await lint('--cache', '--fix')).toMatchObject({ stderr: 'Fixed 1 problem in 1 file.\n' });
  expect((await lint('--cache')).stdout).toContain('No problems');
});
