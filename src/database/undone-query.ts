import pg, { type Connection, type QueryResult, type Submittable } from 'pg';
import type { Statement } from './statement.ts';

/** A statement of ours that travels in the same message as somebody else's. */
export type Companion = Omit<Statement, 'values'>;

/** One message to the server: statements of ours, the one that is asked for, more of ours, and a single Sync. */
export interface UndoneMessage {
  readonly before?: readonly Companion[];
  readonly statement: Statement;
  readonly after?: readonly Companion[];
  /** Names that the connection has parsed; those of this message are added. */
  readonly prepared?: Set<string>;
  readonly timeoutMs: number;
}

/** What the server answered to the statements of ours behind the one that was asked for. */
export interface Ending {
  /** Command tags, for example `ROLLBACK`. */
  readonly tags: readonly string[];
  /** First column of their rows. */
  readonly values: readonly (string | null)[];
}

export interface UndoneAnswer {
  readonly result: QueryResult;
  readonly ending: Ending;
}

/** Sends one message. Rejects with the driver's error. An error ends the message: what stands after it does not run. */
export function sendUndone(
  client: Pick<pg.ClientBase, 'query'>,
  message: UndoneMessage,
): Promise<UndoneAnswer> {
  return new Promise((resolve, reject) => {
    client.query<Submittable>(
      new UndoneQuery(message, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  });
}

function isText(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

type Callback = (error: Error | null | undefined, answer: UndoneAnswer) => void;

/** The query of the driver (pg lib/query.js); its types know a part of it only. */
interface DriverQuery extends Submittable {
  callback: (error: Error | null | undefined, result: QueryResult) => void;
  values: unknown[] | undefined;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: RowMessage): void;
  handleCommandComplete(message: TagMessage, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
}

interface RowMessage {
  readonly fields: readonly (string | null)[];
}

interface TagMessage {
  readonly text: string;
}

const BaseQuery = pg.Query as unknown as new (
  text: string,
  callback: DriverQuery['callback'],
) => DriverQuery;

/** A subclass, because a client that pipelines takes no other query than the driver's own. */
class UndoneQuery extends BaseQuery {
  /** The driver looks for it here (pg lib/client.js, query). */
  readonly query_timeout: number;
  readonly #message: Required<UndoneMessage>;
  readonly #tags: string[] = [];
  readonly #values: (string | null)[] = [];
  #completed = 0;

  constructor(message: UndoneMessage, callback: Callback) {
    const { text, values } = message.statement;
    // A name would make the driver take the first statement that is parsed for this one.
    super(text, (error, result) =>
      callback(error, { result, ending: { tags: this.#tags, values: this.#values } }),
    );
    if (values !== undefined) this.values = [...values];
    this.query_timeout = message.timeoutMs;
    this.#message = { before: [], after: [], prepared: new Set(), ...message };
  }

  requiresPreparation(): boolean {
    return true;
  }

  /** Called by `submit`, which makes one packet of it. */
  override prepare(connection: Connection): void {
    const { before, statement, after } = this.#message;
    for (const companion of before) this.#execute(connection, companion);
    // Before the statement, since after an error the server skips the rest of the message.
    for (const companion of after)
      if (companion.name !== undefined) this.#parse(connection, companion);
    if (statement.values?.every(isText) ?? true) this.#executeOwn(connection, statement);
    else super.prepare(this.#standIn(connection, statement));
    for (const companion of after) this.#execute(connection, companion);
    connection.sync();
  }

  /** Of a statement whose values need no conversion, as those of workloads: the faster way. */
  #executeOwn(connection: Connection, { name = '', text, values = [] }: Statement): void {
    this.#parse(connection, { name, text });
    connection.bind({ statement: name, values: values as (string | null)[] }, true);
    connection.describe({ type: 'P', name: '' }, true);
    connection.execute({}, true);
  }

  /** What the driver's own query writes to: it takes the statement for one without a name, and itself for the whole message. */
  #standIn(connection: Connection, { name = '' }: Statement): Connection {
    return Object.create(connection, {
      parse: { value: ({ text }: Companion) => this.#parse(connection, { text, name }) },
      bind: { value: (config: object) => connection.bind({ ...config, statement: name }, true) },
      sync: { value: () => undefined },
    }) as Connection;
  }

  #parse(connection: Connection, { text, name = '' }: Companion): void {
    const { prepared } = this.#message;
    if (prepared.has(name)) return;
    if (name !== '') prepared.add(name);
    connection.parse({ name, text, types: [] }, true);
  }

  #execute(connection: Connection, companion: Companion): void {
    this.#parse(connection, companion);
    connection.bind({ statement: companion.name ?? '' }, true);
    connection.execute({}, true);
  }

  get #isOwn(): boolean {
    return this.#completed === this.#message.before.length;
  }

  override handleDataRow(message: RowMessage): void {
    if (this.#isOwn) super.handleDataRow(message);
    else if (this.#completed > this.#message.before.length)
      this.#values.push(message.fields[0] ?? null);
  }

  override handleCommandComplete(message: TagMessage, connection: Connection): void {
    if (this.#isOwn) super.handleCommandComplete(message, connection);
    else if (this.#completed > this.#message.before.length) this.#tags.push(message.text);
    this.#completed += 1;
  }

  override handleEmptyQuery(connection: Connection): void {
    super.handleEmptyQuery(connection);
    this.#completed += 1;
  }
}
