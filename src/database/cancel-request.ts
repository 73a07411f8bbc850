import { connect } from 'node:net';
import type { ClientBase } from 'pg';
import type { ConnectionTarget } from './target.ts';
import { backendPid } from './session-guard.ts';

/** A connection that does not come about in this time is given up, in milliseconds. */
const patienceMs = 1_000;
/** The protocol's number of a CancelRequest: 1234 in the upper half, 5678 in the lower. */
const cancelCode = 80_877_102;

export interface CancelPlace {
  readonly target: ConnectionTarget;
  /** Of whoever the client is connected to; null for a Unix-domain socket, and before it is. A name is not looked up again: the key is for that server only. */
  readonly address: string | null;
}

/**
 * Asks whoever is at the other end, a pooler too, to end what this client runs. Resolves when the request was taken; never rejects.
 * Sent without TLS, as libpq before 17 does: it names a statement, not a password, and servers take it before they ask for TLS.
 */
export function sendCancelRequest(
  client: ClientBase,
  { address, target: { host, port } }: CancelPlace,
): Promise<void> {
  const socketFolder = host.startsWith('/') ? host : null;
  if (socketFolder === null && address === null) return Promise.resolve();
  const pid = backendPid(client);
  const key = secretKey(client);
  if (pid === null || key === null) return Promise.resolve();
  const request = Buffer.alloc(16);
  [16, cancelCode, pid, key].forEach((number, at) => request.writeInt32BE(number, at * 4));
  return new Promise((resolve) => {
    const socket =
      socketFolder === null
        ? connect(port, address ?? host)
        : connect(`${socketFolder}/.s.PGSQL.${port}`);
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    socket.resume();
    // The other side closes when it has read the request.
    socket.write(request);
  });
}

/** From BackendKeyData, as `processID` is. A key of the protocol's version 3.2 may be longer, and is not used here. */
function secretKey(client: ClientBase): number | null {
  return 'secretKey' in client && typeof client.secretKey === 'number' ? client.secretKey : null;
}
