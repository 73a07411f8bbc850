import { toPlainText } from '../activity/plain-text.ts';
import { closedEarly, quoted, user, whoWantsTls } from './failure-words.ts';
import type { FailureRow } from './failure-row.ts';

/** Where no session came about: the way there, TLS, and whom the server lets in. In order. */
export const failedConnects: readonly FailureRow[] = [
  {
    kind: 'tls-refused',
    message: /^resolves to \S+, which is not (?:this machine|in a private network)$/,
    during: 'connect',
    otherTls: 'verify',
    say: ({ place, message }) =>
      `${place} ${message}, contrary to its name. Nothing was sent. To connect to that server, use its address instead of its name, or verify its certificate with sslmode=verify-full in the connection string.`,
  },
  {
    kind: 'tls-refused',
    message: /^The password is wanted in clear text$/,
    during: 'connect',
    otherTls: 'verify',
    say: ({ place }) =>
      `The server at ${place} requests a cleartext password over a connection without TLS, so the password was not sent. Add sslmode=verify-full to the connection string.`,
  },
  {
    kind: 'not-postgres',
    wire: ['foreign'],
    during: 'connect',
    say: ({ place }) =>
      `${place} is not a PostgreSQL server: another program listens on that port. Check the host and port.`,
  },
  {
    kind: 'unreachable',
    codes: ['ECONNREFUSED'],
    say: ({ place }) =>
      `Connection refused: nothing listens on ${place}. Start the server, or check the host and port.`,
  },
  {
    kind: 'unreachable',
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'],
    say: ({ target }) =>
      `The host name ${toPlainText(target.host)} cannot be resolved. Check its spelling and the network.`,
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
      `There is no usable Unix-domain socket for ${place} (${code}). Check the directory, and that the server is running.`,
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
      `${place} cannot be reached (${code}). Check the host and port, the network, and any firewall or VPN.`,
  },
  {
    kind: 'unreachable',
    message: /timeout expired|timeout exceeded/,
    wire: ['not connected'],
    say: ({ place }) =>
      `Connecting to ${place} timed out. Check the host and port, the network, and any firewall or VPN.`,
  },
  {
    kind: 'unreachable',
    codes: ['57P03'],
    say: ({ place, message }) =>
      `The server at ${place} is not accepting connections (${message}). Try again shortly.`,
  },
  {
    kind: 'wrong-password',
    codes: ['28P01'],
    say: ({ place, target }) =>
      `Password authentication failed for ${user(target)} at ${place}. Check the user and password.`,
  },
  {
    kind: 'wrong-password',
    message: /client password must be a (?:non-empty )?string/,
    say: ({ place, target }) =>
      `The server at ${place} requires a password for ${user(target)}, but none is set.`,
  },
  {
    kind: 'tls-refused',
    codes: ['28000'],
    message: /no encryption|SSL off|hostssl/i,
    otherTls: 'verify',
    say: ({ place, target }) =>
      `The server at ${place} rejected ${user(target)} without TLS. Add sslmode=require to the connection string, or check that pg_hba.conf allows this host, user and database.`,
  },
  {
    kind: 'no-such-role',
    codes: ['28000'],
    say: ({ place, target, message }) =>
      `The server at ${place} rejected ${user(target)} (${message}). Check the user name and pg_hba.conf.`,
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
      `The server at ${place} has no free connections for this role (${message}). Close some, or raise the limit.`,
  },
  {
    kind: 'too-many',
    message: /no more connections allowed|query_wait_timeout|max client connections reached/i,
    say: ({ place, message }) =>
      `The pooler at ${place} has no free connections (${message}). Close some, or raise its limits.`,
  },
  {
    kind: 'tls-refused',
    message: /does not support SSL/,
    otherTls: 'off',
    say: ({ place, target }) =>
      `The server at ${place} does not support TLS, but ${whoWantsTls(target)}. If the network is trusted, add sslmode=disable to the connection string.`,
  },
  {
    kind: 'tls-refused',
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    otherTls: 'no-verify',
    say: ({ place }) =>
      `The certificate of the server at ${place} is for another host name. Use the host name of the certificate; sslmode=no-verify encrypts without verifying it.`,
  },
  {
    kind: 'tls-refused',
    message: /certificate/i,
    during: 'connect',
    otherTls: 'no-verify',
    say: ({ place, message }) =>
      `The certificate of the server at ${place} is not trusted (${message}). Set the certificate authority with sslrootcert=<file>; sslmode=no-verify encrypts without verifying it.`,
  },
  {
    kind: 'tls-refused',
    message: /SSL|TLS|EPROTO|PEM|handshake/,
    during: 'connect',
    say: ({ place, message }) =>
      `The TLS handshake with ${place} failed (${message}). Check sslmode and the port.`,
  },
  {
    kind: 'timeout',
    message: /timeout expired|timeout exceeded/,
    wire: ['answered'],
    say: ({ place }) =>
      `Connecting to ${place} timed out during authentication. The server may be overloaded; try again.`,
  },
  {
    kind: 'not-postgres',
    message: /timeout expired|timeout exceeded/,
    during: 'connect',
    say: ({ place }) =>
      `${place} accepted the connection but did not respond. Either another program listens on that port, or the server hangs. Check the host and port.`,
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
