import { Secret } from '../database/secret.ts';
import type { ConnectionTarget } from '../database/target.ts';
import { type NamedTarget, readTargetOf } from './named-target.ts';

/** One line of a password file; null stands for `*`. */
export interface PgpassLine {
  readonly host: string | null;
  readonly port: string | null;
  readonly database: string | null;
  readonly user: string | null;
  readonly password: Secret;
  /** From 1. */
  readonly line: number;
}

const mostLines = 10_000;

/**
 * Reads `host:port:database:user:password`, with `\:` and `\\` for what would end a field, and `#` for comments
 * (libpq fe-connect.c, passwordFromFile). Lines that lack a field are skipped.
 *
 * Written here since the package pgpass opens the file that its own environment names and gives one password, and here a text is
 * read, whose lines name connections as well.
 */
export function parsePgpass(text: string): readonly PgpassLine[] {
  return text
    .split(/\r?\n/, mostLines)
    .flatMap((line, index) =>
      line === '' || line.startsWith('#') ? [] : parseLine(line, index + 1),
    );
}

function parseLine(text: string, line: number): readonly PgpassLine[] {
  const fields: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length && fields.length < 4; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === ':') {
      fields.push(text.slice(start, at));
      start = at + 1;
    }
  }
  const password = unescape(text.slice(start));
  if (fields.length < 4 || password === '') return [];
  const [host = null, port = null, database = null, user = null] = fields.map((field) =>
    field === '*' ? null : unescape(field),
  );
  return [{ host, port, database, user, password: new Secret(password), line }];
}

function unescape(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}

export interface PasswordSearch {
  /** Only lines that name the host count: for addresses that come from a repository, which may name anybody's server. */
  readonly namedHostsOnly?: boolean;
}

/** The password of the first line that matches, as in libpq. A Unix-domain socket is found under its folder, and as `localhost` where servers usually have it. */
export function findPassword(
  lines: readonly PgpassLine[],
  { host, port, database, user }: ConnectionTarget,
  { namedHostsOnly = false }: PasswordSearch = {},
): Secret | null {
  const hosts = isUsualSocketFolder(host) ? [host, 'localhost'] : [host];
  const found = lines.find(
    (line) =>
      (line.host === null ? !namedHostsOnly : hosts.includes(line.host)) &&
      fits(line.port, String(port)) &&
      fits(line.database, database) &&
      fits(line.user, user),
  );
  return found?.password ?? null;
}

function fits(pattern: string | null, value: string): boolean {
  return pattern === null || pattern === value;
}

/** Lines that name everything are connections of their own. */
export function connectionsInPgpass(lines: readonly PgpassLine[]): readonly NamedTarget[] {
  return lines.flatMap(({ host, port, database, user, password, line }) =>
    host === null || port === null || database === null || user === null
      ? []
      : readTargetOf(`line ${line}`, { host, port, dbname: database, user }).map((named) => ({
          ...named,
          secret: password,
        })),
  );
}

/**
 * Where a server of this machine has its socket: libpq's own default, those of Debian and Fedora, and of macOS. Anywhere else whoever may
 * write there may answer, so that libpq does not take such a folder for `localhost` either (fe-connect.c, passwordFromFile).
 */
export function isUsualSocketFolder(host: string): boolean {
  return /^(?:\/tmp|(?:\/var)?\/run\/postgresql|\/private\/tmp|\/var\/pgsql_socket)\/?$/.test(host);
}
