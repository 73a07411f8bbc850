import { parseTarget, type Environment, type ParsedTarget } from '../database/target.ts';
import { isWholeTarget, type NamedTarget, readTargetOf, toSecret } from './named-target.ts';

export type Variables = ReadonlyMap<string, string>;

/**
 * The connections that variables name: each whose value is a `postgres://` URL, whatever it is called, and groups such as
 * `DB_HOST`, `DB_USER`, `DB_NAME`. Groups of another database, and addresses with holes in them, are left out.
 *
 * `osUser` is the user of an address that names none, as in libpq.
 */
export function connectionsInVariables(
  variables: Variables,
  osUser?: string,
): readonly NamedTarget[] {
  const urls = [...variables].flatMap(([name, value]) => readUrl(name, value, osUser));
  return [
    ...urls,
    ...prefixesOf(variables).flatMap((prefix) => readGroup(prefix, variables, osUser)),
  ];
}

const longestUrl = 4_096;

function readUrl(name: string, value: string, osUser: string | undefined): readonly NamedTarget[] {
  // A workspace may hold thousands of other values, which need not be parsed.
  if (!isUrl(value)) return [];
  const read = readUrlTarget(value, osUser);
  return read.kind === 'problem'
    ? []
    : [{ name, target: read.target, secret: toSecret(read.secret?.reveal()) }];
}

function readUrlTarget(value: string, osUser: string | undefined): ParsedTarget {
  const environment: Environment = osUser === undefined ? {} : { PGUSER: osUser };
  if (value.length > longestUrl)
    return {
      kind: 'problem',
      sentence: `The connection string is longer than ${longestUrl} characters.`,
    };
  const read = parseTarget(value, environment);
  if (read.kind === 'problem') return read;
  if (!isUrl(value))
    return {
      kind: 'problem',
      sentence: 'The connection string must start with postgres:// or postgresql://.',
    };
  return isWholeTarget(read.target)
    ? read
    : {
        kind: 'problem',
        sentence: 'The connection string has a placeholder, such as <host> or ${NAME}. Replace it.',
      };
}

function isUrl(value: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(value);
}

/** A variable that is there and names no connection by itself. */
export interface UnusableVariable {
  readonly name: string;
  /** Why; never repeats the value, which may hold a password. */
  readonly sentence: string;
  /** Whether its value begins like a connection string. */
  readonly isUrl: boolean;
}

/** The variables whose values are no connection strings that can be read, in their order. */
export function unusableVariables(
  variables: Variables,
  osUser?: string,
): readonly UnusableVariable[] {
  return [...variables].flatMap(([name, value]) => {
    const read = readUrlTarget(value, osUser);
    return read.kind === 'problem' ? [{ name, sentence: read.sentence, isUrl: isUrl(value) }] : [];
  });
}

/** What the members of a group are called behind their prefix. */
const members = {
  host: ['HOST', 'HOSTNAME', 'SERVER', 'HOSTADDR'],
  port: ['PORT'],
  user: ['USER', 'USERNAME'],
  password: ['PASSWORD', 'PASS', 'PWD'],
  database: ['DATABASE', 'NAME', 'DBNAME', 'DB'],
  sslmode: ['SSLMODE', 'SSL_MODE'],
  ssl: ['SSL'],
  dialect: ['CONNECTION', 'DIALECT', 'TYPE', 'CLIENT', 'DRIVER', 'ENGINE', 'ADAPTER', 'PROVIDER'],
} as const;

/** Ports that other databases listen on: MySQL, SQL Server, Oracle, MongoDB, Redis. */
const foreignPorts: ReadonlySet<string> = new Set([
  '3306',
  '33060',
  '1433',
  '1521',
  '27017',
  '6379',
]);

function prefixesOf(variables: Variables): readonly string[] {
  const hosts = new RegExp(
    `^((?:[A-Z0-9]+_)*?(?:PG|PG_|POSTGRES_|POSTGRESQL_|DB_|DATABASE_))(?:${members.host.join('|')})$`,
    'i',
  );
  const found = [...variables.keys()].flatMap((name) =>
    name.length > 128 ? [] : [hosts.exec(name)?.[1] ?? []].flat(),
  );
  // libpq takes this machine for a host that is not named.
  const isLocalGroup = variables.has('PGDATABASE') || variables.has('PGUSER');
  return [...new Set([...found, ...(isLocalGroup ? ['PG'] : [])])];
}

function readGroup(
  prefix: string,
  variables: Variables,
  osUser: string | undefined,
): readonly NamedTarget[] {
  const member = (kind: keyof typeof members): string | undefined =>
    members[kind]
      .map((each) => variables.get(`${prefix}${each}`))
      .find((value) => value !== undefined && value !== '');
  const isLibpq = prefix === 'PG';
  const [user, database, ssl] = [member('user'), member('database'), member('ssl')];
  const isNamed = isLibpq || (user !== undefined && database !== undefined);
  if (!isNamed || isForeign(prefix, { dialect: member('dialect'), port: member('port'), user }))
    return [];
  return readTargetOf(
    `${prefix}*`,
    {
      host: member('host'),
      port: member('port'),
      user,
      password: member('password'),
      dbname: database,
      sslmode: member('sslmode'),
      ...(ssl !== undefined && /^(?:true|false|1|0)$/i.test(ssl) && { ssl: ssl.toLowerCase() }),
      ...(isLibpq && {
        sslrootcert: variables.get('PGSSLROOTCERT'),
        sslcert: variables.get('PGSSLCERT'),
        sslkey: variables.get('PGSSLKEY'),
      }),
    },
    isLibpq ? osUser : undefined,
  );
}

/** `DB_` and `DATABASE_` say of no database which it is. */
function isForeign(
  prefix: string,
  {
    dialect,
    port,
    user,
  }: {
    readonly dialect: string | undefined;
    readonly port: string | undefined;
    readonly user: string | undefined;
  },
): boolean {
  if (dialect !== undefined) return !/post|^pg/i.test(dialect);
  if (/(?:PG|PG_|POSTGRES_|POSTGRESQL_)$/i.test(prefix)) return false;
  return port === undefined ? user === 'root' : foreignPorts.has(port);
}
