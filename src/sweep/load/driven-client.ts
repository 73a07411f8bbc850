import type { Client } from 'autocannon';

/**
 * The parts of autocannon's client that its own loop is made of (lib/httpClient.js). It asks again the moment an answer is there and
 * connects again the moment a connection is lost; a user pauses, so both are taken out of its hands.
 */
interface ClientParts extends Client {
  conn: { destroy(): void } | undefined;
  readonly parser: { initialize(type: string): void };
  _connect: () => void;
  _doRequest: () => void;
  _destroyConnection(): void;
  destroy(): void;
}

export interface ClientEvents {
  /** The whole answer is there. */
  readonly onAnswer: (status: number) => void;
  /** The connection has ended, by an error of this code, or closed by the other side. */
  readonly onLost: (code: string) => void;
}

/** One connection that asks when it is told to. */
export interface DrivenClient {
  /** Sends the request, over a new connection where there is none. */
  send(): void;
  /** Closes the connection; the next `send` opens another. */
  disconnect(): void;
  /** For good. */
  end(): void;
}

/** For `setupClient`, which autocannon calls before the client connects. */
export function driveClient(client: Client, { onAnswer, onLost }: ClientEvents): DrivenClient {
  const parts = client as ClientParts;
  const connect = parts._connect.bind(parts);
  const send = parts._doRequest.bind(parts);
  let isConnected = false;
  let lastCode = 'closed';
  const disconnect = () => {
    if (!isConnected) return;
    isConnected = false;
    parts._destroyConnection();
    // Half an answer would be taken for the beginning of the next one.
    parts.parser.initialize('RESPONSE');
  };
  parts._doRequest = () => undefined;
  // Called when a connection has ended.
  parts._connect = () => {
    if (!isConnected) return;
    disconnect();
    onLost(lastCode);
  };
  (parts as NodeJS.EventEmitter).on(
    'connError',
    (error: NodeJS.ErrnoException) => (lastCode = error.code ?? 'error'),
  );
  parts.on('response', onAnswer);
  return {
    send: () => {
      if (!isConnected) {
        lastCode = 'closed';
        isConnected = true;
        connect();
      }
      send();
    },
    disconnect,
    end: () => {
      if (parts.conn === undefined) parts._destroyConnection = () => undefined;
      parts.destroy();
    },
  };
}
