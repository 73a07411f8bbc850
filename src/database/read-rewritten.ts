import type { ClientBase, Connection, Submittable } from 'pg';
import type { SessionLimits } from './session-limits.ts';
import { beginSql, parseGuardSql, rollbackSql } from './sql/undone.sql.ts';

/**
 * Asks the server for the rewritten query tree of one statement, with every view, rule and policy in it, and runs
 * nothing of it: the statement is parsed and never bound. One message and one implicit transaction, which BEGIN makes
 * a block of and ROLLBACK undoes: so it works through a pooler in every mode, and not even a domain's CHECK on a
 * literal, which PostgreSQL runs as it reads the literal, leaves anything. Gives one text a tree, in the form of
 * `pg_node_tree`; none where the server does not tell. Rejects with the driver's error. No transaction may be open.
 * The server writes the tree to its log as well.
 */
export function readRewritten(
  client: Pick<ClientBase, 'query' | 'on' | 'off'>,
  text: string,
  limits: SessionLimits,
  timeoutMs: number,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const trees: string[] = [];
    const hear = (notice: Notice) => {
      if (notice.message === treeMessage && notice.where === undefined && isOfQuery(notice.detail))
        trees.push(notice.detail);
    };
    client.on('notice', hear);
    client.query(
      new ParsedOnly(toGuard(limits), text, timeoutMs, (error) => {
        client.off('notice', hear);
        if (error) reject(error);
        else resolve(trees);
      }),
    );
  });
}

interface Notice {
  readonly message?: string | undefined;
  readonly detail?: string | undefined;
  /** Set when the notice comes from inside a function or a CHECK. */
  readonly where?: string | undefined;
}

/** Never translated (postgres.c, pg_rewrite_query; print.c, elog_node_display). */
const treeMessage = 'rewritten parse tree:';

/** Our own BEGIN and ROLLBACK have trees too, of a utility statement. */
function isOfQuery(detail: string | undefined): detail is string {
  return detail !== undefined && /:utilityStmt\s+<>/.test(detail);
}

function toGuard({ statementTimeoutMs, lockTimeoutMs }: SessionLimits): string {
  const toText = (limitMs: number) => String(Math.max(0, Math.round(limitMs)));
  return parseGuardSql({
    statement_timeout: toText(statementTimeoutMs),
    lock_timeout: toText(lockTimeoutMs),
  });
}

type Callback = (error: Error | null | undefined) => void;

/** What the driver calls on a query (pg lib/client.js); of these its types know `submit` only. */
class ParsedOnly implements Submittable {
  /** Read and replaced by the driver, which keeps the time limit in it. */
  callback: Callback;
  readonly query_timeout: number;
  readonly #guard: string;
  readonly #text: string;

  constructor(guard: string, text: string, timeoutMs: number, callback: Callback) {
    this.callback = callback;
    this.query_timeout = timeoutMs;
    this.#guard = guard;
    this.#text = text;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    try {
      execute(connection, this.#guard);
      connection.parse({ name: '', text: this.#text, types: [] }, true);
      execute(connection, beginSql);
      execute(connection, rollbackSql);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  // The answers to our own statements say nothing.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

function execute(connection: Connection, text: string): void {
  connection.parse({ name: '', text, types: [] }, true);
  connection.bind({}, true);
  connection.execute({}, true);
}
