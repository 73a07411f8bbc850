import { messageOf } from './failure-words.ts';
import type { ConnectionTarget, TlsChoice } from './target.ts';

export type DatabaseFailureKind =
  | 'unreachable'
  | 'wrong-password'
  | 'no-such-role'
  | 'no-such-database'
  | 'tls-refused'
  | 'not-postgres'
  /** The server said what PostgreSQL does not say. */
  | 'breach'
  | 'too-many'
  | 'permission'
  | 'lost'
  | 'timeout'
  | 'too-long'
  | 'cancelled'
  | 'statement'
  | 'unexpected';

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

/** `foreign`: the first answer was not one that PostgreSQL can give. */
export type WireState = 'not connected' | 'no answer yet' | 'answered' | 'foreign';

export type FailureStage = 'connect' | 'work';

/** What is known of a failure before it is told. */
export interface FailureFacts {
  readonly code: string | null;
  /** Of the driver or the server, made safe to print. */
  readonly message: string;
  readonly during: FailureStage;
  readonly wire: WireState | null;
  readonly isPooled: boolean;
  readonly target: ConnectionTarget;
}

/** One kind of failure: how it shows, and what is said of it. Every condition that a row names must hold. */
export interface FailureRow {
  readonly kind: DatabaseFailureKind;
  readonly codes?: readonly string[];
  readonly message?: RegExp;
  readonly wire?: readonly WireState[];
  readonly during?: FailureStage;
  readonly otherTls?: TlsChoice;
  readonly isPooled?: boolean;
  readonly say: (facts: FailureFacts & { readonly place: string }) => string;
}

/** Whether every condition that the row names holds. */
export function matches(
  { codes, message, wire, during, isPooled }: FailureRow,
  facts: FailureFacts,
): boolean {
  return (
    (codes === undefined || (facts.code !== null && codes.includes(facts.code))) &&
    (message === undefined || message.test(facts.message)) &&
    (wire === undefined || (facts.wire !== null && wire.includes(facts.wire))) &&
    (during === undefined || during === facts.during) &&
    (isPooled === undefined || isPooled === facts.isPooled)
  );
}

/** A mistake of ours: says what was thrown, and guesses nothing about the server. */
export function unexpectedFailure(error: unknown): DatabaseFailure {
  return {
    kind: 'unexpected',
    sentence: `Poolguard failed unexpectedly: ${messageOf(error, null)}.`,
    code: null,
    error,
  };
}
