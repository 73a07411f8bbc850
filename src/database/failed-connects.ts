import { toPlainText } from '../activity/plain-text.ts';
import { closedEarly, quoted, user, whoWantsTls } from './failure-words.ts';
import type { FailureRow } from './failure-row.ts';

/** Where no session came about: the way there, TLS, and whom the server lets in. In order. */
export const failedConnects: readonly FailureRow[] = [
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
];
