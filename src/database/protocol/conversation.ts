import { messageAt, type MessageName } from './backend-messages.ts';
import { afterText, countAt } from './message-bodies.ts';
import { type Next, type State, states } from './states.ts';

/** A server said what PostgreSQL does not say. Its message tells what, and in answer to what. */
export class ProtocolBreach extends Error {
  override readonly name = 'ProtocolBreach';
}

/** What is owed for a message of the client, by the letter of its type. Flush, Terminate and the others ask for nothing. */
const owedFor: ReadonlyMap<number, State> = new Map(
  Object.entries({
    Q: states.query,
    P: states.parse,
    B: states.bind,
    D: states.describe,
    E: states.execute,
    S: states.sync,
  }).map(([letter, owed]) => [letter.charCodeAt(0), owed]),
);
const reply = 'p'.charCodeAt(0);

/** What no session can change. */
const fixed: readonly string[] = ['server_version', 'server_encoding', 'integer_datetimes'];

/** Rows of any number of columns, as long as all have the same: nobody asked what they look like. */
const undescribed = -1;
const noRows = -2;

const mostTaken = 1_000;

/**
 * Follows one connection: what the client asked, what the server owes of it, and that it says nothing else. Throws a `ProtocolBreach` at the
 * first message that does not fit.
 */
export class Conversation {
  /** What is owed now. */
  #state: State = states.idle;
  /** What is owed after it, from `#next` on. */
  #owed: State[] = [];
  #next = 0;
  #isSkipping = false;
  #columns = undescribed;
  readonly #parameters = new Map<string, string>();

  /** The value of one of the parameters that no session can change. */
  parameter(name: string): string | undefined {
    return this.#parameters.get(name);
  }

  /** The client is about to log in. */
  greet(): void {
    this.#state = states.login;
  }

  /** The client sends a message, whose type this is. */
  ask(letter: number): void {
    const { replied } = this.#state;
    if (letter === reply && replied !== undefined) this.#state = states[replied];
    const owed = owedFor.get(letter);
    if (owed === undefined || (this.#isSkipping && owed !== states.sync)) return;
    this.#isSkipping = false;
    if (this.#state === states.idle) this.#state = owed;
    else this.#owed.push(owed);
  }

  /** The server sent the message between two offsets. Gives its name. */
  hear(bytes: Buffer, start: number, end: number): MessageName {
    const message = messageAt(bytes, start, end);
    if (message === undefined) throw this.breach('a message of an unknown type');
    const { name, check } = message;
    const why = check(bytes, start + 5, end);
    if (why !== undefined) throw this.breach(`a malformed ${name} (${why})`);
    const next = this.#state.next[name];
    if (next === undefined) throw this.breach(name);
    this.#note(name, bytes, start + 5, end);
    if (next !== 'stay') this.#goOn(next);
    return name;
  }

  /** What to throw where something came that does not fit. */
  breach(what: string): ProtocolBreach {
    return new ProtocolBreach(`The server sent ${what} ${this.#state.when}`);
  }

  #goOn(next: Exclude<Next, 'stay'>): void {
    if (next === 'answered') this.#state = this.#takeNext();
    else if (next === 'skip') this.#skip();
    else this.#state = states[next];
  }

  #takeNext(): State {
    const state = this.#owed[this.#next];
    if (state === undefined) return states.idle;
    this.#next += 1;
    // A client that pipelines may always be owed something.
    if (this.#next === this.#owed.length || this.#next === mostTaken) {
      this.#owed = this.#owed.slice(this.#next);
      this.#next = 0;
    }
    return state;
  }

  #skip(): void {
    while (this.#state !== states.sync && this.#state !== states.idle)
      this.#state = this.#takeNext();
    this.#isSkipping = this.#state === states.idle;
  }

  #note(name: MessageName, bytes: Buffer, start: number, end: number): void {
    if (name === 'DataRow') this.#noteRow(countAt(bytes, start, end));
    else if (name === 'RowDescription') this.#columns = countAt(bytes, start, end);
    else if (name === 'NoData') this.#columns = noRows;
    else if (name === 'BindComplete') this.#columns = undescribed;
    else if (name === 'ParameterStatus') this.#noteParameter(bytes, start, end);
  }

  #noteRow(columns: number): void {
    if (this.#columns === noRows) throw this.breach('DataRow after NoData,');
    if (this.#columns === undescribed) this.#columns = columns;
    if (columns !== this.#columns)
      throw this.breach(`DataRow of ${columns} columns, where ${this.#columns} are described,`);
  }

  #noteParameter(bytes: Buffer, start: number, end: number): void {
    const behindName = afterText(bytes, start, end);
    const name = bytes.toString('utf8', start, behindName - 1);
    if (!fixed.includes(name)) return;
    const value = bytes.toString('utf8', behindName, end - 1);
    const known = this.#parameters.get(name);
    if (known !== undefined && known !== value) throw this.breach(`another ${name}`);
    this.#parameters.set(name, value);
  }
}
