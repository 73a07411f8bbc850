import { Socket } from 'node:net';
import type { Client } from 'pg';
import type { WireState } from './failure.ts';

export interface Wire {
  readonly socket: Socket;
  readonly state: () => WireState;
}

/**
 * A socket for `pg.Client` that notes how far the connection came, and closes it when the first answer cannot be
 * PostgreSQL's, so that an HTTP server is named at once instead of after the time limit.
 *
 * First bytes of an answer, by the protocol's message formats: to SSLRequest `S`, `N` or an error `E`; to a startup
 * message an authentication request `R`, an error `E`, a notice `N`, or the protocol negotiation `v`.
 */
export function createWire(asksForTls: boolean): Wire {
  const socket = new Socket();
  let state: WireState = 'not connected';
  socket.once('connect', () => {
    state = 'no answer yet';
  });
  socket.once('data', (bytes: Buffer) => {
    state = isPostgresAnswer(bytes, asksForTls) ? 'answered' : 'foreign';
    if (state === 'foreign') socket.destroy(new Error('The answer is not in the PostgreSQL protocol'));
  });
  return { socket, state: () => state };
}

/** The longest error or notice that a server would open with; text of other protocols reads as a far larger length. */
const longestFirstMessage = 64 * 1024;

function isPostgresAnswer(bytes: Buffer, asksForTls: boolean): boolean {
  const type = String.fromCharCode(bytes[0] ?? 0);
  if (asksForTls && bytes.length === 1) return type === 'S' || type === 'N';
  return (asksForTls ? 'E' : 'RENv').includes(type) && (bytes.length < 5 || bytes.readUInt32BE(1) <= longestFirstMessage);
}

/**
 * Counts the bytes of each answer of a connected client, and ends the connection in the middle of one longer than `most`: the driver
 * keeps an answer until its last row. Gives what reads the bytes of the last answer.
 */
export function meterAnswers({ connection }: Client, most: number | null): () => number {
  let last = 0;
  let running = 0;
  // Before the driver's own listener, which tells the end of an answer while it reads these bytes.
  connection.stream.prependListener('data', (bytes: Buffer) => {
    running += bytes.length;
    if (most !== null && running > most) connection.stream.destroy(new Error(`The answer is longer than ${most} bytes`));
  });
  connection.on('readyForQuery', () => {
    last = running;
    running = 0;
  });
  return () => last;
}
