import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Plays the payment provider and the carrier on the loopback interface: right answers, in the time that a real one takes. */
export async function startStandIn(delayMs: number): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      const id = randomUUID();
      response.writeHead(200, { 'content-type': 'application/json', 'x-tracking': id });
      response.end(JSON.stringify({ id, status: 'ok' }));
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server };
}
