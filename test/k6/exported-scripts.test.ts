import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { K6Result } from '../../src/k6/k6-result.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { runNode, type Finished } from '../support/run-process.ts';
import { servePool, type PoolService } from './support/pool-service.ts';
import { cli, realK6 } from './support/real-k6.ts';

async function exported(command: string): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder();
  const { code, stderr } = await runNode(
    [cli, ...command.split(' '), '--export', 'k6', '--output-dir', folder.path],
    folder.path,
  );
  expect([code, stderr]).toEqual([0, '']);
  return folder;
}

async function k6(
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(realK6(), args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** Figures for whoever runs this. */
const tell = (words: string) => void process.stdout.write(`${words}\n`);

const run = ['run', '--quiet', '--no-usage-report'];

async function summaryOf(folder: TemporaryFolder): Promise<K6Result> {
  return JSON.parse(await readFile(join(folder.path, 'k6-summary.json'), 'utf8')) as K6Result;
}

async function report(folder: TemporaryFolder, name = 'k6-summary.json'): Promise<string> {
  const { code, stdout, stderr } = await runNode([cli, 'report', name], folder.path);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.replace(/\s+/g, ' ');
}

async function rampAgainst(service: PoolService, folder: TemporaryFolder, max: number) {
  const { code, stderr } = await k6([...run, '-e', `POOL=${max}`, 'poolguard-k6.js'], folder.path, {
    URL: service.url,
    MAX_VUS: '120',
  });
  const summary = await summaryOf(folder);
  tell(
    `ramp 50, 200, 300/s at max ${max}: ${JSON.stringify({ code, requests: summary.requests, latency: summary.latency, dropped: summary.dropped, errors: summary.errors, peakWaiting: service.peakWaiting() })}`,
  );
  return { code, stderr, summary };
}

test('a ramp tells a pool that is too small from one that keeps up', async () => {
  await using folder = await exported('probe ramp --rates 50,200,300 --sizes 4,8 --seconds 25');
  {
    await using small = await servePool(4);
    const { code, summary, stderr } = await rampAgainst(small, folder, 4);
    // 4 clients do 200/s at most: k6 exits with 99 for the thresholds that were crossed.
    expect([code, summary.pool]).toEqual([99, 4]);
    expect(stderr).toContain('thresholds on metrics');
    expect(summary.dropped).toBeGreaterThan(10);
    expect(small.asked()).toBe(summary.requests);
    expect(await report(folder)).toMatch(
      /Not the load that was asked for\. k6 dropped \d+ iterations, .* all 120 VUs were waiting for answers\..* exits with 99/,
    );
  }
  await using large = await servePool(12);
  const { code, summary } = await rampAgainst(large, folder, 12);
  expect([code, summary.dropped, summary.errors]).toEqual([0, 0, {}]);
  // 50, 200 and 300 a second for 4 s each; a machine that has no time for k6 makes fewer, which the report then says.
  expect(summary.requests).toBeGreaterThan(1900);
  expect(summary.requests).toBeLessThan(2230);
  expect(await report(folder)).toMatch(
    summary.requests > 2156
      ? /Kept up\. The application kept up: 2,[12]\d\d requests were answered, 18\d a second, and none failed\..* where a pool of 12 has 12 clients\./
      : /\d+ planned arrivals never started/,
  );
});

test('users pause, failures are counted by status, and an earlier probe names the rates', async () => {
  await using service = await servePool(10, 20);
  await using users = await exported('probe sweep --stages 2s:20,1s:20,1s:0 --sizes 10 --think 80');
  expect((await k6([...run, 'poolguard-k6.js'], users.path, { URL: service.url })).code).toBe(99);
  const summary = await summaryOf(users);
  tell(
    `users: ${JSON.stringify({ requests: summary.requests, latency: summary.latency, errors: summary.errors })}`,
  );
  // On average 12.5 users for 4 s, each asking about every 102 ms.
  expect(summary.requests).toBeGreaterThan(350);
  expect(summary.requests).toBeLessThan(520);
  expect(Object.keys(summary.errors)).toEqual(['503']);
  expect(await report(users)).toMatch(
    /Requests failed\. \d+ requests failed, [45]\.\d % of those sent: \d+ × 503\./,
  );
  expect(
    (await k6([...run, 'poolguard-k6.js'], users.path, { URL: service.url, LOAD: 'arrivals' }))
      .code,
  ).toBe(99);
  expect((await summaryOf(users)).load).toMatchObject({ form: 'arrivals', thinkMs: null });
});

test('pods share the load: two segments ask as often as one run', async () => {
  await using service = await servePool(12);
  await using folder = await exported('probe --rates 60,120 --seconds 6 --workers 2');
  // What the operator's first pod does, which has none of the variables.
  const archived = await k6(
    ['archive', 'poolguard-k6.js', '-O', 'archive.tar', '--no-color'],
    folder.path,
  );
  expect([archived.code, archived.stderr]).toEqual([0, '']);
  const inspected = await k6(['inspect', '--execution-requirements', 'archive.tar'], folder.path);
  expect(JSON.parse(inspected.stdout)).toMatchObject({ totalDuration: '16s', maxVUs: 1200 });
  const segments = ['0:1/2', '1/2:1'];
  const runs = await Promise.all(
    segments.map((segment) =>
      k6(
        [
          ...run,
          `--execution-segment=${segment}`,
          '--execution-segment-sequence=0,1/2,1',
          '--address',
          '127.0.0.1:0',
          'poolguard-k6.js',
        ],
        folder.path,
        { URL: service.url, POOLS: '2', SUMMARY: 'stdout' },
      ),
    ),
  );
  const summaries = runs.map(({ stdout }) => JSON.parse(stdout) as K6Result);
  tell(
    `segments: ${JSON.stringify(summaries.map(({ segment, requests, dropped }) => ({ segment, requests, dropped })))}`,
  );
  expect(summaries.map(({ segment }) => segment)).toEqual(segments);
  const total = summaries.reduce((sum, { requests }) => sum + requests, 0);
  // (60 + 120) × 2 pools × 3 s.
  expect(total).toBeGreaterThan(1060);
  expect(total).toBeLessThan(1100);
  await folder.write({ 'pod.json': JSON.stringify(summaries[0]) });
  expect(await report(folder, 'pod.json')).toContain(
    'This is the part 0:1/2 of a load that several runs of k6 shared',
  );
});

test('without its secrets a script asks nothing, and an application that is not there is a sentence', async () => {
  await using folder = await exported(
    'probe ramp --rates 20 --sizes 10 --seconds 5 --url http://me:s3cret@127.0.0.1:9/',
  );
  const bare = await k6([...run, 'poolguard-k6.js'], folder.path);
  expect([bare.code, bare.stdout]).toEqual([108, '']);
  expect(bare.stderr).toContain('This script holds no secrets. Set URL in the environment first.');
  const gone = await k6([...run, 'poolguard-k6.js'], folder.path, {
    URL: 'http://me:s3cret@127.0.0.1:9/x?token=s3cret',
  });
  expect(gone.code).toBe(99);
  expect(`${gone.stdout}${JSON.stringify(await summaryOf(folder))}`).not.toContain('s3cret');
  expect((await summaryOf(folder)).errors).toEqual({ ECONNREFUSED: expect.any(Number) as number });
  expect(await report(folder)).toMatch(/No answer\. Not one of [89]\d requests was answered/);
});
