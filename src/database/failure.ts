import { toPlainText } from '../activity/plain-text.ts';
import { failedAnswers } from './failed-answers.ts';
import { failedConnects } from './failed-connects.ts';
import {
  type DatabaseFailure,
  type FailureFacts,
  type FailureRow,
  type FailureStage,
  matches,
  type WireState,
} from './failure-row.ts';
import { codeOf, isOfStatement, messageOf, refusedStatement, user } from './failure-words.ts';
import type { Secret } from './secret.ts';
import { type ConnectionTarget, describePlace } from './target.ts';

/** What is known besides the error. */
export interface FailureContext {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
  readonly during: FailureStage;
  /** How far the connection came, by what was seen on the socket. */
  readonly wire?: WireState;
  /** Whether a pooler lends the backends. */
  readonly isPooled?: boolean;
}

/** Puts any error of `pg`, Node's sockets or the server into words. */
export function toDatabaseFailure(
  error: unknown,
  { target, secret, during, wire, isPooled = false }: FailureContext,
): DatabaseFailure {
  const facts: FailureFacts = {
    code: codeOf(error),
    message: messageOf(error, secret),
    during,
    wire: wire ?? null,
    isPooled,
    target,
  };
  const row = rows.find((each) => matches(each, facts)) ?? unknownRow;
  const { kind, otherTls } = row;
  return {
    kind,
    sentence: row.say({ ...facts, place: toPlainText(describePlace(target)) }),
    code: facts.code,
    ...(otherTls !== undefined && { otherTls }),
  };
}

export function cancelledFailure(): DatabaseFailure {
  return { kind: 'cancelled', sentence: 'Cancelled.', code: null };
}

/** Rows hold in order. */
const rows: readonly FailureRow[] = [
  {
    kind: 'cancelled',
    codes: ['ABORT_ERR'],
    say: () => cancelledFailure().sentence,
  },
  // What no server says that speaks the protocol as Poolguard does.
  {
    kind: 'permission',
    message: /^The server sent Authentication(?:Kerberos|GSS|SSPI)|^SASL: Only mechanism/,
    say: ({ place, target, message }) =>
      `The server at ${place} wants ${user(target)} to log in by a method that Poolguard does not support (${message}). Use a role that logs in with a password (SCRAM) in pg_hba.conf.`,
  },
  {
    // Of a `ProtocolBreach`.
    kind: 'breach',
    message: /^The server sent /,
    say: ({ place, message }) =>
      `The server at ${place} ${message.slice('The server '.length)}, so the connection was closed. Connect to PostgreSQL or to a pooler for it.`,
  },
  {
    kind: 'breach',
    message: /^SASL: (?!.*client password)/,
    say: ({ place, target, message }) =>
      `The server at ${place} sent no proof that it knows the password of ${user(target)} in answer to SCRAM (${message}), so the connection was closed. Check that it is the server that you mean.`,
  },
  ...failedConnects,
  ...failedAnswers,
];

const unknownRow: FailureRow = {
  kind: 'statement',
  say: ({ place, message, during, code }) =>
    during === 'work' && isOfStatement(code)
      ? refusedStatement(message)
      : `${during === 'connect' ? 'Connecting to' : 'The server at'} ${place} failed: ${message}.`,
};
