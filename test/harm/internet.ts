import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until, type Internet } from './harm.ts';

/** Sends whatever `fetch` asks other machines for to a server of this one, which answers when told. */
export async function answerRequestsLocally(): Promise<Internet> {
  const waiting: ServerResponse[] = [];
  let isOpen = false;
  const server = createServer((_request, response) => {
    waiting.push(response);
    if (isOpen) response.end('{}');
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const realFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return realFetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
  };
  return {
    received: (count) => until(() => waiting.length >= count),
    answer: () => {
      isOpen = true;
      for (const response of waiting) response.end('{}');
    },
  };
}
