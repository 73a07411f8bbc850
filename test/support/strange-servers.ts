import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

export interface StrangeServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Servers that are not PostgreSQL, on a free port of the loopback interface. */
export const strangeServers = {
  http: () => listen(createHttpServer((_request, response) => response.end('hello'))),
  silent: () => listen(createServer()),
  closing: () => listen(createServer((socket) => socket.end())),
  resetting: () => listen(createServer((socket) => socket.resetAndDestroy())),
  /** MySQL and SSH speak first. */
  greeting: () => listen(createServer((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'))),
  /** Answers with a first byte that PostgreSQL could send, and then with nothing that makes sense. */
  garbage: () =>
    listen(
      createServer((socket) =>
        socket.once('data', () => socket.write('Everything is fine, thank you for asking.')),
      ),
    ),
} as const;

export async function listen(server: Server): Promise<StrangeServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server has no TCP port.');
  return {
    port: address.port,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
