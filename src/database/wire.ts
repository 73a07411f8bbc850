import { Socket } from 'node:net';
import type { WireState } from './failure-row.ts';
import { whyElsewhere } from './private-host.ts';
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
  const socket = new Socket();
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
