import { user } from './failure-words.ts';
import type { FailureRow } from './failure-row.ts';

/** What no server says that speaks the protocol as Poolguard does. In order. */
export const failedProtocol: readonly FailureRow[] = [
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
];
