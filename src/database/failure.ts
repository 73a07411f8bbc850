import { toPlainText } from '../activity/plain-text.ts';
import { failedAnswers } from './failed-answers.ts';
import { failedConnects } from './failed-connects.ts';
import {
  type DatabaseFailureKind,
  type FailureFacts,
  type FailureRow,
  type FailureStage,
  matches,
  type WireState,
} from './failure-row.ts';
import { codeOf, isOfStatement, messageOf, refusedStatement } from './failure-words.ts';
import type { Secret } from './secret.ts';
import { type ConnectionTarget, describePlace, type TlsChoice } from './target.ts';

/** What went wrong, for the user. Holds no secret and no control character. */
export interface DatabaseFailure {
  readonly kind: DatabaseFailureKind;
  /** What, where, and what to do. */
  readonly sentence: string;
  /** SQLSTATE, or the error code of Node or OpenSSL. Null when the driver gave neither. */
  readonly code: string | null;
  /** The other way to protect the connection, when that is what stands in the way; for the user to choose, never taken unasked. */
  readonly otherTls?: TlsChoice;
  /** What was thrown, when that is nobody's mistake but ours. It never leaves this process as it is: its text may hold a secret. */
  readonly error?: unknown;
}

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

/** A mistake of ours: says what was thrown, and guesses nothing about the server. */
export function unexpectedFailure(error: unknown): DatabaseFailure {
  return {
    kind: 'unexpected',
    sentence: `Poolguard failed unexpectedly: ${messageOf(error, null)}.`,
    code: null,
    error,
  };
}
