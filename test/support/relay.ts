import { connect, createServer, type Server, type Socket } from 'node:net';

export interface RelayOptions {
  /** Gives clients made-up process ids, as a pooler does. */
  readonly hidesPids?: boolean;
}

export interface Relay {
  readonly port: number;
  /** Drops every connection and refuses new ones until `start()`. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;
  /** Passes nothing on any more, not even the end of a connection: to both sides the other one is silent. */
  freeze(): void;
  thaw(): void;
}

/** Stands between a client and the PostgreSQL on `serverPort`, so that a test can take the server away and give it back. */
export async function startRelay(serverPort: number, { hidesPids = false }: RelayOptions = {}): Promise<Relay> {
  const sockets = new Set<Socket>();
  const onThaw: (() => void)[] = [];
  let isFrozen = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    [client, upstream].forEach(track);
    const passOn = (other: Socket) => () => void (isFrozen ? onThaw.push(() => other.destroy()) : other.destroy());
    client.on('close', passOn(upstream));
    upstream.on('close', passOn(client));
    client.on('data', (bytes: Buffer) => upstream.write(bytes));
    upstream.on('data', (bytes: Buffer) => client.write(hidesPids ? hidePid(bytes) : bytes));
    if (isFrozen) for (const socket of [client, upstream]) socket.pause();
  });
  const port = await listenOn(server, 0);
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    start: async () => void (await listenOn(server, port)),
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const work of onThaw.splice(0)) work();
      for (const socket of sockets) socket.resume();
    },
  };
}

/** BackendKeyData is `K`, the length 12, the process id and the key (protocol 3.0). */
function hidePid(bytes: Buffer): Buffer {
  const head = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (head >= 0 && head + 9 <= bytes.length) bytes.writeInt32BE(2_000_000_000, head + 5);
  return bytes;
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('The relay has no TCP port.'));
    });
  });
}
