import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signed } from '../../../../src/cli/cache/signing-key.ts';
import { runNodeWith } from '../../../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

const signingKey = 'signs the caches of this test';
const cli = join(process.cwd(), 'dist/cli.js');

const pool = `import { Pool } from 'pg';
export const pool = new Pool();
pool.on('error', () => {});
export const take = () => pool.connect();
`;
const user = `import { take } from '#db';
export async function run() {
  const client = await take();
  await client.query('SELECT 1');
}
`;
const tsconfig = (target: string) =>
  JSON.stringify({ compilerOptions: { baseUrl: '.', paths: { '#db': [target] } } });
const nothing = 'export const take = async () => ({ query: async () => {} });\n';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder({
    'package.json': '{}',
    'tsconfig.json': tsconfig('./db.ts'),
    'db.ts': pool,
    'other.ts': nothing,
    'user.ts': user,
    'loads.cjs': `const Module = require('node:module');
const { appendFileSync } = require('node:fs');
const load = Module._load;
Module._load = (name, ...rest) => {
  if (/\\/engine\\.cjs$/u.test(name)) appendFileSync(process.env.LOADED, name + '\\n');
  return load(name, ...rest);
};
`,
  });
  await settle();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** What was written a moment before a run may be written once more unseen, so nothing is kept of it. */
async function settle(): Promise<void> {
  const past = new Date(Date.now() - 60_000);
  for (const name of await readdir(folder.path, { recursive: true }))
    utimesSync(join(folder.path, name), past, past);
  const begun = Date.now();
  while (Date.now() - begun < 50) await new Promise(setImmediate);
}

async function lint(...args: string[]) {
  const loaded = join(folder.path, '../', `${folder.path.split('/').at(-1)}.loaded`);
  const run = await runNodeWith([cli, 'lint', '-f', 'json', ...args], folder.path, {
    NODE_OPTIONS: `--require ${join(folder.path, 'loads.cjs')}`,
    LOADED: loaded,
    POOLGUARD_DEBUG: '',
    POOLGUARD_CACHE_KEY: signingKey,
  });
  const isEngineLoaded = existsSync(loaded);
  await rm(loaded, { force: true });
  return { ...run, isEngineLoaded };
}

const leaks = (stdout: string): readonly string[] =>
  (JSON.parse(stdout) as { filePath: string; messages: { ruleId: string }[] }[]).flatMap(
    ({ filePath, messages }) =>
      messages.map(({ ruleId }) => `${filePath.slice(folder.path.length + 1)} ${ruleId}`),
  );
const leak = 'user.ts poolguard/no-unreleased-client';

describe('--cache', () => {
  it('says the same again, and loads neither the rules nor ESLint nor a parser', async () => {
    const first = await lint('--cache');
    expect(leaks(first.stdout)).toEqual([leak]);
    expect(first.isEngineLoaded).toBe(true);
    const second = await lint('--cache');
    expect(second).toEqual({ ...first, isEngineLoaded: false });
    expect((await lint()).isEngineLoaded).toBe(true);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      'the file itself',
      { 'user.ts': user.replace('await client.query', 'client.release(); await client.query') },
      ['user.ts poolguard/no-use-after-release'],
    ],
    ['a file that it imports', { 'db.ts': nothing }, []],
    ['what an alias means', { 'tsconfig.json': tsconfig('./other.ts') }, []],
    [
      'what an alias means, from nearer',
      { 'package.json': '{"imports":{"#db":"./other.ts"}}', 'tsconfig.json': '{}' },
      [],
    ],
  ])('checks again when something else is in %s', async (_, files, expected) => {
    expect(leaks((await lint('--cache')).stdout)).toEqual([leak]);
    await folder.write(files);
    expect(leaks((await lint('--cache')).stdout)).toEqual(expected);
  });

  it('checks again when a file appears that an import means now, and when it goes', async () => {
    await folder.write({ 'user.ts': user.replace('#db', './late') });
    await settle();
    expect(leaks((await lint('--cache')).stdout)).toEqual([]);
    await folder.write({ 'late.ts': pool });
    await settle();
    expect(leaks((await lint('--cache')).stdout)).toEqual([leak]);
    await rm(join(folder.path, 'late.ts'));
    expect(leaks((await lint('--cache')).stdout)).toEqual([]);
  });

  it('checks again when a listener for errors comes or goes anywhere in the project', async () => {
    const missing = 'db.ts poolguard/require-pool-error-handler';
    await folder.write({ 'db.ts': pool.replace(/pool\.on.*\n/u, '') });
    await settle();
    expect(leaks((await lint('--cache')).stdout)).toContain(missing);
    await folder.write({ 'far.ts': "import { pool } from './db';\npool.on('error', () => {});\n" });
    expect(leaks((await lint('--cache')).stdout)).not.toContain(missing);
  });

  it('keeps what was found with each setting apart', async () => {
    expect(leaks((await lint('--cache')).stdout)).toEqual([leak]);
    const off = ['--cache', '--rule', 'no-unreleased-client=off'];
    expect(leaks((await lint(...off)).stdout)).toEqual([]);
    expect(leaks((await lint('--cache')).stdout)).toEqual([leak]);
  });

  it('checks only the file that changed', async () => {
    await lint('--cache');
    await folder.write({ 'other.ts': 'const = ;' });
    const { stdout, stderr } = await lint('--cache');
    expect([leaks(stdout), stderr]).toEqual([[leak], '']);
  });

  it('is where it was said to be: a file, or a folder with a file for each working folder', async () => {
    await lint('--cache');
    expect(existsSync(join(folder.path, '.poolguardcache'))).toBe(true);
    await lint('--cache', '--cache-location', 'deep/er/file');
    expect(existsSync(join(folder.path, 'deep/er/file'))).toBe(true);
    await lint('--cache', '--cache-location', 'caches/');
    expect(await readdir(join(folder.path, 'caches'))).toEqual([
      expect.stringMatching(/^\.cache_[\w-]+$/u),
    ]);
  });

  describe.each<[string, (saved: string) => string]>([
    ['nothing', () => ''],
    ['no JSON', () => '{'],
    ['something else', () => '{"key":1,"files":[{}]}'],
    ['half of one', (saved) => saved.slice(0, saved.length / 2)],
    ['one of another version', (saved) => saved.replace(/"key":"./u, '"key":"+')],
    [
      'something that changed, and stretches beyond its table',
      (saved) =>
        saved.replace('"prints":["', '"prints":["+').replace(/"reads":"/gu, '"reads":"zz1 1 '),
    ],
    [
      'something that changed, and stretches that are none',
      (saved) => saved.replace('"prints":["', '"prints":["+').replace(/"reads":"/gu, '"reads":"- '),
    ],
    [
      'a rule with an escape sequence for a name',
      (saved) => saved.replaceAll('poolguard/no-', '\\u001b[31m'),
    ],
  ])('over a file with %s', (_, spoil) => {
    it('finds all anew', async () => {
      const first = await lint('--cache');
      const file = join(folder.path, '.poolguardcache');
      const written = readFileSync(file, 'utf8');
      // With a signature, so that its content is what decides.
      writeFileSync(file, signed(spoil(written.slice(written.indexOf('\n') + 1)), signingKey));
      expect(await lint('--cache')).toEqual(first);
    });
  });

  it('says why it cannot be written, and reports all the same', async () => {
    const { stdout, stderr, code } = await lint('--cache', '--cache-location', 'user.ts/cache');
    expect([leaks(stdout), code]).toEqual([[leak], 1]);
    expect(stderr).toMatch(/^What was found could not be kept for the next run\. [^\n]*\.\n$/u);
  });
});

describe('--concurrency', () => {
  it.each(['json', 'sarif', 'stylish'])('changes nothing of a report as %s', async (format) => {
    const files = Array.from({ length: 12 }, (_, index) => [
      `folder-${index % 3}/user-${index}.ts`,
      index % 4 === 0 ? 'const = import;' : user,
    ]);
    await folder.write(Object.fromEntries(files) as Record<string, string>);
    const [off, two, many] = await Promise.all(
      ['off', '2', '5'].map((threads) => lint('--concurrency', threads, '-f', format)),
    );
    expect(off?.code).toBe(1);
    expect([two?.stdout, many?.stdout]).toEqual([off?.stdout, off?.stdout]);
  });

  it.each(['0', '-1', 'many', '1.5'])('refuses %s', async (threads) => {
    const { code, stderr } = await lint('--concurrency', threads);
    expect(code).toBe(2);
    expect(stderr).toContain('Write auto, off or a number of threads');
  });
});
