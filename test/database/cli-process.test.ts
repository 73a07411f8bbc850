import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SizeResult } from '../../src/probe/result.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const cli = join(root, 'dist', 'cli.js');
let database: FreshDatabase;
let watch: DatabaseWatch;

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
});

afterAll(async () => {
  await watch.close();
  await database.drop();
});

function environment(change: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], DATABASE_URL: database.ownerUrl, ...change };
}

function run(args: readonly string[], change: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(cli, args, {
    encoding: 'utf8',
    env: environment(change),
  });
  return { status, stdout, stderr };
}

test('the built program prints activity without colours into a pipe, and leaves no session', async () => {
  const { status, stdout, stderr } = run(['activity']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/connections used/);
  expect(stdout).not.toContain('\u001B');
  expect(await watch.sessions()).toEqual([]);
});

test.each([
  [['activity'], { DATABASE_URL: '' }, 'No database named: set DATABASE_URL'],
  [
    ['activity', 'postgres://app:Tr0ub4dor@127.0.0.1:1/shop'],
    {},
    'Connection refused: nothing listens on 127.0.0.1:1.',
  ],
  [['--frobnicate'], {}, "Unknown option '--frobnicate'."],
])('%j answers 2 and one sentence', (args, env, sentence) => {
  const { status, stdout, stderr } = run(args, env);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr.startsWith(sentence)).toBe(true);
  expect(stderr).not.toContain('Tr0ub4dor');
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '--watch ends by %s with code 0 and leaves no session',
  async (signal) => {
    const child = spawn(cli, ['activity', '--watch'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await watch.until(`application_name = 'poolguard'`);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await watch.sessions()).toEqual([]);
  },
);

test('a killed --watch leaves no session', async () => {
  const child = spawn(cli, ['activity', '--watch'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await watch.until(`application_name = 'poolguard'`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await watch.sessions()).toEqual([]);
});

test('a reader that closes the pipe early is no failure', async () => {
  const child = spawn(cli, ['activity', '--watch', '0.5'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await watch.sessions()).toEqual([]);
});

test('the built program finds its measuring process', () => {
  const { status, stdout, stderr } = run(['probe', '--dry-run', '--max', '4']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('Pool sizes: 1, 2, 3, 4 ');
});

test('probe ends by SIGINT with code 130 and leaves no session', async () => {
  const child = spawn(cli, ['probe', '--yes', '--sql', 'SELECT pg_sleep(0.1)', '--max', '4'], {
    env: environment(),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  await watch.until(`application_name LIKE 'poolguard-probe/%'`);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(await watch.sessions()).toEqual([]);
});

test('a probe that measures ends by SIGINT with what is known, and leaves no session', async () => {
  const child = spawn(
    cli,
    ['probe', '--yes', '--sql', 'SELECT pg_sleep(0.002)', '--max', '4', '--json'],
    { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => {
    const isReached = err.includes('round 3');
    err += data.toString();
    if (!isReached && err.includes('round 3')) child.kill('SIGINT');
  });
  const [code] = (await once(child, 'close')) as [number];
  expect(err).toContain('Ending with what is known. Press Ctrl-C again to cancel.');
  const result = JSON.parse(out) as SizeResult;
  expect(code).toBe(result.verdict.kind === 'too-noisy' ? 1 : 0);
  expect(result).toMatchObject({
    partial: 'The probe was ended early, on request.',
    validation: null,
    sizes: [1, 2, 3, 4].map((size) => ({ size })),
  });
  expect(await watch.sessions()).toEqual([]);
});

test('spike says what it does to time a statement, and nothing of pool sizes', () => {
  const { status, stdout, stderr } = run([
    'probe',
    'spike',
    '--rate',
    '200',
    '--sql',
    'SELECT 1',
    '--yes',
  ]);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringContaining('The hold time of ') as unknown,
  });
  expect(stderr).toMatch(
    /^Statement: SELECT 1\n- Run the statement on one client, one run after the other, for 2 s\nOpens up to 2 connections, of \d+ that were free, for about \d s\./m,
  );
  expect(stderr).toMatch(/ \d+ % .* timing the statement\n/);
  expect(stderr).not.toMatch(/pool|users/i);
});
