import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../../../scripts/embedded-server.ts';
import { systemClock } from '../../../src/probe/clock.ts';
import { listen } from '../../../src/running/listener.ts';
import { conductSweep } from '../../../src/sweep/conduct-sweep.ts';
import { createUndiciTool } from '../../../src/sweep/load/undici-tool.ts';
import type { SweepEvent, SweepRequest } from '../../../src/sweep/sweep-request.ts';
import { isAtWork } from '../../support/is-running.ts';

const root = join(import.meta.dirname, '../../..');
const start = `"${process.execPath}" "${join(root, 'test/fixtures/sweep-app.mjs')}"`;

interface Setting {
  readonly mode: string;
  readonly change?: Partial<SweepRequest>;
  readonly port?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: SweepEvent, url: string) => void;
}

async function sweep({
  mode,
  change = {},
  port,
  signal = new AbortController().signal,
  onEvent,
}: Setting): Promise<{ readonly last: SweepEvent; readonly url: string }> {
  const at = port ?? (await findFreePort());
  const url = `http://127.0.0.1:${at}/`;
  const request: SweepRequest = {
    command: start,
    folder: root,
    variable: 'POOL_MAX',
    sizes: [5],
    http: { url, method: 'GET', headers: {}, body: null },
    readyUrl: null,
    readyTimeoutMs: 80_000,
    stopTimeoutMs: 300,
    stages: [
      { seconds: 0, users: 5 },
      { seconds: 0.7, users: 5 },
    ],
    thinkMs: 10,
    passes: 1,
    workers: 1,
    instances: 1,
    deployOverlap: 0,
    database: null,
    databaseHint: null,
    allowProduction: false,
    dryRun: false,
    ...change,
  };
  const last = await conductSweep(request, {
    emit: (event) => onEvent?.(event, url),
    confirm: () => Promise.resolve(true),
    signal,
    clock: systemClock,
    random: () => 0.5,
    tool: createUndiciTool(),
    environment: { PATH: process.env['PATH'], MODE: mode, PORT: String(at) },
    keeperPath: join(root, 'dist/app-keeper.cjs'),
    listen: (events) => listen({ ...events, registerPath: join(root, 'dist/pool-watch.cjs') }),
    startedAt: '2026-01-02T03:04:05.000Z',
  });
  return { last, url };
}

async function expectSilence(url: string): Promise<void> {
  await expect(fetch(url)).rejects.toThrow();
}

async function pidsAt(url: string): Promise<readonly number[]> {
  return (await (await fetch(url)).json()) as readonly number[];
}

test.concurrent.each([
  [
    'broken',
    {},
    /^The application ended before it answered \(exit code 3\)\. Its last lines:\n {2}cannot reach postgres:\/\/app:\[hidden\]@db\/shop$/,
  ],
  ['mute', {}, /^The application ended before it answered \(exit code 4\)\. It printed nothing\.$/],
  [
    'silent',
    { readyTimeoutMs: 400 },
    /^The application did not respond to http:\S+ within 0\.4 s \(ECONNREFUSED\)\. .*It printed nothing\.$/,
  ],
  [
    'failing',
    {},
    /^The application responds to GET http:\S+ with 500, so there is nothing to measure\. Fix that first;/,
  ],
  [
    'mortal',
    {},
    /^The application ended while it was under load with a pool of 5 \(exit code 1\)\. Its last lines:\n {2}out of memory$/,
  ],
] as const)('%s: said with the reason, and nothing is left', async (mode, change, sentence) => {
  const { last, url } = await sweep({ mode, change });
  expect(last).toEqual({ kind: 'failed', sentence: expect.stringMatching(sentence) as string });
  await expectSilence(url);
});

test.concurrent(
  'one that prints megabytes, has children and ignores SIGTERM is measured, killed and told of',
  async () => {
    let asked: Promise<readonly number[]> | undefined;
    const { last, url } = await sweep({
      mode: 'deaf,loud,parent',
      onEvent: (event, at) => {
        if (event.kind === 'progress' && event.load !== null) asked ??= pidsAt(at);
      },
    });
    if (last.kind !== 'result') throw new Error(JSON.stringify(last));
    expect(
      last.result.rows.map(({ max, requests, errors }) => [max, requests > 0, errors]),
    ).toEqual([[5, true, {}]]);
    expect(last.result.verdict.kind).toBe('one-size');
    expect(last.result.notes).toContainEqual(
      expect.stringMatching(
        /^The application did not end within 0\.3 s of SIGTERM, so it was killed\./,
      ),
    );
    await expectSilence(url);
    expect((await asked)?.filter(isAtWork)).toEqual([]);
  },
);

test.concurrent('a port that is taken is said before anything is started', async () => {
  const server = createServer((_request, response) => response.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { last } = await sweep({ mode: '', port });
  expect(last).toEqual({
    kind: 'failed',
    sentence: expect.stringMatching(
      `^Another program already listens on 127\\.0\\.0\\.1:${port}\\.`,
    ) as string,
  });
  server.closeAllConnections();
  server.close();
});

test.concurrent('another machine is not loaded', async () => {
  const { last } = await sweep({
    mode: '',
    change: { http: { url: 'http://192.0.2.1/', method: 'GET', headers: {}, body: null } },
  });
  expect(last).toEqual({
    kind: 'failed',
    sentence: expect.stringContaining('192.0.2.1 is another machine.') as string,
  });
});

test.concurrent('a cancel under load ends everything', async () => {
  const stopper = new AbortController();
  let asked: Promise<readonly number[]> | undefined;
  const { last, url } = await sweep({
    mode: 'deaf,parent',
    signal: stopper.signal,
    change: { stages: [{ seconds: 600, users: 20 }] },
    onEvent: (event, at) => {
      if (event.kind !== 'progress' || event.load === null) return;
      asked ??= pidsAt(at).then((pids) => {
        stopper.abort();
        return pids;
      });
    },
  });
  expect(last).toEqual({ kind: 'cancelled' });
  await expectSilence(url);
  expect((await asked)?.filter(isAtWork)).toEqual([]);
});

test.concurrent('a sweep that is killed leaves no application', async ({ expect }) => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const child = spawn(
    process.execPath,
    [join(root, 'dist/cli.js'), 'sweep', '--start', start, '--sizes', '5', '--url', url, '--yes'],
    {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], MODE: 'deaf,parent', PORT: String(port) },
    },
  );
  const pids = await expect
    .poll(() => pidsAt(url).catch(() => null))
    .not.toBeNull()
    .then(() => pidsAt(url));
  child.kill('SIGKILL');
  await expect.poll(() => pids.filter(isAtWork)).toEqual([]);
  await expectSilence(url);
});
