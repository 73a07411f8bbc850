import { isIP } from 'node:net';
import { Secret } from './secret.ts';

/** How the connection is protected: not at all, with a certificate that is checked, or with one that is not. */
export type TlsChoice = 'off' | 'verify' | 'no-verify';

/** Where to connect and as whom, without the secret: safe to print, store and send. */
export interface ConnectionTarget {
  /** A host name, an address without brackets, or the folder of a Unix-domain socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly tls: TlsChoice;
  /** Whether somebody asked for this `tls`, there or in the editor, or it follows from the host. */
  readonly tlsChosenBy: 'connection string' | 'user' | 'default';
  /** PEM files: `sslrootcert`, `sslcert`, `sslkey`. */
  readonly tlsFiles: TlsFiles;
}

export interface TlsFiles {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

export type ParsedTarget =
  | { readonly kind: 'target'; readonly target: ConnectionTarget; readonly secret: Secret | null }
  | {
      readonly kind: 'problem';
      /** Never repeats the input, which holds a password. */ readonly sentence: string;
    };

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a connection string or a file said, under libpq's parameter names. */
export type TargetParameters = Readonly<Record<string, string | undefined>>;

type ReadParameters =
  | { readonly kind: 'parameters'; readonly parameters: TargetParameters }
  | { readonly kind: 'problem'; readonly sentence: string };

/**
 * Reads a `postgres://` or `postgresql://` URL, or a `key=value` string of libpq.
 * What the text leaves open comes from `environment` (`PGUSER`, `PGPASSWORD`, …), as libpq does; pass nothing for a text that somebody else wrote.
 */
export function parseTarget(text: string, environment: Environment = {}): ParsedTarget {
  const read = readParameters(text.trim());
  return read.kind === 'problem'
    ? read
    : targetFromParameters({ ...environmentParameters(environment), ...defined(read.parameters) });
}

/** `DATABASE_URL`, or else the `PG*` variables of libpq. Null when neither is set. */
export function targetFromEnvironment(environment: Environment): ParsedTarget | null {
  if (environment['DATABASE_URL']) return parseTarget(environment['DATABASE_URL'], environment);
  const names = ['PGHOST', 'PGPORT', 'PGDATABASE', 'PGUSER'];
  return names.some((name) => environment[name])
    ? targetFromParameters(environmentParameters(environment))
    : null;
}

/** For example `app@localhost:5432/shop`. */
export function describeTarget({ user, host, port, database }: ConnectionTarget): string {
  return `${user}@${describePlace({ host, port })}/${database}`;
}

/** For example `localhost:5432` or `[::1]:5432`. */
export function describePlace({ host, port }: Pick<ConnectionTarget, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** True for this machine: `localhost` and its subdomains, 127.0.0.0/8, ::1, a Unix-domain socket. */
export function isLoopback(host: string): boolean {
  if (host.startsWith('/')) return true;
  if (isIP(host) === 4) return host.startsWith('127.');
  if (isIP(host) === 6) return /^(?:(?:0{1,4}:){7}0{0,3}1|::1|::ffff:127\..*)$/i.test(host);
  return /^(?:.*\.)?localhost\.?$/i.test(host);
}

function readParameters(text: string): ReadParameters {
  if (text === '')
    return problem(
      'The connection string is empty. Use the form postgres://user@host:5432/database.',
    );
  if (/^postgres(?:ql)?:\/\//i.test(text)) return readUrl(text);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined)
    return problem(
      `The connection string starts with ${foreignSchemes.has(scheme) ? `${scheme}://` : 'another scheme'}, but must start with postgres:// or postgresql://.`,
    );
  if (/^\s*\w+\s*=/.test(text)) return readKeyValues(text);
  return problem(
    'The connection string is neither a URL nor key=value pairs. Use the form postgres://user@host:5432/database.',
  );
}

/** Only these are repeated: what else stands before `://` may be a password that was pasted there. */
const foreignSchemes: ReadonlySet<string> = new Set([
  'amqp',
  'cockroachdb',
  'file',
  'ftp',
  'http',
  'https',
  'mariadb',
  'mongodb',
  'mongodb+srv',
  'mssql',
  'mysql',
  'oracle',
  'prisma',
  'prisma+postgres',
  'redis',
  'rediss',
  'sqlite',
  'sqlserver',
]);

function readUrl(text: string): ReadParameters {
  if (/^\w+:\/\/(?:.*@)?[^/?#@]*,/.test(text))
    return problem('The connection string names several hosts. Name only one.');
  // libpq allows `user@/database`, which is no URL: its host is this machine, or the parameter `host`.
  const complete = text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost');
  if (!URL.canParse(complete))
    return problem(`The connection string is not a valid URL. ${encodingAdvice}`);
  const url = new URL(complete);
  if (url.hash !== '') return problem(`The connection string has a # in it. ${encodingAdvice}`);
  try {
    return {
      kind: 'parameters',
      parameters: {
        host: nonEmpty(decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, '$1'))),
        port: nonEmpty(url.port),
        user: nonEmpty(decodeURIComponent(url.username)),
        password: nonEmpty(decodeURIComponent(url.password)),
        dbname: nonEmpty(decodeURIComponent(url.pathname.slice(1))),
        ...Object.fromEntries(url.searchParams),
      },
    };
  } catch {
    return problem(
      `The connection string has a % that is not followed by two hexadecimal digits. ${encodingAdvice}`,
    );
  }
}

const encodingAdvice =
  'Characters such as @ : / ? # % in the user name or password must be percent-encoded (@ is %40, # is %23, / is %2F, % is %25).';

/** libpq's `key = value` form: values may stand in single quotes, a backslash escapes the next character. */
function readKeyValues(text: string): ReadParameters {
  const pair = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/gy;
  const entries: [string, string][] = [];
  while (pair.lastIndex < text.length) {
    const match = pair.exec(text);
    if (match?.[1] === undefined)
      return problem(
        'The connection string has an invalid key=value pair. Put values with spaces or quotes in single quotes.',
      );
    entries.push([match[1], (match[2] ?? match[3] ?? '').replace(/\\(.)/g, '$1')]);
  }
  return { kind: 'parameters', parameters: Object.fromEntries(entries) };
}

/** What the `PG*` variables say. */
export function environmentParameters(environment: Environment): TargetParameters {
  return defined({
    host: environment['PGHOST'],
    port: environment['PGPORT'],
    dbname: environment['PGDATABASE'],
    user: environment['PGUSER'] ?? environment['USER'] ?? environment['USERNAME'],
    password: environment['PGPASSWORD'],
    sslmode: environment['PGSSLMODE'],
    sslrootcert: environment['PGSSLROOTCERT'],
    sslcert: environment['PGSSLCERT'],
    sslkey: environment['PGSSLKEY'],
  });
}

/** From libpq's parameters by name; what they leave open is as in libpq. */
export function targetFromParameters(parameters: TargetParameters): ParsedTarget {
  const { host = 'localhost', port = '5432', user, password } = parameters;
  if (host.includes(','))
    return problem(
      'Several hosts are named. Name only one, in the connection string or in PGHOST.',
    );
  if (user === undefined)
    return problem(
      'No user is named. Use the form postgres://user@host:5432/database, or set PGUSER.',
    );
  if (!isPort(port))
    return problem('The port in the connection string must be a number from 1 to 65535.');
  const choice = chooseTls(parameters);
  if (choice === undefined)
    return problem(
      `Unknown sslmode in the connection string. Use one of ${Object.keys(tlsByMode).join(', ')}.`,
    );
  const target: ConnectionTarget = {
    host,
    port: Number(port),
    user,
    database: parameters['dbname'] ?? parameters['database'] ?? user,
    ...resolveTls(choice, host),
    tlsFiles: readTlsFiles(parameters),
  };
  return { kind: 'target', target, secret: password ? new Secret(password) : null };
}

/** The same target with another protection: one that the user chose, or what follows from the host. */
export function withTls(target: ConnectionTarget, choice: TlsChoice | 'default'): ConnectionTarget {
  const resolved = resolveTls(choice, target.host);
  return {
    ...target,
    ...resolved,
    ...(resolved.tlsChosenBy !== 'default' && { tlsChosenBy: 'user' }),
  };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function readTlsFiles({ sslrootcert, sslcert, sslkey }: TargetParameters): TlsFiles {
  return { ca: sslrootcert ?? null, cert: sslcert ?? null, key: sslkey ?? null };
}

/** Off for this machine, verified elsewhere, unless somebody chose. A Unix-domain socket has no TLS. */
function resolveTls(
  choice: TlsChoice | 'default',
  host: string,
): Pick<ConnectionTarget, 'tls' | 'tlsChosenBy'> {
  if (host.startsWith('/')) return { tls: 'off', tlsChosenBy: 'default' };
  if (choice === 'default')
    return { tls: isLoopback(host) ? 'off' : 'verify', tlsChosenBy: 'default' };
  return { tls: choice, tlsChosenBy: 'connection string' };
}

/**
 * What each mode means here. As in pg 8 (pg-connection-string index.js), `require` checks the certificate;
 * `uselibpqcompat=true` gives libpq's meaning. The two half-hearted modes follow the host's default.
 */
const tlsByMode: Readonly<Record<string, TlsChoice | 'default'>> = {
  disable: 'off',
  allow: 'default',
  prefer: 'default',
  require: 'verify',
  'verify-ca': 'verify',
  'verify-full': 'verify',
  'no-verify': 'no-verify',
};

/** Undefined for a mode that does not exist. */
function chooseTls(parameters: TargetParameters): TlsChoice | 'default' | undefined {
  const mode = requestedTlsMode(parameters) ?? 'prefer';
  if (mode === 'require' && parameters['uselibpqcompat'] === 'true' && !parameters['sslrootcert'])
    return 'no-verify';
  return Object.hasOwn(tlsByMode, mode) ? tlsByMode[mode] : undefined;
}

/** `sslmode`, or the `ssl` of node-postgres' URLs in the same words. */
function requestedTlsMode({ sslmode, ssl }: TargetParameters): string | undefined {
  if (sslmode !== undefined) return sslmode;
  if (ssl === undefined) return undefined;
  return { true: 'require', 1: 'require', false: 'disable', 0: 'disable' }[ssl] ?? ssl;
}

/** Without those that say nothing. */
export function defined(parameters: TargetParameters): TargetParameters {
  return Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function problem(sentence: string): { kind: 'problem'; sentence: string } {
  return { kind: 'problem', sentence };
}
