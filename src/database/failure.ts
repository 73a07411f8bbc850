import { shorten, toPlainText } from '../activity/plain-text.ts';
import {
  closedEarly,
  codeOf,
  isOfStatement,
  quoted,
  refusedStatement,
  toMegabytes,
  user,
  whoWantsTls,
} from './failure-words.ts';
import { redact, type Secret } from './secret.ts';
import { describePlace, type ConnectionTarget, type TlsChoice } from './target.ts';

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
  | 'statement';

/** What went wrong, for the user. Holds no secret and no control character. */
export interface DatabaseFailure {
  readonly kind: DatabaseFailureKind;
  /** What, where, and what to do. */
  readonly sentence: string;
  /** SQLSTATE, or the error code of Node or OpenSSL. Null when the driver gave neither. */
  readonly code: string | null;
  /** The other way to protect the connection, when that is what stands in the way; for the user to choose, never taken unasked. */
  readonly otherTls?: TlsChoice;
}

/** What is known besides the error. */
export interface FailureContext {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
  readonly during: 'connect' | 'work';
  /** How far the connection came, by what was seen on the socket. */
  readonly wire?: WireState;
  /** Whether a pooler lends the backends. */
  readonly isPooled?: boolean;
}

/** `foreign`: the first answer was not one that PostgreSQL can give. */
export type WireState = 'not connected' | 'no answer yet' | 'answered' | 'foreign';

interface Facts {
  readonly code: string | null;
  /** Of the driver or the server, made safe to print. */
  readonly message: string;
  readonly during: FailureContext['during'];
  readonly wire: WireState | null;
  readonly isPooled: boolean;
  readonly target: ConnectionTarget;
}

interface Row {
  readonly kind: DatabaseFailureKind;
  readonly codes?: readonly string[];
  readonly message?: RegExp;
  readonly wire?: readonly WireState[];
  readonly during?: FailureContext['during'];
  readonly otherTls?: TlsChoice;
  readonly isPooled?: boolean;
  readonly say: (facts: Facts & { readonly place: string }) => string;
}

/** Puts any error of `pg`, Node's sockets or the server into words. */
export function toDatabaseFailure(
  error: unknown,
  { target, secret, during, wire, isPooled = false }: FailureContext,
): DatabaseFailure {
  const facts: Facts = {
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

/** Rows hold in order. Every condition that a row names must hold. */
const rows: readonly Row[] = [
  {
    kind: 'cancelled',
    codes: ['ABORT_ERR'],
    say: () => cancelledFailure().sentence,
  },
  {
    kind: 'tls-refused',
    message: /^led to \S+, which is (?:not this machine|in no private network)$/,
    during: 'connect',
    otherTls: 'verify',
    say: ({ place, message }) =>
      `${place} ${message}, although the name says that it is: nothing was sent. Write the address instead of the name if that server is meant, or add sslmode=verify-full to the connection string, with which a certificate vouches for it.`,
  },
  {
    kind: 'tls-refused',
    message: /^The password is wanted in clear text$/,
    during: 'connect',
    otherTls: 'verify',
    say: ({ place }) =>
      `The server at ${place} asks for the password in clear text, over a connection without TLS, so it was not sent. Add sslmode=verify-full to the connection string.`,
  },
  {
    kind: 'not-postgres',
    wire: ['foreign'],
    during: 'connect',
    say: ({ place }) =>
      `${place} does not speak PostgreSQL: another program listens on that port. Check host and port.`,
  },
  {
    kind: 'unreachable',
    codes: ['ECONNREFUSED'],
    say: ({ place }) => `Nothing listens on ${place}. Start the server, or check host and port.`,
  },
  {
    kind: 'unreachable',
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'],
    say: ({ target }) =>
      `The host name ${toPlainText(target.host)} cannot be resolved. Check its spelling, and the network.`,
  },
  {
    kind: 'tls-refused',
    message: /, (?:open|read)\b/,
    codes: ['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR', 'ELOOP', 'ENXIO', 'EFBIG', 'EINVAL'],
    say: ({ message }) =>
      `A certificate file of the connection string cannot be read (${message}).`,
  },
  {
    kind: 'unreachable',
    codes: ['ENOENT', 'EACCES', 'ENOTSOCK'],
    during: 'connect',
    wire: ['not connected'],
    say: ({ place, code }) =>
      `There is no usable Unix-domain socket for ${place} (${code}). Check the folder, and that the server runs.`,
  },
  {
    kind: 'unreachable',
    codes: [
      'EHOSTUNREACH',
      'ENETUNREACH',
      'EHOSTDOWN',
      'ENETDOWN',
      'ETIMEDOUT',
      'EADDRNOTAVAIL',
      'EINVAL',
    ],
    say: ({ place, code }) =>
      `${place} cannot be reached (${code}). Check host and port, the network, and any firewall or VPN.`,
  },
  {
    kind: 'unreachable',
    message: /timeout expired|timeout exceeded/,
    wire: ['not connected'],
    say: ({ place }) =>
      `${place} did not accept a connection in time. Check host and port, the network, and any firewall or VPN.`,
  },
  {
    kind: 'unreachable',
    codes: ['57P03'],
    say: ({ place, message }) =>
      `The server at ${place} takes no connections for the moment (${message}). Try again shortly.`,
  },
  {
    kind: 'wrong-password',
    codes: ['28P01'],
    say: ({ place, target }) =>
      `The server at ${place} refused the password of ${user(target)}. Check user and password.`,
  },
  {
    kind: 'wrong-password',
    message: /client password must be a (?:non-empty )?string/,
    say: ({ place, target }) =>
      `The server at ${place} asks for a password, and none was given for ${user(target)}.`,
  },
  {
    kind: 'tls-refused',
    codes: ['28000'],
    message: /no encryption|SSL off|hostssl/i,
    otherTls: 'verify',
    say: ({ place, target }) =>
      `The server at ${place} does not let ${user(target)} in without TLS. Add sslmode=require to the connection string, unless this host or database is closed to that user (pg_hba.conf).`,
  },
  {
    kind: 'no-such-role',
    codes: ['28000'],
    say: ({ place, target, message }) =>
      `The server at ${place} does not let ${user(target)} in (${message}). Check the user name, and pg_hba.conf.`,
  },
  {
    kind: 'no-such-database',
    codes: ['3D000'],
    say: ({ place, target }) =>
      `The server at ${place} has no database ${quoted(target.database)}. Check the name of the database.`,
  },
  {
    kind: 'too-many',
    codes: ['53300', '53400'],
    say: ({ place, message }) =>
      `The server at ${place} has no connection left for this role (${message}). Close some, or raise the limit.`,
  },
  {
    kind: 'too-many',
    message: /no more connections allowed|query_wait_timeout|max client connections reached/i,
    say: ({ place, message }) =>
      `The pooler at ${place} has no connection left (${message}). Close some, or raise its limits.`,
  },
  {
    kind: 'tls-refused',
    message: /does not support SSL/,
    otherTls: 'off',
    say: ({ place, target }) =>
      `The server at ${place} has no TLS, and ${whoWantsTls(target)}. If the network in between is trusted, add sslmode=disable to the connection string.`,
  },
  {
    kind: 'tls-refused',
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    otherTls: 'no-verify',
    say: ({ place }) =>
      `The certificate of the server at ${place} is for another host name. Connect by the name it was issued for; sslmode=no-verify encrypts without checking who answers.`,
  },
  {
    kind: 'tls-refused',
    message: /certificate/i,
    during: 'connect',
    otherTls: 'no-verify',
    say: ({ place, message }) =>
      `The certificate of the server at ${place} is not trusted (${message}). Name its authority with sslrootcert=<file>; sslmode=no-verify encrypts without checking who answers.`,
  },
  {
    kind: 'tls-refused',
    message: /SSL|TLS|EPROTO|PEM|handshake/,
    during: 'connect',
    say: ({ place, message }) =>
      `No TLS connection to ${place} came about (${message}). Check sslmode and the port.`,
  },
  {
    kind: 'timeout',
    message: /timeout expired|timeout exceeded/,
    wire: ['answered'],
    say: ({ place }) =>
      `The server at ${place} began to answer, but did not let the session in in time. It may be overloaded; try again.`,
  },
  {
    kind: 'not-postgres',
    message: /timeout expired|timeout exceeded/,
    during: 'connect',
    say: ({ place }) =>
      `${place} accepted the connection but never answered. Either another program listens on that port, or the server is stuck. Check host and port.`,
  },
  {
    kind: 'not-postgres',
    during: 'connect',
    wire: ['no answer yet'],
    say: closedEarly,
  },
  {
    kind: 'not-postgres',
    codes: ['ECONNRESET', 'EPIPE'],
    during: 'connect',
    wire: ['not connected'],
    say: closedEarly,
  },
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
    message: /^invalid command '/i,
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

const unknownRow: Row = {
  kind: 'statement',
  say: ({ place, message, during, code }) =>
    during === 'work' && isOfStatement(code)
      ? refusedStatement(message)
      : `${during === 'connect' ? 'Connecting to' : 'The server at'} ${place} failed: ${message}.`,
};

function matches({ codes, message, wire, during, isPooled }: Row, facts: Facts): boolean {
  return (
    (codes === undefined || (facts.code !== null && codes.includes(facts.code))) &&
    (message === undefined || message.test(facts.message)) &&
    (wire === undefined || (facts.wire !== null && wire.includes(facts.wire))) &&
    (during === undefined || during === facts.during) &&
    (isPooled === undefined || isPooled === facts.isPooled)
  );
}

function messageOf(error: unknown, secret: Secret | null): string {
  const text =
    error instanceof AggregateError && error.errors.length > 0
      ? String(error.errors[0])
      : error instanceof Error
        ? error.message
        : String(error);
  return shorten(toPlainText(redact(text, secret)).trim().replace(/\.$/, ''), 200);
}
