import { createServer, type Socket } from 'node:net';
import { listen, type StrangeServer } from './strange-servers.ts';

/** A message of the protocol: its type, its length, what is in it. */
export function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  );
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

const ready = message('Z', Buffer.from('I'));
const textType = 25;
export const int4Type = 23;

export interface Column {
  readonly name: string;
  readonly type?: number;
}

/** An answer: its columns, and rows of texts and nulls. */
export function rows(
  named: readonly Column[],
  values: readonly (readonly (string | null)[])[],
): Buffer {
  return Buffer.concat([
    columns(named),
    ...values.map(row),
    message('C', `SELECT ${values.length}`),
  ]);
}

export function columns(named: readonly Column[]): Buffer {
  return message(
    'T',
    int16(named.length),
    ...named.flatMap(({ name, type = textType }) => [
      name,
      int32(0),
      int16(0),
      int32(type),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );
}

export function row(values: readonly (string | null)[]): Buffer {
  const cells = values.flatMap((value) =>
    value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
  );
  return message('D', int16(values.length), ...cells);
}

export const notice = (text: string): Buffer =>
  message('N', Buffer.from('SWARNING\0'), Buffer.from(`M${text}\0`), Buffer.from('\0'));

const guarded = {
  search_path: 'pg_catalog, pg_temp',
  default_transaction_read_only: 'on',
  standard_conforming_strings: 'on',
  acts_as: 'app',
  logged_in_as: 'app',
};

/** To the first statements of a session: that its backend is its own, and keeps the settings, or has these instead. */
export function greetSession(text: string, instead: Partial<typeof guarded> = {}): Buffer {
  if (text.includes('pg_backend_pid')) return rows([{ name: 'pid', type: int4Type }], [['4711']]);
  const kept = Object.entries({ ...guarded, ...instead });
  return rows(
    kept.map(([name]) => ({ name })),
    [kept.map(([, value]) => value)],
  );
}

export interface Lies {
  /** What is sent after the startup message; without it the session is let in. */
  readonly greeting?: Buffer;
  /** What is sent for a statement, before the server is ready for the next one. */
  readonly answer?: (text: string) => Buffer;
  /** Sent again and again after the greeting, or after the first statement, for as long as the other side listens. */
  readonly flood?: { readonly of: Buffer; readonly after: 'greeting' | 'statement' };
}

export interface LyingServer extends StrangeServer {
  /** All that was ever received, and how much was sent, in bytes. */
  readonly heard: () => Buffer;
  readonly sentBytes: () => number;
}

/** 1234 in the upper half, 5678 in the lower. */
export const cancelCode = 80_877_102;

const columnsOnly = columns([{ name: 'pid' }]);
const welcome = Buffer.concat([message('R', int32(0)), message('K', int32(4711), int32(1)), ready]);

/** Speaks as much of the protocol as it takes to be believed, has no TLS, and then tells what it wants. */
export async function startLyingServer(lies: Lies): Promise<LyingServer> {
  const heard: Buffer[] = [];
  let sentBytes = 0;
  const server = await listen(
    createServer((socket) => {
      const hear = lie(lies, socket, (bytes) => {
        sentBytes += bytes.length;
        socket.write(bytes);
      });
      socket.on('data', (bytes) => {
        heard.push(bytes);
        hear(bytes);
      });
    }),
  );
  return { ...server, heard: () => Buffer.concat(heard), sentBytes: () => sentBytes };
}

type Send = (bytes: Buffer) => void;

/** What one connection answers to the bytes that it hears. */
function lie(
  { greeting = welcome, answer = () => message('I'), flood }: Lies,
  socket: Socket,
  send: Send,
): (bytes: Buffer) => void {
  let isGreeted = false;
  let parsed = '';
  const greet = (bytes: Buffer): void => {
    // SSLRequest has a code of its own in the place of the version, and so has CancelRequest.
    if (bytes.length === 8) return send(Buffer.from('N'));
    if (bytes.length === 16 && bytes.readInt32BE(4) === cancelCode) return void socket.end();
    isGreeted = true;
    send(greeting);
    if (flood?.after === 'greeting') pour(socket, flood.of, send);
  };
  const answerTo = (text: string, before: readonly Buffer[]): void => {
    if (flood?.after !== 'statement') return send(Buffer.concat([...before, answer(text), ready]));
    send(columnsOnly);
    pour(socket, flood.of, send);
  };
  const on: Readonly<Record<string, (body: Buffer) => void>> = {
    p: (body) => exaggerate(body, send),
    P: (body) => (parsed = body.toString('utf8', body.indexOf(0) + 1).split('\0', 1)[0] ?? ''),
    Q: (body) => answerTo(body.toString('utf8', 0, body.length - 1), []),
    S: () => answerTo(parsed, [message('1'), message('2')]),
  };
  return (bytes) =>
    isGreeted ? messagesOf(bytes).forEach(({ type, body }) => on[type]?.(body)) : greet(bytes);
}

/** To a SASLInitialResponse: the server's first word of SCRAM repeats the client's nonce, and asks for rounds. */
function exaggerate(body: Buffer, send: Send): void {
  const nonce = /,r=([^,]+)$/.exec(body.toString('latin1'))?.[1];
  if (nonce !== undefined)
    send(message('R', int32(11), Buffer.from(`r=${nonce}more,s=c2FsdA==,i=1000000000`)));
}

function pour(socket: Socket, of: Buffer, send: Send): void {
  const bucket = Buffer.concat(Array.from({ length: Math.ceil(65_536 / of.length) }, () => of));
  const fill = (): void => {
    while (!socket.destroyed && !socket.writableNeedDrain) send(bucket);
  };
  socket.on('drain', fill);
  fill();
}

function messagesOf(bytes: Buffer): readonly { readonly type: string; readonly body: Buffer }[] {
  const found = [];
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    found.push({
      type: String.fromCharCode(bytes[at] ?? 0),
      body: bytes.subarray(at + 5, at + 1 + bytes.readInt32BE(at + 1)),
    });
  }
  return found;
}
