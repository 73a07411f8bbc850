import { Socket } from 'node:net';
import type { Client, QueryResult } from 'pg';
import * as v from 'valibot';
import { pooledAnswerMs, type SessionLimits } from './session-limits.ts';
import { sendCancelRequest } from './cancel-request.ts';
import type { DatabaseFailure } from './failure-row.ts';
import { cancelledFailure, toDatabaseFailure } from './failure.ts';
import { type Access, endClient } from './gated-client.ts';
import { readRewritten } from './read-rewritten.ts';
import { ProtocolBreach } from './protocol/conversation.ts';
import type { Gate } from './protocol/gate.ts';
import { readRows, type RowSchema } from './row-shape.ts';
import { backendPid } from './session-guard.ts';
import type { Startup } from './startup.ts';
import type { Statement, WorkloadStatement } from './statement.ts';
import type { ConnectionTarget } from './target.ts';
import { createTally, type TransactionTally } from './transaction-tally.ts';
import { nothingSql } from './sql/server.sql.ts';
import { createUndoing, queryLocally, type Undoing } from './undoing.ts';
import { sendUndone } from './undone-query.ts';

export type QueryAnswer<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** All that questions of ours need of a session. */
export type Asker = Pick<DatabaseSession, 'query'>;

/** One open connection to a target. */
export interface DatabaseSession {
  readonly target: ConnectionTarget;
  /** What its startup message carried: the next connection to the same target begins with it. */
  readonly startup: Startup;
  /** Process id of the backend; behind a pooler an id that the pooler made up. */
  readonly pid: number | null;
  /** Of its TCP connection, on this machine and on the other; null over a Unix socket, and when it is closed. */
  readonly ports: { readonly local: number; readonly remote: number } | null;
  /** True when a pooler stands in between, and backends are shared. */
  readonly isPooled: boolean;
  readonly isLost: boolean;
  /** Length of the last answer, in bytes as they came. */
  readonly answerBytes: number;
  /** Runs one statement of ours. A row that the schema does not take ends the connection. */
  query<Row>(statement: string | Statement, row: RowSchema<Row>): Promise<QueryAnswer<Row>>;
  /** Runs one statement of a workload, of which nothing stays (`undoing.ts`). One at a time. Without a schema its rows are as they come. */
  run<Row = unknown>(statement: WorkloadStatement, row?: RowSchema<Row>): Promise<QueryAnswer<Row>>;
  /** Runs a statement of ours that does nothing, without what travels with those of a workload. */
  echo(): Promise<QueryAnswer<unknown>>;
  /** Ends the transaction that workload statements share, before the session rests or runs a statement of ours. Never rejects. */
  settle(): Promise<void>;
  /** The rewritten query trees of one statement, none of which is run (`read-rewritten.ts`). No transaction may be open. */
  readRewritten(text: string): Promise<QueryAnswer<string>>;
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

interface SessionParts extends Access {
  readonly gate: Gate;
  /** Counts the transactions of workload statements. */
  readonly tally?: TransactionTally;
}

/** Wraps a client that is not connected yet. Its errors never become uncaught: they mark the session as lost. */
export function openSession(client: Client, parts: SessionParts): OpenedSession {
  const course: Course = {
    lost: createLostSignal(),
    isPooled: false,
    hasStarted: false,
    address: null,
    closing: undefined,
  };
  const fail = (error: unknown): DatabaseFailure =>
    toDatabaseFailure(error, { ...parts, during: 'work', isPooled: course.isPooled });
  onEnd(client, (error) => {
    if (course.hasStarted && course.closing === undefined) course.lost.fire(fail(error));
  });
  const session: DatabaseSession = {
    target: parts.target,
    startup: parts.startup,
    get pid() {
      return backendPid(client);
    },
    get ports() {
      return portsOf(client);
    },
    get isPooled() {
      return course.isPooled;
    },
    get isLost() {
      return course.lost.failure !== null;
    },
    get answerBytes() {
      return parts.gate.answerBytes();
    },
    ...createQueries(client, parts, course, createAnswer(client, course, fail, parts.limits)),
    onLost: course.lost.subscribe,
    cancel: () => sendCancelRequest(client, { address: course.address, target: parts.target }),
    close: () => (course.closing ??= endClient(client)),
  };
  const start: OpenedSession['start'] = (isPooled, signal) => {
    course.isPooled = isPooled;
    course.hasStarted = true;
    course.address = addressOf(client);
    if (signal !== undefined) closeOnAbort(client, session, signal);
  };
  return { session, start };
}

/** How far a session has come, for all that is asked of it. */
interface Course {
  readonly lost: LostSignal;
  isPooled: boolean;
  hasStarted: boolean;
  /** Of the other end. */
  address: string | null;
  closing: Promise<void> | undefined;
}

type Answer = <Row>(ask: () => Promise<readonly Row[]>) => Promise<QueryAnswer<Row>>;

/** Asks, unless the session is closed or lost, and makes a failure of what is thrown. */
function createAnswer(
  client: Client,
  course: Course,
  fail: (error: unknown) => DatabaseFailure,
  { onBreach }: SessionLimits,
): Answer {
  const { lost } = course;
  return async (ask) => {
    if (course.closing !== undefined) return { kind: 'failed', failure: cancelledFailure() };
    if (lost.failure !== null) return { kind: 'failed', failure: lost.failure };
    try {
      return { kind: 'rows', rows: await ask() };
    } catch (error) {
      const failure = course.closing === undefined ? fail(error) : cancelledFailure();
      // After the client's own time limit an answer may still arrive; the connection is of no more use.
      if (/Query read timeout/.test(String(error))) client.connection.stream.destroy();
      if (error instanceof ProtocolBreach) {
        onBreach?.(failure.sentence);
        client.connection.stream.destroy(error);
      }
      return {
        kind: 'failed',
        failure: failure.kind === 'statement' && lost.failure !== null ? lost.failure : failure,
      };
    }
  };
}

/** What may be asked of a session. */
function createQueries(
  client: Client,
  { limits, tally = createTally() }: SessionParts,
  course: Course,
  answer: Answer,
): Pick<DatabaseSession, 'query' | 'run' | 'echo' | 'settle' | 'readRewritten'> {
  const inTurn = createLine();
  let undoing: Undoing | undefined;
  return {
    query: (statement, row) => {
      const full = typeof statement === 'string' ? { text: statement } : statement;
      const ask = async (send: () => Promise<QueryResult>) =>
        readRows(await send(), row, full.text);
      // A client that stands in a pooler's line is asked one thing after the other, each with its own patience.
      return course.isPooled
        ? inTurn(() => answer(() => ask(() => queryLocally(client, full, limits))))
        : answer(() => ask(() => queryDirectly(client, full)));
    },
    run: (statement, row = v.any()) =>
      answer(async () => {
        const { isPooled } = course;
        undoing ??= createUndoing(client, { limits, isPooled, inSlices: !isPooled, tally });
        return readRows(await undoing.run(statement), row, statement.text);
      }),
    echo: () => answer(() => sendNothing(client, limits)),
    settle: async () => undoing?.settle(),
    readRewritten: (text) =>
      inTurn(() => answer(() => readRewritten(client, text, limits, pooledAnswerMs(limits)))),
  };
}

async function sendNothing(client: Client, limits: SessionLimits): Promise<readonly unknown[]> {
  const message = { statement: { text: nothingSql }, timeoutMs: pooledAnswerMs(limits) };
  return (await sendUndone(client, message)).result.rows as readonly unknown[];
}

function queryDirectly(client: Client, { values, ...named }: Statement): Promise<QueryResult> {
  return client.query({ ...named, ...(values && { values: [...values] }) });
}

function onEnd(client: Client, listener: (error: unknown) => void): void {
  client.on('error', listener);
  client.on('end', () => listener(new Error('Connection terminated')));
}

function closeOnAbort(client: Client, session: DatabaseSession, signal: AbortSignal): void {
  const close = () => void session.close();
  signal.addEventListener('abort', close, { once: true });
  client.on('end', () => signal.removeEventListener('abort', close));
}

/** Null where the other end has none, as a Unix-domain socket. */
function addressOf({ connection: { stream } }: Client): string | null {
  return stream instanceof Socket ? (stream.remoteAddress ?? null) : null;
}

function portsOf({ connection: { stream } }: Client): DatabaseSession['ports'] {
  const { localPort: local, remotePort: remote } = stream instanceof Socket ? stream : {};
  return local === undefined || remote === undefined ? null : { local, remote };
}

/** One question after the other. */
export function createLine(): <Answer>(ask: () => Promise<Answer>) => Promise<Answer> {
  let previous: Promise<unknown> = Promise.resolve();
  return (ask) => {
    const next = previous.then(ask);
    previous = next;
    return next;
  };
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
      first = failure.kind === 'breach' ? failure : { ...failure, kind: 'lost' };
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
