import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Client } from 'pg';
import type { WireState } from './failure-row.ts';
import { isPrivateHost, whyElsewhere } from './private-host.ts';
import type { ConnectionTarget } from './target.ts';

export interface Wire {
  readonly socket: Socket;
  readonly state: () => WireState;
  /** Resolves when the other side has closed, and closes after a second itself. */
  readonly closed: () => Promise<void>;
}

const closesWithinMs = 1_000;

/**
 * A socket for `pg.Client` that notes how far the connection came. It closes before anything is sent where the host's name led to
 * another place than it promises, and when the first answer cannot be PostgreSQL's, so that an HTTP server is named at once instead of
 * after the time limit.
 *
 * First bytes of an answer, by the protocol's message formats: to SSLRequest `S`, `N` or an error `E`; to a startup
 * message an authentication request `R`, an error `E`, a notice `N`, or the protocol negotiation `v`.
 */
export function createWire(target: Pick<ConnectionTarget, 'host' | 'tls'>): Wire {
  const socket = endingAtNonsense(new Socket());
  let state: WireState = 'not connected';
  // The driver listens as well, after this: what it writes to a closed socket goes nowhere.
  socket.once('connect', () => {
    state = 'no answer yet';
    const why = whyElsewhere(target, socket.remoteAddress);
    if (why !== null) socket.destroy(new Error(why));
  });
  socket.once('data', (bytes: Buffer) => {
    state = isPostgresAnswer(bytes, target.tls !== 'off') ? 'answered' : 'foreign';
    if (state === 'foreign')
      socket.destroy(new Error('The answer is not in the PostgreSQL protocol'));
  });
  return { socket, state: () => state, closed: () => untilClosed(socket) };
}

function untilClosed(socket: Socket): Promise<void> {
  if (socket.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(() => socket.destroy(), closesWithinMs);
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
}

/** The driver throws at messages that PostgreSQL does not send, while it reads them, where nobody could catch it: the connection ends with the error instead. */
function endingAtNonsense<Stream extends Duplex>(stream: Stream): Stream {
  const emit = stream.emit.bind(stream);
  stream.emit = (event: string | symbol, ...given: unknown[]): boolean => {
    try {
      return emit(event, ...given);
    } catch (error) {
      if (event !== 'data') throw error;
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      return true;
    }
  };
  return stream;
}

/** The longest error or notice that a server would open with; text of other protocols reads as a far larger length. */
const longestFirstMessage = 64 * 1024;

function isPostgresAnswer(bytes: Buffer, asksForTls: boolean): boolean {
  const type = String.fromCharCode(bytes[0] ?? 0);
  if (asksForTls && bytes.length === 1) return type === 'S' || type === 'N';
  return (
    (asksForTls ? 'E' : 'RENv').includes(type) &&
    (bytes.length < 5 || bytes.readUInt32BE(1) <= longestFirstMessage)
  );
}

/**
 * Counts the bytes of each answer of a client that is about to connect, its greeting included, and ends the connection in the middle of
 * one longer than `most`: the driver keeps an answer until its last row. Gives what reads the bytes of the last answer.
 */
export function meterAnswers(
  { connection }: Client,
  { most, isEncrypted }: { readonly most: number; readonly isEncrypted: boolean },
): () => number {
  let last = 0;
  let running = 0;
  // A stream that decrypts takes the socket's place when the server has agreed to it (pg lib/connection.js, upgradeToSSL).
  connection.once(isEncrypted ? 'sslconnect' : 'connect', () => {
    if (isEncrypted) endingAtNonsense(connection.stream);
    // Before the driver's own listener, which tells the end of an answer while it reads these bytes.
    connection.stream.prependListener('data', (bytes: Buffer) => {
      running += bytes.length;
      if (running > most)
        connection.stream.destroy(new Error(`The answer is longer than ${most} bytes`));
    });
  });
  connection.on('readyForQuery', () => {
    last = running;
    running = 0;
  });
  return () => last;
}

/** Whether the console of PgBouncer let a client in that is about to connect: its version ends so (admin.c, admin_setup). */
export function noteConsole({ connection }: Client): () => boolean {
  let isConsole = false;
  connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
    if (parameterName === 'server_version') isConsole = parameterValue.endsWith('/bouncer');
  });
  return () => isConsole;
}

/** Of the protocol; the driver's types know nothing of it. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Ends the connection where a server of a public network asks for the password as it is, without TLS: whoever is in between could ask so too. */
export function keepPasswordFromOnlookers(
  { connection }: Client,
  { host, tls }: Pick<ConnectionTarget, 'host' | 'tls'>,
): void {
  if (tls !== 'off' || isPrivateHost(host)) return;
  // Before the driver's own listener, which would answer.
  connection.prependListener('authenticationCleartextPassword', () =>
    connection.stream.destroy(new Error('The password is wanted in clear text')),
  );
}
