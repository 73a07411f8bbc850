import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/embedded-server.ts';
import { applicationSessionsSql } from '../../src/database/sql/application-sessions.sql.ts';
import { readResult } from '../../src/probe/saved/read-result.ts';
import type { SweepResult } from '../../src/sweep/sweep-result.ts';
import { runInProcess } from '../support/cli-run.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { row } from '../support/lying-server.ts';
import { startLyingRelay } from '../support/lying-relay.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const start = `"${process.execPath}" dist/examples/healthy-api.js`;
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

interface Swept {
  readonly code: number | null;
  readonly file: string;
  readonly stderr: string;
}

async function sweep(args: readonly string[]): Promise<Swept & { readonly result: SweepResult }> {
  const swept = await runSweep(args);
  const read = readResult(swept.file, 'sweep.json');
  if (read.kind === 'refused' || read.result.experiment !== 'sweep')
    throw new Error(`No result. ${swept.stderr}`);
  return { ...swept, result: read.result };
}

/** A sweep of examples/healthy-api by the built program, as a user would run it. */
async function runSweep(args: readonly string[]): Promise<Swept> {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, 'sweep.json');
  const port = await findFreePort();
  const all = [
    'sweep',
    '--start',
    start,
    '--url',
    `http://127.0.0.1:${port}/users`,
    '--header',
    'authorization: Bearer Tr0ub4dor',
    '--yes',
    '--output',
    path,
    ...args,
  ];
  const child = spawn(process.execPath, [join(root, 'dist/cli.js'), ...all], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder.path,
      DATABASE_URL: database.url,
      PORT: String(port),
    },
  });
  const [stderr, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const file = await readFile(path, 'utf8').catch(() => '');
  return { code, file, stderr };
}

test('a larger pool has the shorter queue, and the verdict says what the limit is', async () => {
  const { code, result, file, stderr } = await sweep([
    '--sizes',
    '40,2',
    '--stages',
    '500ms:150,2s:150',
    '--think',
    '100',
    '--passes',
    '1',
  ]);
  const [small, large] = result.rows;
  // Which of these it is depends on the machine; the last two name no size.
  expect([
    ['found', 0],
    ['no-difference', 0],
    ['app-bound', 0],
    ['host-bound', 1],
    ['not-saturated', 1],
  ]).toContainEqual([result.verdict.kind, code]);
  expect(
    result.rows.map(({ max, seenMax, peakTotal }) => [
      max,
      seenMax,
      peakTotal !== null && peakTotal <= max,
    ]),
  ).toEqual([
    [2, 2, true],
    [40, 40, true],
  ]);
  expect(small?.peakWaiting).toBeGreaterThan(large?.peakWaiting ?? Infinity);
  // Callers of the larger pool wait for its new connections as well, so that their time says nothing of the queue.
  expect(small?.waitMs).toBeGreaterThan(0);
  expect(small?.requests).toBeGreaterThan(100);
  expect([small?.errors, large?.errors]).toEqual([{}, {}]);
  expect(large?.peakSessions).toBeGreaterThan(2);
  expect(result.limits[0]?.name).toBe('max_connections');
  expect(stderr).toMatch(/max (?:2|40): under load, \d+ users, \d+ requests, \d+ waiting/);
  expect(file + stderr).not.toContain('Tr0ub4dor');
  await using folder = await createTemporaryFolder({ 'sweep.json': file });
  expect((await runInProcess(['report', join(folder.path, 'sweep.json')])).stdout).toMatch(
    /max +requests +average +p95 +peak queue +gain/,
  );
  expect(await watch.sessions()).toEqual([]);
});

test.concurrent('a server that begins to lie under load ends it with a sentence', async () => {
  const url = new URL(database.ownerUrl);
  const relay = await startLyingRelay(Number(url.port), ({ type, bytes, asked }) =>
    type === 'Z' && asked === applicationSessionsSql
      ? Buffer.concat([bytes, row(['1'])])
      : undefined,
  );
  url.port = String(relay.port);
  const { code, file, stderr } = await runSweep([
    ...['--sizes', '2,3', '--users', '5', '--seconds', '2', '--passes', '1'],
    ...['--database', url.href],
  ]);
  await relay.stop();
  expect([code, file]).toEqual([2, '']);
  expect(stderr).toContain('under load');
  expect(stderr).toContain(
    `The server at 127.0.0.1:${relay.port} sent DataRow without being asked, so the connection was closed.`,
  );
});

test.concurrent('a variable that the application does not read is said', async () => {
  const { code, result } = await sweep([
    '--env',
    'POOL_SIZE',
    '--sizes',
    '3,4',
    '--users',
    '5',
    '--seconds',
    '0.7',
    '--passes',
    '1',
  ]);
  expect([code, result.verdict.kind]).toEqual([1, 'not-read']);
  expect(result.verdict.because).toContain(
    'started with POOL_SIZE = 3, 4, but its pool kept max 10',
  );
});

test.concurrent('--live changes the pool of the running application, up and down', async () => {
  const { result } = await sweep([
    '--live',
    '--sizes',
    '2,8',
    '--users',
    '40',
    '--think',
    '0',
    '--seconds',
    '0.7',
  ]);
  expect(
    result.rows.map(({ max, seenMax, peakTotal, passes }) => [
      max,
      seenMax,
      peakTotal,
      passes.length,
    ]),
  ).toEqual([
    [2, 2, 2, 2],
    [8, 8, 8, 2],
  ]);
});
