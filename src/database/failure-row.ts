import type { ConnectionTarget, TlsChoice } from './target.ts';

export type DatabaseFailureKind =
  | 'unreachable'
  | 'wrong-password'
  | 'no-such-role'
  | 'no-such-database'
  | 'tls-refused'
  | 'not-postgres'
  | 'too-many'
  | 'permission'
  | 'lost'
  | 'timeout'
  | 'too-long'
  | 'cancelled'
  | 'statement'
  | 'unexpected';

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
