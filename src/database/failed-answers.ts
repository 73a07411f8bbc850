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
      `The server at ${place} does not let ${user(target)} into database ${quoted(target.database)} (${message}). GRANT CONNECT ON that database TO the role, or name another one.`,
  },
  {
    kind: 'permission',
    codes: ['42501'],
    say: ({ place, target, message }) =>
      `The server at ${place} does not allow ${user(target)} to do this (${message}). A role in pg_monitor may read all activity.`,
  },
  {
    kind: 'timeout',
    codes: ['57014', '55P03', '25P04'],
    message: /timeout/,
    say: ({ place, message }) => `The server at ${place} gave up on the statement (${message}).`,
  },
  {
    kind: 'timeout',
    message: /Query read timeout/,
    during: 'connect',
    say: ({ place }) =>
      `${place} let the session in, and did not answer its first statement in time: the server is stuck, or a pooler in between has no backend free.`,
  },
  {
    kind: 'timeout',
    message: /Query read timeout/,
    isPooled: true,
    say: ({ place }) =>
      `The pooler at ${place} gave no backend in time: all of its pool are lent, or the server is stuck. Its console (\`poolguard pooler\`) shows who waits; the place of this attempt stays in its line until its turn, or query_wait_timeout.`,
  },
  {
    kind: 'timeout',
    message: /Query read timeout/,
    say: ({ place }) =>
      `The server at ${place} did not answer the statement in time. The server or the network is stuck.`,
  },
  {
    kind: 'too-long',
    message: /^The answer is longer than \d+ bytes/,
    say: ({ place, message }) =>
      `The answer from ${place} was cut off, and its connection closed: it is longer than ${toMegabytes(message)} MB.`,
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
      `The pooler at ${place} has no database ${quoted(target.database)}. Check the name, and [databases] in its configuration.`,
  },
  {
    kind: 'wrong-password',
    codes: ['08P01'],
    message: /^(?:password|SASL) authentication failed|^no such user/i,
    say: ({ place, target }) =>
      `The pooler at ${place} refused ${user(target)}. Check user and password, and its auth_file.`,
  },
  {
    kind: 'statement',
    message: /^The console of a pooler answered$|^invalid command '/i,
    say: ({ place }) =>
      `This is the console of the pooler at ${place}, not a database. Name a database instead; \`poolguard pooler\` shows the console.`,
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
    say: ({ place }) => `The connection to ${place} was lost: the other side closed it.`,
  },
];
