import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const cli = join(process.cwd(), 'dist/cli.js');
const leak = `import { Pool } from 'pg';
const pool = new Pool();
pool.on('error', () => undefined);
export async function leak() {
  const client = await pool.connect();
  await client.query('SELECT 1');
}
`;
const found = 'poolguard/no-unreleased-client';

/** A repository, and what lies around it. */
let folder: TemporaryFolder;
let outside: TemporaryFolder;
const at = (name: string) => join(folder.path, name);

beforeEach(async () => {
  outside = await createTemporaryFolder({ victim: 'precious', 'list.json': '{}', 'far.js': leak });
  folder = await createTemporaryFolder({ 'leak.js': leak, '.git/HEAD': 'ref: refs/heads/main\n' });
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await outside[Symbol.asyncDispose]();
});

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return runProgram(process.execPath, [cli, ...args], folder.path, {
    POOLGUARD_DEBUG: '',
    ...environment,
  });
}

async function contents(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(outside.path);
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(outside.path, name), 'utf8')] as const),
    ),
  );
}

describe('what is written in a repository', () => {
  test.each([
    ['the cache', '.poolguardcache', 'victim', ['--cache']],
    ['the cache, by a link to nothing', '.poolguardcache', 'nothing', ['--cache']],
    ['the cache, by a folder', '.cache', '', ['--cache', '--cache-location', '.cache/poolguard']],
    ['the cache, by a folder of its own', '.cache', '', ['--cache', '--cache-location', '.cache']],
    ['a cache deeper', '.cache', '', ['--cache', '--cache-location', '.cache/a/b/poolguard']],
    ['suppressions', 'eslint-suppressions.json', 'list.json', ['--suppress-all']],
    ['a report', 'report.json', 'victim', ['-f', 'json', '-o', 'report.json']],
    ['a report, by a folder', 'reports', '', ['-o', 'reports/new.txt']],
    ['a fix', 'link.js', 'far.js', ['--fix', 'link.js']],
  ])('%s leads nowhere by a link: %s → %s', async (_what, link, target, args) => {
    await symlink(join(outside.path, target), at(link));
    const before = await contents();
    const { code, stdout, stderr } = await run(['lint', ...args]);
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining(link === 'link.js' ? 'a link leads from there' : found),
    ]);
    expect(stderr).toMatch(
      /^[^\n]+ is not written: a link leads from there to [^\n]+\. Delete the link, or name that place itself\.\n$/u,
    );
    expect(await contents()).toEqual(before);
  });

  test('a script for k6 leads nowhere by a link', async () => {
    await symlink(outside.path, at('load'));
    const { code, stderr } = await run(['probe', '--export', 'k6', '--output-dir', 'load']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a link leads from there to')]);
    expect(Object.keys(await contents())).not.toContain('poolguard-k6.js');
  });

  test('a link does not reach the hooks of git either', async () => {
    await mkdir(at('.git/hooks'));
    await symlink('.git/hooks/pre-commit', at('.poolguardcache'));
    expect((await run(['lint', '--cache'])).code).toBe(2);
    expect(await readdir(at('.git/hooks'))).toEqual([]);
  });

  test('a pipe in the place of the cache keeps nobody waiting', async () => {
    execFileSync('mkfifo', [at('.poolguardcache')]);
    const { code, stdout, stderr } = await run(['lint', '--cache']);
    expect([code, stdout]).toEqual([1, expect.stringContaining(found)]);
    expect(stderr).toContain('is not an ordinary file. Delete it, or choose another place.');
  });

  test('a place outside is written to where the user names it, also in place of a link', async () => {
    await symlink(outside.path, at('reports'));
    for (const path of [join(outside.path, 'a.txt'), '../b.txt'])
      expect((await run(['lint', '-o', path])).code).toBe(1);
    expect((await contents())['a.txt']).toContain(found);
    await rm(at('../b.txt'));
  });
});

/** What was written a moment before a run is not kept. */
async function settle(): Promise<void> {
  const past = new Date(Date.now() - 60_000);
  for (const name of ['leak.js', '.git/HEAD', '.git', '.']) await utimes(at(name), past, past);
}

const key = 'a key that this test made up';
const signedBy = (secret: string, content: string) =>
  `${createHmac('sha256', secret).update(content).digest('base64url')}\n${content}`;

/** The cache of a run, as who commits it would change it: nothing was found. */
async function emptied(): Promise<string> {
  await settle();
  await run(['lint', '--cache'], { POOLGUARD_CACHE_KEY: key });
  const [, content = ''] = (await readFile(at('.poolguardcache'), 'utf8')).split('\n');
  const cache = JSON.parse(content) as { readonly files: { said?: unknown }[] };
  expect(cache.files).toHaveLength(1);
  for (const file of cache.files) delete file.said;
  return JSON.stringify(cache);
}

describe('a cache that comes with the repository', () => {
  test('counts with a signature of the key only', async () => {
    const content = await emptied();
    for (const written of [
      content,
      `\n${content}`,
      signedBy('another key of somebody', content),
      signedBy(key, `${content} `).slice(0, -1),
    ]) {
      await folder.write({ '.poolguardcache': written });
      const { code, stdout, stderr } = await run(['lint', '--cache'], { POOLGUARD_CACHE_KEY: key });
      expect([code, stdout, stderr]).toEqual([1, expect.stringContaining(found), '']);
    }
    await folder.write({ '.poolguardcache': signedBy(key, content) });
    expect((await run(['lint', '--cache'], { POOLGUARD_CACHE_KEY: key })).stdout).toContain(
      'No problems',
    );
  });

  test('is told of where somebody wants to know', async () => {
    await folder.write({ '.poolguardcache': '{}' });
    expect((await run(['lint', '--cache'], { POOLGUARD_DEBUG: '1' })).stderr).toBe(
      `${at('.poolguardcache')} is not used: it is not signed with your key.\n`,
    );
  });
});

describe('the key of caches', () => {
  const withState = (path: string) => ({ POOLGUARD_CACHE_KEY: '', XDG_STATE_HOME: path });
  const file = () => join(outside.path, 'poolguard/cache-key');

  test('is made once, for the user alone', async () => {
    await settle();
    await run(['lint', '--cache'], withState(outside.path));
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const made = await readFile(file(), 'utf8');
    expect(made).toMatch(/^[\w-]{43}\n$/u);
    const cache = await readFile(at('.poolguardcache'), 'utf8');
    expect(cache).toBe(signedBy(made.trim(), cache.slice(cache.indexOf('\n') + 1)));
    await run(['lint', '--cache'], withState(outside.path));
    expect(await readFile(file(), 'utf8')).toBe(made);
  });

  test('is another one after others could read it', async () => {
    await run(['lint', '--cache'], withState(outside.path));
    const made = await readFile(file(), 'utf8');
    await chmod(file(), 0o644);
    await run(['lint', '--cache'], withState(outside.path));
    expect(await readFile(file(), 'utf8')).not.toBe(made);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['lies in the repository', () => withState(at('state')), /would lie in this repository\. Set /],
    ['is short', () => ({ POOLGUARD_CACHE_KEY: 'secret' }), /has fewer than 16 characters\./],
    [
      'cannot be written',
      () => withState(join(outside.path, 'victim')),
      /Or set POOLGUARD_CACHE_KEY to a long/,
    ],
  ])('is none where it %s: nothing is kept, and all is checked', async (_why, env, sentence) => {
    const { code, stdout, stderr } = await run(['lint', '--cache'], env());
    expect([code, stdout]).toEqual([1, expect.stringContaining(found)]);
    expect(stderr).toMatch(sentence);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(existsSync(at('.poolguardcache'))).toBe(false);
  });
});

/** What may lie in the place of a file. */
const strange: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'a pipe': (path) => Promise.resolve(execFileSync('mkfifo', [path])),
  'a device': (path) => symlink('/dev/zero', path),
  'the terminal': (path) => symlink('/dev/tty', path),
  'standard input': (path) => symlink('/dev/stdin', path),
  'a folder': (path) => mkdir(path),
  'a socket': (path) =>
    new Promise<void>((resolve) => {
      const server = createServer().listen(path, resolve);
      server.unref();
    }),
  'a huge file': (path) => Promise.resolve(execFileSync('truncate', ['-s', '3G', path])),
};
const names = [
  'package.json',
  'tsconfig.json',
  '.gitignore',
  '.env',
  '.env.example',
  'docker-compose.yml',
  'eslint.config.js',
  'poolguard.config.json',
  'poolguard.config.mjs',
  'eslint-suppressions.json',
  '.poolguardcache',
  'node_modules/pg/package.json',
  'node_modules/eslint-plugin-poolguard/package.json',
  'import.js',
];

describe.each(Object.entries(strange))('%s in the place of a file', (_what, put) => {
  test.each(names)('%s is no file, or one sentence', async (name) => {
    await folder.write({ 'leak.js': `import './import.js';\n${leak}` });
    await mkdir(join(at(name), '..'), { recursive: true });
    await put(at(name));
    const { code, stdout, stderr } = await run(['lint', '--cache', 'leak.js']);
    if (code === 1) expect(stdout).toContain(found);
    else expect([code, stderr]).toEqual([2, expect.stringMatching(/^[^\n]+\.\n$/u)]);
    expect(stderr.split('\n').length).toBeLessThan(3);
  });

  test('is a problem of its own where it is asked for', async () => {
    await put(at('named.js'));
    const { code, stdout } = await run(['lint', 'leak.js', 'named.js']);
    expect([code, stdout]).toEqual([expect.any(Number), expect.stringContaining(found)]);
    if (!existsSync(at('named.js')) || !(await stat(at('named.js'))).isDirectory())
      expect(stdout).toMatch(/named\.js\n {2}1:1 {2}error {4}The file was not checked: it is /u);
  });

  test('is no connection', async () => {
    await put(at('named.env'));
    const { code, stderr } = await run(['activity', '--database-from', 'named.env']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read: it is missing')]);
  });
});

test.runIf(process.platform === 'linux')('a backslash is a letter of a name', async () => {
  await folder.write({
    'a\\b/c\\d.js': leak,
    'a\\b/.env': 'DATABASE_URL=postgres://app@127.0.0.1:1/shop\n',
  });
  const all = await run(['lint', '--suppress-all']);
  expect(all.stdout).toContain('No problems');
  expect(JSON.parse(await readFile(at('eslint-suppressions.json'), 'utf8'))).toHaveProperty([
    'a\\b/c\\d.js',
  ]);
  await rm(at('eslint-suppressions.json'));
  expect((await run(['lint', '.'])).stdout).toContain('a\\b/c\\d.js');
  expect((await run(['activity'])).stderr).toContain('a\\b/.env');
});

test.runIf(process.platform === 'linux')(
  'with few open files the same is found, with no thread more than there is room for',
  async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `part/${index}.js`);
    await folder.write(Object.fromEntries(paths.map((path) => [path, leak])));
    const lint = (limit: number) =>
      runProgram(
        'sh',
        [
          '-c',
          `ulimit -n ${limit}; exec "$@"`,
          'sh',
          process.execPath,
          cli,
          'lint',
          '--concurrency',
          '4',
        ],
        folder.path,
      );
    const usual = await lint(1024);
    expect(usual.stdout).toContain('31 files checked');
    for (const limit of [24, 30, 40]) expect(await lint(limit)).toEqual(usual);
  },
);
