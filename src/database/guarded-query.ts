import pg, { type ClientBase, type Connection, type QueryResult, type Submittable } from 'pg';
import type { SessionLimits } from './client-config.ts';
import type { Statement } from './session.ts';

/**
 * Runs one statement, read-only and limited in time, with a single message to a pooler and a single answer.
 *
 * The guards and the statement share one implicit transaction, which ends at the Sync behind them: settings that are local to it
 * leave nothing on the backend, an error in a guard keeps the statement from running, and nobody holds a backend while
 * a message travels. A BEGIN, which PgBouncer's statement mode refuses, is not needed. The statement is never a named one, since the
 * next may meet another backend.
 */
export function queryGuarded(
  client: Pick<ClientBase, 'query'>,
  statement: Statement,
  limits: SessionLimits,
  timeoutMs: number,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(
      new GuardedQuery(statement, guardText(limits), timeoutMs, (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    );
  });
}

/** Every setting of it exists in all versions from PostgreSQL 12 on and may be set by anybody. */
function guardText({ statementTimeoutMs, lockTimeoutMs }: SessionLimits): string {
  const settings: readonly (readonly [name: string, value: string])[] = [
    ['transaction_read_only', 'on'],
    ['statement_timeout', String(Math.max(0, Math.round(statementTimeoutMs)))],
    ['lock_timeout', String(Math.max(0, Math.round(lockTimeoutMs)))],
    // So that the server reads strings as the check of the statement did.
    ['standard_conforming_strings', 'on'],
  ];
  return `SELECT ${settings.map(([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`).join(', ')}`;
}

type Callback = (error: Error | null | undefined, result: QueryResult) => void;

/** What the driver calls on a query (pg lib/client.js); of these its types know `submit` only. */
interface Handlers extends Submittable {
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handlePortalSuspended(connection: Connection): void;
  handleCopyInResponse(connection: Connection): void;
  handleCopyData(message: unknown, connection: Connection): void;
}

/** A query of the driver with another one in front, whose answer is left out. */
class GuardedQuery implements Handlers {
  /** Read and replaced by the driver, which keeps the time limit in it. */
  callback: Callback;
  readonly query_timeout: number;
  readonly #guard: string;
  readonly #statement: Handlers;
  #isGuarded = false;

  constructor({ text, values }: Statement, guard: string, timeoutMs: number, callback: Callback) {
    this.callback = callback;
    this.query_timeout = timeoutMs;
    this.#guard = guard;
    const config = {
      text,
      queryMode: 'extended',
      ...(values !== undefined && { values: [...values] }),
    };
    this.#statement = new pg.Query(config, (error: Error | undefined, result: unknown) =>
      this.callback(error, result as QueryResult),
    ) as unknown as Handlers;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    try {
      connection.parse({ name: '', text: this.#guard, types: [] }, true);
      connection.bind({}, true);
      connection.execute({}, true);
      return this.#statement.submit(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription(message: unknown): void {
    this.#statement.handleRowDescription(message);
  }

  /** The guard was not described, so that its row comes without a description. */
  handleDataRow(message: unknown): void {
    if (this.#isGuarded) this.#statement.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isGuarded) this.#statement.handleCommandComplete(message, connection);
    this.#isGuarded = true;
  }

  handleEmptyQuery(connection: Connection): void {
    this.#statement.handleEmptyQuery(connection);
  }

  handleReadyForQuery(connection: Connection): void {
    this.#statement.handleReadyForQuery(connection);
  }

  handleError(error: Error, connection: Connection): void {
    this.#statement.handleError(error, connection);
  }

  handlePortalSuspended(connection: Connection): void {
    this.#statement.handlePortalSuspended(connection);
  }

  handleCopyInResponse(connection: Connection): void {
    this.#statement.handleCopyInResponse(connection);
  }

  handleCopyData(message: unknown, connection: Connection): void {
    this.#statement.handleCopyData(message, connection);
  }
}
