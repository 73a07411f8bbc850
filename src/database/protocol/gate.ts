import type { Duplex } from 'node:stream';
import pg, { type Client, type Connection } from 'pg';
import { AnswerReader, type ReadingRules } from './answer-reader.ts';
import { Conversation, ProtocolBreach } from './conversation.ts';

/** What stands between a server and the driver. */
export interface Gate {
  /** Length of the last answer, in bytes. */
  readonly answerBytes: () => number;
  /** A parameter that no session can change, as the server reported it. */
  readonly parameter: (name: string) => string | undefined;
}

/** What the driver reads from (pg-protocol index.js, parse). */
interface Source {
  on(event: 'data' | 'end', listener: (bytes: Buffer) => void): unknown;
}

/** The connection of the driver (pg lib/connection.js), of which its types know a part. */
interface DriverConnection {
  startup(config: object): void;
  /** Every other message of the client goes through it. */
  _send(message: Buffer): boolean;
  /** Called with the stream that decrypts, where the server has agreed to TLS. */
  attachListeners(source: Source): void;
}

/**
 * Puts a gate before the driver of a client that is not connected yet: it gets whole messages, each one that fits the protocol where it
 * comes. The first that does not, a value that is not of its type, or an answer that is too long ends the connection with that error, and
 * so does what the driver throws where nobody could catch it.
 */
export function createGate(client: Client, rules: ReadingRules): Gate {
  const connection = client.connection as Connection & DriverConnection;
  const conversation = new Conversation();
  const reader = new AnswerReader(conversation, rules);
  const driver: DriverConnection = {
    startup: connection.startup.bind(connection),
    _send: connection._send.bind(connection),
    attachListeners: connection.attachListeners.bind(connection),
  };
  Object.assign(connection, {
    startup: (config) => {
      conversation.greet();
      driver.startup(config);
    },
    _send: (message) => {
      conversation.ask(message[0] ?? 0);
      return driver._send(message);
    },
    attachListeners: () => driver.attachListeners(checkedSource(connection.stream, reader)),
  } satisfies DriverConnection);
  // Where a result takes what makes values of texts from (pg lib/client.js, query).
  Object.assign(client, { _types: checkedTypes(connection) });
  return {
    answerBytes: () => reader.lastBytes,
    parameter: (name) => conversation.parameter(name),
  };
}

function checkedSource(stream: Duplex, reader: AnswerReader): Source {
  const passOn = (bytes: Buffer, listener: (bytes: Buffer) => void): void => {
    if (stream.destroyed) return;
    try {
      const messages = reader.read(bytes);
      if (messages !== undefined) listener(messages);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    on: (event, listener) =>
      stream.on(event, event === 'data' ? (bytes: Buffer) => passOn(bytes, listener) : listener),
  };
}

type Parse = (text: string) => unknown;

/** What makes values of texts, for each type that the server names. The driver's own may throw at a text that is none of its type. */
function checkedTypes(connection: Connection) {
  const check =
    (parse: Parse): Parse =>
    (text) => {
      try {
        return parse(text);
      } catch {
        const breach = new ProtocolBreach(
          'The server sent a value that is not of its type in answer to a statement',
        );
        connection.stream.destroy(breach);
        throw breach;
      }
    };
  return { getTypeParser: (type: number): Parse => check(pg.types.getTypeParser(type) as Parse) };
}
