import { Socket } from 'node:net';
import type { Client, QueryConfig } from 'pg';
import { pooledAnswerMs, type SessionLimits } from './client-config.ts';
import { sendCancelRequest } from './cancel-request.ts';
import { cancelledFailure, toDatabaseFailure, type DatabaseFailure } from './failure.ts';
import { queryGuarded } from './guarded-query.ts';
import type { Secret } from './secret.ts';
import { backendPid, guardedBegin } from './session-guard.ts';
import type { ConnectionTarget } from './target.ts';
import { meterAnswers } from './wire.ts';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Makes it a prepared statement of that name. */
  readonly name?: string;
}

export type QueryAnswer<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** One open connection to a target. */
export interface DatabaseSession {
  readonly target: ConnectionTarget;
  /** Process id of the backend; behind a pooler an id that the pooler made up. */
  readonly pid: number | null;
  /** True when a pooler stands in between, and backends are shared. */
  readonly isPooled: boolean;
  readonly isLost: boolean;
  /** Length of the last answer, in bytes as they came. */
  readonly answerBytes: number;
  /** Runs one statement. The rows have the shape that the caller knows its statement to give. */
  query<Row>(statement: string | Statement): Promise<QueryAnswer<Row>>;
  /** Calls the listener once, when the connection ends without `close()`; at once if it already has. Returns what unsubscribes it. */
  readonly onLost: (listener: (failure: DatabaseFailure) => void) => () => void;
  /** Asks whoever is at the other end, a pooler too, to end what this session runs; without standing in its line. Never rejects. */
  readonly cancel: () => Promise<void>;
  /** Closes politely, and within a second in any case. Safe to call twice; never rejects. */
  readonly close: () => Promise<void>;
}

export interface OpenedSession {
  readonly session: DatabaseSession;
  /** To be called once, when the client is connected. */
  readonly start: (pooled: boolean, signal: AbortSignal | undefined) => void;
}

interface SessionParts {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
  readonly limits: SessionLimits;
}

/** How long `close()` waits for the server before it drops the socket, in milliseconds. */
const politeCloseMs = 1_000;

/** Wraps a client that is not connected yet. Its errors never become uncaught: they mark the session as lost. */
export function openSession(client: Client, parts: SessionParts): OpenedSession {
  const lost = createLostSignal();
  let pooled = false;
  let closing: Promise<void> | undefined;
  let started = false;
  let address: string | null = null;
  const readAnswerBytes = meterAnswers(client, {
    most: parts.limits.mostAnswerBytes,
    isEncrypted: parts.target.tls !== 'off',
  });
  let previous: Promise<unknown> = Promise.resolve();
  const fail = (error: unknown): DatabaseFailure =>
    toDatabaseFailure(error, { ...parts, during: 'work', isPooled: pooled });
  const endWith = (error: unknown) => {
    if (started && closing === undefined) lost.fire(fail(error));
  };
  client.on('error', endWith);
  client.on('end', () => endWith(new Error('Connection terminated')));

  const run = async <Row>(statement: Statement): Promise<QueryAnswer<Row>> => {
    if (closing !== undefined) return { kind: 'failed', failure: cancelledFailure() };
    if (lost.failure !== null) return { kind: 'failed', failure: lost.failure };
    try {
      return {
        kind: 'rows',
        rows: pooled
          ? await queryPooled<Row>(client, statement, parts.limits)
          : await queryRows<Row>(client, statement),
      };
    } catch (error) {
      const failure = closing === undefined ? fail(error) : cancelledFailure();
      // After the client's own time limit an answer may still arrive; the connection is of no more use.
      if (/Query read timeout/.test(String(error))) client.connection.stream.destroy();
      return {
        kind: 'failed',
        failure: failure.kind === 'statement' && lost.failure !== null ? lost.failure : failure,
      };
    }
  };

  const session: DatabaseSession = {
    target: parts.target,
    get pid() {
      return backendPid(client);
    },
    get isPooled() {
      return pooled;
    },
    get isLost() {
      return lost.failure !== null;
    },
    get answerBytes() {
      return readAnswerBytes();
    },
    query: <Row>(statement: string | Statement) => {
      const full = typeof statement === 'string' ? { text: statement } : statement;
      if (!pooled) return run<Row>(full);
      // One transaction after the other: their statements share the connection.
      const answer = previous.then(() => run<Row>(full));
      previous = answer;
      return answer;
    },
    onLost: lost.subscribe,
    cancel: () => sendCancelRequest(client, { address, target: parts.target }),
    close: () => (closing ??= closeClient(client)),
  };
  const start: OpenedSession['start'] = (isPooled, signal) => {
    pooled = isPooled;
    started = true;
    address = addressOf(client);
    const close = () => void session.close();
    signal?.addEventListener('abort', close, { once: true });
    client.on('end', () => signal?.removeEventListener('abort', close));
  };
  return { session, start };
}

async function queryRows<Row>(client: Client, { text, values, name }: Statement): Promise<Row[]> {
  const config: QueryConfig = {
    text,
    ...(values !== undefined && { values: [...values] }),
    ...(name !== undefined && { name }),
  };
  const { rows } = await client.query(config);
  return rows as Row[];
}

async function queryPooled<Row>(
  client: Client,
  statement: Statement,
  limits: SessionLimits,
): Promise<Row[]> {
  if (!limits.isProbe) return queryInTransaction<Row>(client, statement, limits);
  const { rows } = await queryGuarded(client, statement, limits, pooledAnswerMs(limits));
  return rows as Row[];
}

async function queryInTransaction<Row>(
  client: Client,
  statement: Statement,
  limits: SessionLimits,
): Promise<Row[]> {
  // A time limit of one statement is public in pg (lib/client.js, query), its types lag.
  const begin: QueryConfig & { readonly query_timeout: number } = {
    text: guardedBegin(limits),
    query_timeout: limits.backendPatienceMs,
  };
  await client.query(begin);
  try {
    return await queryRows<Row>(client, statement);
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Null where the other end has none, as a Unix-domain socket. */
function addressOf({ connection: { stream } }: Client): string | null {
  return stream instanceof Socket ? (stream.remoteAddress ?? null) : null;
}

async function closeClient(client: Client): Promise<void> {
  const drop = setTimeout(() => client.connection.stream.destroy(), politeCloseMs);
  try {
    await client.end();
  } catch {
    client.connection.stream.destroy();
  } finally {
    clearTimeout(drop);
  }
}

interface LostSignal {
  readonly failure: DatabaseFailure | null;
  readonly fire: (failure: DatabaseFailure) => void;
  readonly subscribe: DatabaseSession['onLost'];
}

/** An event that happens at most once and is remembered. */
function createLostSignal(): LostSignal {
  const listeners = new Set<(failure: DatabaseFailure) => void>();
  let first: DatabaseFailure | null = null;
  return {
    get failure() {
      return first;
    },
    fire(failure) {
      if (first !== null) return;
      first = failure.kind === 'lost' ? failure : { ...failure, kind: 'lost' };
      for (const listener of listeners) listener(first);
      listeners.clear();
    },
    subscribe(listener) {
      if (first !== null) listener(first);
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
