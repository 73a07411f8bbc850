import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createK6Tool } from '../../src/sweep/load/k6-tool.ts';
import type { HttpLoad, LoadOrder, LoadProgress } from '../../src/sweep/load/load-tool.ts';
import { isRunning } from '../support/is-running.ts';
import { loadBy } from '../support/load-by.ts';
import { servePool } from './support/pool-service.ts';
import { pathWithK6 } from './support/real-k6.ts';

// What is in the environment of whoever starts a sweep must not change its load.
const tool = createK6Tool({
  ...process.env,
  PATH: pathWithK6(),
  K6_VUS: '77',
  K6_DURATION: '1s',
  LOAD: 'arrivals',
});

function load(url: string, change: Partial<LoadOrder> = {}): Promise<HttpLoad> {
  return loadBy(tool, 1.5, url, change);
}

async function serve(
  answer: RequestListener,
): Promise<
  AsyncDisposable & { readonly url: string; readonly connections: () => Promise<number> }
> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/users`,
    connections: () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('k6 is found and can run', async () => {
  expect(await tool.check()).toBeNull();
});

test('users ask as they do with undici, and progress is told', async () => {
  await using service = await servePool(4);
  const told: LoadProgress[] = [];
  const { requests, latency, errors, generator, seconds } = await load(service.url, {
    onProgress: (progress) => told.push(progress),
  });
  process.stdout.write(`tool: ${JSON.stringify({ requests, latency, generator, seconds })}\n`);
  // 4 users, each once in about 72 ms for 1.5 s.
  expect(requests).toBeGreaterThan(60);
  expect(requests).toBeLessThanOrEqual(88);
  expect(service.asked()).toBe(requests);
  expect(latency?.averageMs).toBeGreaterThan(19);
  expect(latency?.p95Ms).toBeNull();
  expect([errors, generator.dropped]).toEqual([{}, 0]);
  expect(generator.busy).toBeGreaterThan(0);
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect(told[0]).toMatchObject({ users: 4, requests: null });
});

test('method, headers and body arrive, and wrong answers are counted by cause', async () => {
  const seen = new Set<string>();
  const answers: readonly RequestListener[] = [
    (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    (_request, response) => response.writeHead(418).end(),
    (_request, response) => response.writeHead(500).end(),
    (request) => request.socket.destroy(),
  ];
  let count = 0;
  await using service = await serve((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      seen.add(`${request.method} ${request.url} ${request.headers['authorization']} ${body}`);
      void answers[count++ % answers.length]?.(request, response);
    })();
  });
  const { requests, errors } = await load(service.url, {
    thinkMs: 10,
    stages: [
      { seconds: 0, users: 1 },
      { seconds: 1, users: 1 },
    ],
    request: {
      url: service.url,
      method: 'POST',
      headers: { authorization: 'Bearer abc' },
      body: '{"a":1}',
    },
  });
  expect([...seen]).toEqual(['POST /users Bearer abc {"a":1}']);
  expect(requests).toBeGreaterThanOrEqual(5);
  expect(Object.keys(errors).sort()).toEqual(['500', 'closed', 'other']);
});

test('what never answers is no good service', async () => {
  await using service = await serve(() => undefined);
  const { requests, latency, errors } = await load(service.url, {
    stages: [
      { seconds: 0, users: 3 },
      { seconds: 0.5, users: 3 },
    ],
  });
  expect([requests, latency, errors]).toEqual([0, null, { unanswered: 3 }]);
});

test('a cancel ends it at once with what was measured', async () => {
  await using service = await serve(
    (_request, response) => void setTimeout(() => response.end('ok'), 20),
  );
  const stopper = new AbortController();
  setTimeout(() => stopper.abort(), 1500);
  const begun = performance.now();
  const { requests, errors } = await load(service.url, {
    signal: stopper.signal,
    stages: [
      { seconds: 0, users: 5 },
      { seconds: 60, users: 5 },
    ],
  });
  expect(performance.now() - begun).toBeLessThan(5000);
  expect(requests).toBeGreaterThan(20);
  expect(errors).toEqual({});
  await expect.poll(service.connections).toBe(0);
});

test('whoever kills the sweep ends its k6 too', async () => {
  await using service = await serve(
    (_request, response) => void setTimeout(() => response.end('ok'), 20),
  );
  const program = `import { createK6Tool } from ${JSON.stringify(join(import.meta.dirname, '../../src/sweep/load/k6-tool.ts'))};
    await createK6Tool(process.env).run({ request: { url: ${JSON.stringify(service.url)}, method: 'GET', headers: {}, body: null }, stages: [{ seconds: 0, users: 3 }, { seconds: 60, users: 3 }], thinkMs: 10, signal: new AbortController().signal, onProgress: () => undefined });`;
  const sweep = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PATH: pathWithK6() },
    stdio: 'ignore',
  });
  await expect.poll(service.connections).toBeGreaterThan(0);
  sweep.kill('SIGKILL');
  await once(sweep, 'exit');
  await expect.poll(service.connections).toBe(0);
  expect(isRunning(sweep.pid ?? 0)).toBe(false);
});
