import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { autocannonTool } from '../../../../src/sweep/load/autocannon-tool.ts';
import type { HttpLoad, LoadOrder } from '../../../../src/sweep/load/load-tool.ts';
import { loadBy } from '../../../support/load-by.ts';

interface Service extends AsyncDisposable {
  readonly url: string;
  /** Moments at which requests came, in milliseconds since the first. */
  readonly moments: readonly number[];
  readonly connections: () => number;
}

async function serve(answer: RequestListener): Promise<Service> {
  const moments: number[] = [];
  const sockets = new Set<unknown>();
  const server = createServer((request, response) => {
    moments.push(performance.now());
    answer(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/users`,
    moments,
    connections: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function load(url: string, change: Partial<LoadOrder> = {}): Promise<HttpLoad> {
  return loadBy(autocannonTool, 0.6, url, change);
}

test('users pause between requests and leave no connection', async () => {
  await using service = await serve(
    (_request, response) => void setTimeout(() => response.end('ok'), 25),
  );
  const { requests, latency, errors, generator, seconds } = await load(service.url);
  // 4 users, each at most once in 75 ms for 600 ms.
  expect(requests).toBeGreaterThan(15);
  expect(requests).toBeLessThanOrEqual(32);
  expect(latency?.averageMs).toBeGreaterThan(20);
  expect(latency?.averageMs).toBeLessThan(75);
  expect([errors, generator.dropped]).toEqual([{}, 0]);
  expect(seconds).toBeGreaterThanOrEqual(0.6);
  await expect.poll(service.connections).toBe(0);
});

test('the number of users follows the stages', async () => {
  let [busy, most] = [0, 0];
  await using service = await serve((_request, response) => {
    busy += 1;
    most = Math.max(most, busy);
    setTimeout(() => {
      busy -= 1;
      response.end('ok');
    }, 30);
  });
  await load(service.url, { thinkMs: 0, stages: [{ seconds: 0.8, users: 8 }] });
  const first = service.moments[0] ?? 0;
  const between = (from: number, to: number) =>
    service.moments.filter((ms) => ms - first >= from && ms - first < to).length;
  expect(most).toBeGreaterThanOrEqual(6);
  expect(most).toBeLessThanOrEqual(8);
  expect(between(0, 200) * 2).toBeLessThan(between(500, 700));
});

test('wrong answers, broken connections and half answers are counted by cause, and the next ones are understood', async () => {
  const answers: readonly RequestListener[] = [
    (_request, response) => response.writeHead(500).end('no'),
    (_request, response) => response.writeHead(404).end('no'),
    (request) => request.socket.destroy(),
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 5);
    },
    (_request, response) => response.writeHead(200, { connection: 'close' }).end('good'),
    (_request, response) => response.writeHead(302, { location: '/' }).end(),
  ];
  let count = 0;
  await using service = await serve(
    (request, response) => void answers[count++ % answers.length]?.(request, response),
  );
  const { requests, errors } = await load(service.url, {
    thinkMs: 10,
    stages: [
      { seconds: 0, users: 1 },
      { seconds: 1.2, users: 1 },
    ],
  });
  expect(requests).toBeGreaterThanOrEqual(4);
  expect(Object.keys(errors).sort()).toEqual(['404', '500', 'closed']);
  expect(errors['closed']).toBeGreaterThanOrEqual(errors['500'] ?? 0);
});

test('an application that is gone is not asked in a tight loop', async () => {
  const service = await serve((_request, response) => void response.end());
  await service[Symbol.asyncDispose]();
  const { requests, errors } = await load(service.url);
  expect(requests).toBe(0);
  expect(Object.keys(errors)).toEqual(['ECONNREFUSED']);
  expect(errors['ECONNREFUSED']).toBeLessThanOrEqual(32);
});

test('a cancel ends at once, whatever is under way', async () => {
  await using service = await serve(() => undefined);
  const stopper = new AbortController();
  const begun = performance.now();
  setTimeout(() => stopper.abort(), 100);
  const { requests, errors } = await load(service.url, {
    signal: stopper.signal,
    stages: [{ seconds: 60, users: 200 }],
  });
  expect([requests, errors]).toEqual([0, {}]);
  expect(performance.now() - begun).toBeLessThan(1000);
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
  await load(service.url, {
    request: {
      url: service.url,
      method: 'POST',
      headers: { authorization: 'Bearer abc' },
      body: '{"name":"[<id>]"}',
    },
  });
  expect(new Set(seen)).toEqual(new Set(['POST Bearer abc {"name":"[<id>]"}']));
});
