import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../../../../src/probe/clock.ts';
import { usersAt } from '../../../../src/probe/users/users-at.ts';
import { createUndiciTool } from '../../../../src/sweep/load/undici-tool.ts';
import type { HttpLoad, LoadOrder } from '../../../../src/sweep/load/load-tool.ts';
import { loadBy } from '../../../support/load-by.ts';

interface Service extends AsyncDisposable {
  readonly url: string;
  /** Requests so far. */
  readonly count: () => number;
  /** Resolves when so many requests have come. */
  readonly counted: (count: number) => Promise<void>;
  readonly connections: () => number;
}

async function serve(answer: RequestListener): Promise<Service> {
  const arrivals = new EventEmitter();
  const sockets = new Set<unknown>();
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    answer(request, response);
    arrivals.emit('request');
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/users`,
    count: () => count,
    counted: async (wanted) => {
      while (count < wanted) await once(arrivals, 'request');
    },
    connections: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A load by so many users that is ended when so many requests have come. */
async function loadUntil(
  service: Service,
  count: number,
  users: number,
  change: Partial<LoadOrder> = {},
): Promise<HttpLoad> {
  const stopper = new AbortController();
  void service.counted(count).then(() => stopper.abort());
  return loadBy(createUndiciTool(), 0, service.url, {
    stages: [
      { seconds: 0, users },
      { seconds: 600, users },
    ],
    signal: stopper.signal,
    ...change,
  });
}

test('users pause between requests and leave no connection', async () => {
  const answeredAt = new WeakMap<object, number>();
  const pauses: number[] = [];
  let [busy, most] = [0, 0];
  await using service = await serve(({ socket }, response) => {
    const last = answeredAt.get(socket);
    if (last !== undefined) pauses.push(performance.now() - last);
    most = Math.max(most, (busy += 1));
    setImmediate(() => {
      busy -= 1;
      answeredAt.set(socket, performance.now());
      response.end('ok');
    });
  });
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on('warning', warn);
  const load = await loadUntil(service, 60, 12, { thinkMs: 50 });
  const { requests, latency, errors, generator } = load;
  process.off('warning', warn);
  expect(warnings).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(48);
  expect(latency?.count).toBe(requests);
  expect(most).toBeLessThanOrEqual(12);
  // A timer may be early by a millisecond, and is never early by more.
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(49);
  expect([errors, generator.dropped]).toEqual([{}, 0]);
  await expect.poll(service.connections).toBe(0);
});

test('the number of users follows the stages', async () => {
  let now = 0;
  let looks = 0;
  const wait: Clock['wait'] = (_ms, signal) => {
    looks += 1;
    return systemClock.wait(1, signal);
  };
  const waiting = new Set<ServerResponse>();
  await using service = await serve(
    (_request, response) => void (now < 10_000 ? waiting.add(response) : response.end('ok')),
  );
  const stages = [{ seconds: 10, users: 8 }];
  const loading = loadBy(createUndiciTool({ now: () => now, wait }), 0, service.url, {
    thinkMs: 0,
    stages,
  });
  await expect.poll(() => looks).toBeGreaterThan(0);
  for (const atMs of [2000, 5000, 9999]) {
    now = atMs;
    await expect.poll(() => waiting.size).toBe(usersAt(stages, atMs));
  }
  now = 10_000;
  for (const response of waiting) response.end('ok');
  const { requests, errors } = await loading;
  expect([requests, errors]).toEqual([service.count(), {}]);
});

test('wrong answers, broken connections and half answers are counted by cause, and the next ones are understood', async () => {
  const answers: readonly RequestListener[] = [
    (_request, response) => response.writeHead(500).end('no'),
    (_request, response) => response.writeHead(404).end('no'),
    (request) => request.socket.destroy(),
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    },
    (_request, response) => response.writeHead(200, { connection: 'close' }).end('good'),
    (_request, response) => response.writeHead(302, { location: '/' }).end(),
  ];
  let count = 0;
  await using service = await serve(
    (request, response) => void answers[count++ % answers.length]?.(request, response),
  );
  const { requests, errors } = await loadUntil(service, 13, 1, { thinkMs: 10 });
  expect({ requests, errors }).toEqual({ requests: 4, errors: { 404: 2, 500: 2, closed: 4 } });
});

test('an application that is gone is told by its cause', async () => {
  const service = await serve((_request, response) => void response.end());
  await service[Symbol.asyncDispose]();
  const { requests, errors } = await loadBy(createUndiciTool(), 0.3, service.url);
  expect([requests, Object.keys(errors)]).toEqual([0, ['ECONNREFUSED']]);
});

test('an application that is silent for too long is given up', async () => {
  await using service = await serve((request, response) => {
    if (request.url === '/half') response.writeHead(200).write('half');
  });
  const tool = createUndiciTool(systemClock, 300);
  for (const path of ['/silent', '/half']) {
    const { requests, errors } = await loadBy(tool, 0.5, new URL(path, service.url).href);
    expect([requests, Object.keys(errors)]).toEqual([0, ['timeout']]);
  }
});

test('a request that HTTP does not allow is refused with the reason, and nobody is asked', async () => {
  await using service = await serve((_request, response) => void response.end());
  const request = {
    url: service.url,
    method: 'GET',
    headers: { 'transfer-encoding': 'gzip' },
    body: null,
  };
  await expect(loadBy(createUndiciTool(), 5, service.url, { request })).rejects.toThrow(
    'undici rejected this request: invalid transfer-encoding header.',
  );
  expect(service.count()).toBe(0);
});

test('a cancel ends it, whatever is under way', async () => {
  await using service = await serve(() => undefined);
  const { requests, errors } = await loadUntil(service, 1, 200);
  expect([requests, errors]).toEqual([0, {}]);
  await expect.poll(service.connections).toBe(0);
});

test('method, headers and body are sent as they were given', async () => {
  const seen: string[] = [];
  await using service = await serve((request, response) => {
    void text(request).then((body) => {
      seen.push(`${request.method} ${request.headers['authorization']} ${body}`);
      response.writeHead(201).end();
    });
  });
  await loadUntil(service, 2, 1, {
    request: {
      url: service.url,
      method: 'POST',
      headers: { authorization: 'Bearer abc' },
      body: '{"name":"[<id>]"}',
    },
  });
  expect(new Set(seen)).toEqual(new Set(['POST Bearer abc {"name":"[<id>]"}']));
});
