import { connect, createServer, type Socket } from 'node:net';
import { listen, type StrangeServer } from './strange-servers.ts';

/** What a client sent, and what the server answered before the client sent something else. */
export interface Exchange {
  readonly sent: Buffer;
  readonly answer: Buffer;
}

/** Everything that is said over the first connection to a server while something runs. */
export async function recordConversation(
  serverPort: number,
  run: (port: number) => Promise<unknown>,
): Promise<readonly Exchange[]> {
  const exchanges: { sent: Buffer; answer: Buffer }[] = [];
  let isFirst = true;
  const relay = await listen(
    createServer((client) => {
      const server = connect(serverPort, '127.0.0.1');
      const isRecorded = isFirst;
      isFirst = false;
      client.on('data', (bytes: Buffer) => {
        if (isRecorded) exchanges.push({ sent: bytes, answer: Buffer.alloc(0) });
        server.write(bytes);
      });
      server.on('data', (bytes: Buffer) => {
        const last = exchanges.at(-1);
        if (isRecorded && last !== undefined) last.answer = Buffer.concat([last.answer, bytes]);
        client.write(bytes);
      });
      server.on('error', () => client.destroy());
      server.on('close', () => client.destroy());
      client.on('close', () => server.destroy());
    }),
  );
  try {
    await run(relay.port);
    return exchanges;
  } finally {
    await relay.stop();
  }
}

/** The messages of a client or a server, the client's first one, which has no type, excepted. */
export function messagesIn(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    found.push(bytes.subarray(at, end));
    at = end;
  }
  return found;
}

const letterOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** Answers a Query or a Sync with the next of these, the startup message with the first; whatever was asked. */
export function startReplay(answers: readonly Buffer[]): Promise<StrangeServer> {
  return listen(
    createServer((socket: Socket) => {
      let next = 0;
      const answer = (): void => {
        const bytes = answers[next++];
        if (bytes === undefined) socket.end();
        else socket.write(bytes);
      };
      socket.once('data', () => {
        answer();
        socket.on('data', (bytes: Buffer) => {
          for (const message of messagesIn(bytes)) if ('QS'.includes(letterOf(message))) answer();
        });
      });
    }),
  );
}
