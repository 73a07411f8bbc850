import type { Conversation } from './conversation.ts';
import { int32At } from './message-bodies.ts';

export interface ReadingRules {
  /** The longest answer that is taken, in bytes. */
  readonly mostAnswerBytes: number;
  /** Whether the server may ask for the password as it is. */
  readonly mayAskInClear: boolean;
}

/** The letter of the type, and the length that counts itself. */
const headBytes = 5;

/** Rows, errors, notices and descriptions of columns have any length; nothing else comes near this one, in bytes. */
const mayBeLong = [...'DENT'].map((letter) => letter.charCodeAt(0));
const longestOther = 64 * 1024;

/** Makes whole messages of what a server sends, in time and memory that grow with their length, and lets the conversation hear each. */
export class AnswerReader {
  readonly #conversation: Conversation;
  readonly #rules: ReadingRules;
  /** The beginning of a message whose end has not come yet. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** How many bytes it takes to go on. */
  #needed = headBytes;
  #running = 0;
  /** Length of the last answer, in bytes. */
  lastBytes = 0;

  constructor(conversation: Conversation, rules: ReadingRules) {
    this.#conversation = conversation;
    this.#rules = rules;
  }

  /** Gives the messages that are whole now; undefined while there is none. Throws what ends the connection. */
  read(received: Buffer): Buffer | undefined {
    const bytes = this.#join(received);
    if (bytes === undefined) return undefined;
    let at = 0;
    let needed = headBytes;
    while (at + headBytes <= bytes.length) {
      needed = this.#sizeAt(bytes, at);
      if (at + needed > bytes.length) break;
      this.#hear(bytes, at, at + needed);
      at += needed;
      needed = headBytes;
    }
    this.#needed = needed;
    this.#begunBytes = bytes.length - at;
    if (this.#begunBytes === 0) return bytes;
    this.#begun = [bytes.subarray(at)];
    return at === 0 ? undefined : bytes.subarray(0, at);
  }

  /** Copies what has begun once, when enough of it is there. */
  #join(received: Buffer): Buffer | undefined {
    if (this.#begunBytes === 0) return received;
    this.#begun.push(received);
    this.#begunBytes += received.length;
    if (this.#begunBytes < this.#needed) return undefined;
    const bytes = Buffer.concat(this.#begun, this.#begunBytes);
    this.#begun = [];
    return bytes;
  }

  #sizeAt(bytes: Buffer, at: number): number {
    const length = int32At(bytes, at + 1);
    if (length < 4) throw this.#conversation.breach(`a message of ${length} bytes`);
    const size = 1 + length;
    if (size > longestOther && !mayBeLong.includes(bytes[at] ?? 0))
      throw this.#conversation.breach(`a message of ${size} bytes`);
    const { mostAnswerBytes } = this.#rules;
    if (this.#running + size > mostAnswerBytes)
      throw new Error(`The answer is longer than ${mostAnswerBytes} bytes`);
    return size;
  }

  #hear(bytes: Buffer, start: number, end: number): void {
    const name = this.#conversation.hear(bytes, start, end);
    if (name === 'AuthenticationCleartextPassword' && !this.#rules.mayAskInClear)
      throw new Error('The password is wanted in clear text');
    this.#running += end - start;
    if (name !== 'ReadyForQuery') return;
    this.lastBytes = this.#running;
    this.#running = 0;
  }
}
