import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface RelayOptions {
  /** Gives clients made-up process ids, as a pooler does. */
  readonly hidesPids?: boolean;
}

/** What a line may do to those who talk over it, connections that are open already included. */
export type LineFault =
  | { readonly kind: 'none' }
  /** Every piece comes this much later, in milliseconds, and up to `jitterMs` more. */
  | {
      readonly kind: 'late';
      readonly delayMs: number;
      readonly jitterMs: number;
      readonly random: () => number;
    }
  | { readonly kind: 'narrow'; readonly bytesPerSecond: number }
  /** Half open: takes everything, passes nothing on, and keeps the sockets. New connections are taken and get no answer. */
  | { readonly kind: 'silent' }
  /** Reads nothing of what clients send, so that their writes fill up. */
  | { readonly kind: 'unread' }
  /** Both sides get a reset, new connections too. */
  | { readonly kind: 'reset' }
  /** The first connection that the server answers with more bytes than these ends there, in the middle of a message; others go on. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The byte of that number which the server sends is another one, once. */
  | { readonly kind: 'corrupt'; readonly atByte: number };

export interface Relay {
  readonly port: number;
  /** How many connections were taken so far. */
  readonly taken: number;
  /** Drops every connection and refuses new ones until `start()`. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;
  /** Passes nothing on any more, not even the end of a connection: to both sides the other one is silent. */
  freeze(): void;
  thaw(): void;
  /** One fault at a time. After one that lost bytes, `none` drops the connections that lost them, as a network does in the end. */
  inflict(fault: LineFault): void;
}

/** Both ends of one connection. */
interface Line {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Whether bytes were swallowed, so that the two will never understand each other again. */
  isBroken: boolean;
}

const healthy: LineFault = { kind: 'none' };

/** Stands between a client and the PostgreSQL on `serverPort`, so that a test can take the server away and give it back, or trouble the line. */
export async function startRelay(
  serverPort: number,
  { hidesPids = false }: RelayOptions = {},
): Promise<Relay> {
  const lines = new Set<Line>();
  const onThaw: (() => void)[] = [];
  let isFrozen = false;
  let fault = healthy;
  let sent = 0;
  let taken = 0;
  const isDeaf = () => isFrozen || fault.kind === 'silent';
  const drop = ({ client, upstream }: Line) => {
    for (const socket of [client, upstream]) socket.destroy();
  };
  /** The bytes to pass on now, after what the fault makes of them; null for none. */
  const trouble = async (line: Line, bytes: Buffer, isAnswer: boolean): Promise<Buffer | null> => {
    switch (fault.kind) {
      case 'silent':
        line.isBroken = true;
        return null;
      case 'late':
        await wait(fault.delayMs + fault.jitterMs * fault.random());
        return bytes;
      case 'narrow':
        await wait((1000 * bytes.length) / fault.bytesPerSecond);
        return bytes;
      case 'cut':
      case 'corrupt':
        return isAnswer ? spoil(line, bytes, fault) : bytes;
      default:
        return bytes;
    }
  };
  const spoil = (
    line: Line,
    bytes: Buffer,
    once: Extract<LineFault, { kind: 'cut' | 'corrupt' }>,
  ): Buffer => {
    const at = (once.kind === 'cut' ? once.afterBytes : once.atByte) - sent;
    sent += bytes.length;
    if (at >= bytes.length) return bytes;
    fault = healthy;
    if (once.kind === 'cut') setImmediate(drop, line);
    else bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at);
    return once.kind === 'cut' ? bytes.subarray(0, at) : bytes;
  };
  const passOn = (line: Line, from: Socket, to: Socket) => {
    let tail: Promise<unknown> = Promise.resolve();
    const isAnswer = from === line.upstream;
    from.on('data', (bytes: Buffer) => {
      if (!isAnswer && fault.kind === 'unread') return from.pause().unshift(bytes);
      if (isAnswer && hidesPids) hidePid(bytes);
      if (fault.kind === 'none') return void (tail = tail.then(() => to.write(bytes)));
      // One piece at a time, so that a slow line holds back whoever writes.
      from.pause();
      tail = tail
        .then(() => trouble(line, bytes, isAnswer))
        .then((left) => {
          if (left !== null && left.length > 0) to.write(left);
          if (!isFrozen && (isAnswer || fault.kind !== 'unread')) from.resume();
        });
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      lines.delete(line);
      const end = () => void tail.then(() => to.destroy());
      if (isDeaf()) onThaw.push(end);
      else end();
    });
  };
  const server = createServer((client) => {
    taken += 1;
    if (fault.kind === 'reset') return void client.resetAndDestroy();
    const line: Line = { client, upstream: connect(serverPort, '127.0.0.1'), isBroken: false };
    lines.add(line);
    passOn(line, client, line.upstream);
    passOn(line, line.upstream, client);
    if (isFrozen) for (const socket of [client, line.upstream]) socket.pause();
  });
  const port = await listenOn(server, 0);
  const release = () => {
    if (isDeaf()) return;
    for (const work of onThaw.splice(0)) work();
    for (const { client, upstream } of lines)
      for (const socket of [client, upstream]) socket.resume();
  };
  return {
    port,
    get taken() {
      return taken;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        [...lines].forEach(drop);
        for (const work of onThaw.splice(0)) work();
      }),
    start: async () => void (await listenOn(server, port)),
    freeze: () => {
      isFrozen = true;
      for (const { client, upstream } of lines)
        for (const socket of [client, upstream]) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      release();
    },
    inflict: (next) => {
      fault = next;
      sent = 0;
      if (fault.kind === 'reset')
        for (const { client, upstream } of lines)
          for (const socket of [client, upstream]) socket.resetAndDestroy();
      if (fault.kind !== 'silent') [...lines].filter(({ isBroken }) => isBroken).forEach(drop);
      release();
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
