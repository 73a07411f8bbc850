import { toPlainText } from '../activity/plain-text.ts';
import { failedAnswers } from './failed-answers.ts';
import { failedConnects } from './failed-connects.ts';
import { failedProtocol } from './failed-protocol.ts';
import {
  type DatabaseFailure,
  type FailureFacts,
  type FailureRow,
  type FailureStage,
  matches,
  type WireState,
} from './failure-row.ts';
import { codeOf, isOfStatement, messageOf, refusedStatement } from './failure-words.ts';
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

  ...failedProtocol,
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
