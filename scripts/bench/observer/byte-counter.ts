import { connect, createServer } from 'node:net';
import { once } from 'node:events';

export interface ByteCounter {
  readonly port: number;
  /** That the server has sent so far. */
  readonly bytes: () => number;
  readonly stop: () => void;
}

/** Stands between a client and the server on that port of this machine, and counts what the server sends. */
export async function startByteCounter(serverPort: number): Promise<ByteCounter> {
  let bytes = 0;
  const relay = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1');
    server.on('data', (chunk: Buffer) => (bytes += chunk.length));
    client.pipe(server).pipe(client);
    for (const socket of [client, server])
      socket.on('error', () => [client, server].forEach((each) => each.destroy()));
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const address = relay.address();
  if (address === null || typeof address === 'string')
    throw new Error('The relay has no TCP port.');
  return { port: address.port, bytes: () => bytes, stop: () => void relay.close() };
}
