import { toPlainText, toShortText } from '../activity/plain-text.ts';
import { redact, type Secret } from './secret.ts';
import type { ConnectionTarget } from './target.ts';

export function user({ user: name }: ConnectionTarget): string {
  return `user ${quoted(name)}`;
}

export function quoted(name: string): string {
  return `"${toPlainText(name)}"`;
}

const whoChose: Readonly<Record<ConnectionTarget['tlsChosenBy'], string>> = {
  default: 'Poolguard requires it for every host except this machine',
  'connection string': 'the connection string requires it',
  user: 'it was chosen for this connection',
};

export function whoWantsTls({ tlsChosenBy }: ConnectionTarget): string {
  return whoChose[tlsChosenBy];
}

/** Of the first number in a text, which counts bytes. */
export function toMegabytes(message: string): number {
  return Math.round(Number(/\d+/.exec(message)?.[0] ?? 0) / 1e6);
}

export function closedEarly({ place }: { readonly place: string }): string {
  return `${place} closed the connection before responding. Either another program listens on that port, or a proxy cannot reach its server. Check the host and port.`;
}

interface Said {
  readonly place: string;
  readonly target: ConnectionTarget;
  /** Of the server. */
  readonly message: string;
}

export function writingTrigger({ place, target, message }: Said): string {
  return `A login trigger of database ${quoted(target.database)} at ${place} writes, which fails in a read-only session (${message}). Connect to another database of that server, or make the trigger return early if current_setting('transaction_read_only') is on.`;
}

/** Thrown where a session did not take what keeps it safe. */
export function lostGuardsError(names: readonly string[]): Error {
  return new Error(`${lostPrefix}${names.join(', ')}`);
}

const lostPrefix = 'The session did not keep ';

export function lostGuards({ place, message }: Pick<Said, 'place' | 'message'>): string {
  return `The server at ${place} does not keep Poolguard's safety settings (${message.slice(lostPrefix.length)}), so the session was closed. Connect to PostgreSQL directly, or disable the login trigger that resets them.`;
}

/** What an error says, without the secret and safe to print. */
export function messageOf(error: unknown, secret: Secret | null): string {
  const text =
    error instanceof AggregateError && error.errors.length > 0
      ? String(error.errors[0])
      : error instanceof Error
        ? error.message
        : String(error);
  return toShortText(redact(text, secret), 200).trim().replace(/\.$/, '');
}

/** SQLSTATE, or the error code of Node or OpenSSL; null for an error that has none. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  // A host with several addresses fails with one error for each (`net.connect`, happy eyeballs).
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether a SQLSTATE speaks of the statement, its values or what it may do, not of the server's state (PostgreSQL, appendix A: by its class). */
export function isOfStatement(code: string | null): boolean {
  return /^(?:0[9ABLPZ]|2[0-7BDF]|3[4BF]|4[24]|P0)[0-9A-Z]{3}$/.test(code ?? '');
}

export function refusedStatement(message: string): string {
  return `PostgreSQL rejected the statement: ${message}.`;
}
