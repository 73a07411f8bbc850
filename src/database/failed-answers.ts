import { lostGuards, quoted, toMegabytes, user, writingTrigger } from './failure-words.ts';
import type { FailureRow } from './failure-row.ts';

/** What was refused, given up or lost behind the door, and what poolers say in words of their own. In order. */
export const failedAnswers: readonly FailureRow[] = [
  { kind: 'permission', codes: ['25006'], during: 'connect', say: writingTrigger },
  { kind: 'permission', message: /^The session did not keep /, during: 'connect', say: lostGuards },
  {
    kind: 'permission',
    codes: ['42501'],
    during: 'connect',
    say: ({ place, target, message }) =>
      `The server at ${place} denied ${user(target)} access to database ${quoted(target.database)} (${message}). GRANT CONNECT on the database to the role, or use another database.`,
  },
  {
    kind: 'permission',
    codes: ['42501'],
    say: ({ place, target, message }) =>
      `Permission denied for ${user(target)} on the server at ${place} (${message}). To read all activity, GRANT pg_monitor to the role.`,
  },
  {
    kind: 'timeout',
    codes: ['57014', '55P03', '25P04'],
    message: /timeout/,
    say: ({ place, message }) => `The server at ${place} cancelled the statement (${message}).`,
  },
  {
    kind: 'timeout',
    message: /Query read timeout/,
    during: 'connect',
    say: ({ place }) =>
      `${place} accepted the session, but its first statement timed out: the server does not respond, or a pooler in between has no free server connection.`,
  },
  {
    kind: 'timeout',
    message: /Query read timeout/,
    isPooled: true,
    say: ({ place }) =>
      `Timed out waiting for a server connection of the pooler at ${place}: all of them are in use, or the server does not respond. Its console (\`poolguard pooler\`) shows who waits; this attempt stays queued there until query_wait_timeout.`,
  },
  {
    kind: 'timeout',
    message: /Query read timeout/,
    say: ({ place }) =>
      `The statement timed out: the server at ${place} does not respond. Check the server and the network.`,
  },
  {
    kind: 'too-long',
    message: /^The answer is longer than \d+ bytes/,
    say: ({ place, message }) =>
      `The result from ${place} exceeds ${toMegabytes(message)} MB, so the connection was closed.`,
  },
  {
    kind: 'cancelled',
    codes: ['57014'],
    say: ({ place }) => `The statement was cancelled on the server at ${place}.`,
  },
  {
    // PgBouncer says so under the code of a protocol violation, and closes the connection.
    kind: 'no-such-database',
    message: /^no such database\b/i,
    say: ({ place, target }) =>
      `The pooler at ${place} has no database ${quoted(target.database)}. Check the name, and the section [databases] of its configuration.`,
  },
  {
    kind: 'wrong-password',
    codes: ['08P01'],
    message: /^(?:password|SASL) authentication failed|^no such user/i,
    say: ({ place, target }) =>
      `The pooler at ${place} rejected ${user(target)}. Check the user, the password and the auth_file of the pooler.`,
  },
  {
    kind: 'statement',
    message: /^The console of a pooler answered$|^invalid command '/i,
    say: ({ place }) =>
      `This is the console of the pooler at ${place}, not a database. Use the name of a database; \`poolguard pooler\` shows the console.`,
  },
  {
    kind: 'lost',
    codes: [
      '57P01',
      '57P02',
      '57P04',
      '57P05',
      '25P03',
      '08000',
      '08003',
      '08006',
      '08P01',
      'ECONNRESET',
      'EPIPE',
      'ERR_STREAM_DESTROYED',
    ],
    say: ({ place, message }) => `The connection to ${place} was lost (${message}).`,
  },
  {
    kind: 'lost',
    message: /Connection terminated|not queryable|Client was closed|after calling end/i,
    say: ({ place }) => `The connection to ${place} was lost: the server closed it.`,
  },
];
