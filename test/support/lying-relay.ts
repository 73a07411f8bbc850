import { connect, createServer, type Socket } from 'node:net';
import { listen, type StrangeServer } from './strange-servers.ts';

/** A message of a real server on its way to the client. */
export interface Said {
  /** The letter of its type; of an authentication request with its code behind it, as in `R10`. */
  readonly type: string;
  /** The message with its type and its length. */
  readonly bytes: Buffer;
  /** How many messages of this type the server has said on this connection before. */
  readonly nth: number;
  /** How many times it was ready on this connection. */
  readonly ready: number;
  /** The rows of this answer were described. */
  readonly isDescribed: boolean;
  /** Which connection this is, by the order in which they were made. */
  readonly connection: number;
  /** The last statement that was sent on this connection. */
  readonly asked: string;
}

/** What is said instead; undefined for what the server said. */
export type Lie = (said: Said) => Buffer | undefined;

export interface LyingRelay extends StrangeServer {
  /** How many messages were lies. */
  readonly lies: () => number;
  /** Connections that the client still has open. */
  readonly open: () => number;
}

/** Stands between a client and a real server, and tells lies. */
export async function startLyingRelay(serverPort: number, lie: Lie): Promise<LyingRelay> {
  let lies = 0;
  let connections = 0;
  const open = new Set<Socket>();
  const relay = await listen(
    createServer((client) => {
      const server = connect(serverPort, '127.0.0.1');
      const listening = { asked: '' };
      const translate = translator(listening, connections++, lie, () => lies++);
      open.add(client);
      client.on('data', (bytes: Buffer) => {
        listening.asked = statementIn(bytes) ?? listening.asked;
        server.write(bytes);
      });
      server.on('data', (bytes: Buffer) => {
        const said = translate(bytes);
        if (said.length > 0) client.write(said);
      });
      const end = () => {
        open.delete(client);
        for (const socket of [client, server]) socket.destroy();
      };
      for (const socket of [client, server]) {
        socket.on('error', end);
        socket.on('close', end);
      }
    }),
  );
  return { ...relay, lies: () => lies, open: () => open.size };
}

/** The last statement of a packet of the client. */
function statementIn(bytes: Buffer): string | undefined {
  let found: string | undefined;
  for (let at = 0; at + 5 <= bytes.length; at += 1 + Math.max(4, bytes.readUInt32BE(at + 1))) {
    const type = String.fromCharCode(bytes[at] ?? 0);
    const [first = '', second = ''] = bytes.toString('utf8', at + 5).split('\0', 2);
    if (type === 'Q') found = first;
    if (type === 'P') found = second;
  }
  return found;
}

function translator(
  listening: { readonly asked: string },
  connection: number,
  lie: Lie,
  onLie: () => void,
): (bytes: Buffer) => Buffer {
  const counts = new Map<string, number>();
  let isDescribed = false;
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const said: Buffer[] = [];
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
      rest = rest.subarray(message.length);
      const letter = String.fromCharCode(message[0] ?? 0);
      const type = letter === 'R' ? `R${message.readUInt32BE(5)}` : letter;
      if (type === 'T' || type === '2') isDescribed = type === 'T';
      const nth = counts.get(type) ?? 0;
      const instead = lie({
        type,
        bytes: message,
        nth,
        ready: counts.get('Z') ?? 0,
        isDescribed,
        connection,
        asked: listening.asked,
      });
      counts.set(type, nth + 1);
      if (instead !== undefined) onLie();
      said.push(instead ?? message);
    }
    return Buffer.concat(said);
  };
}
