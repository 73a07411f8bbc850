import type { ComposePort, ComposeService, ComposeServices } from './compose-file.ts';
import { expandVariables } from './expand-variables.ts';
import { type NamedTarget, readTargetOf } from './named-target.ts';
import type { Variables } from './variable-connections.ts';

export interface ComposeEnvironment {
  /** Of the `.env` beside the file, for `${NAME:-default}`. */
  readonly variables: Variables;
  /** What the files of `env_file` say, by their path as it is written. */
  readonly envFiles: ReadonlyMap<string, Variables>;
}

/** An image that is a PostgreSQL, or a pooler in front of one, by the last part of its name. */
interface Kind {
  readonly image: RegExp;
  readonly isPooler: boolean;
  /** Ports that it listens on inside, the usual one first. */
  readonly ports: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    image:
      /^(?:postgres|postgresql|postgresql-repmgr|postgis|timescaledb(?:-ha|-postgis)?|pgvector|pgvecto-rs|citus|paradedb|crunchy-postgres(?:-ha|-gis)?|percona-distribution-postgresql|spilo-\d+)$/,
    isPooler: false,
    ports: ['5432'],
  },
  {
    image: /^(?:pgbouncer|pgcat|pgdog|odyssey|supavisor)$/,
    isPooler: true,
    ports: ['6432', '5432', '6543'],
  },
];

/** What each variable is called, by the images that read it (postgres, bitnami, edoburu/pgbouncer). */
const names = {
  user: ['POSTGRES_USER', 'POSTGRESQL_USERNAME', 'POSTGRESQL_USER', 'DB_USER', 'PGUSER'],
  password: ['POSTGRES_PASSWORD', 'POSTGRESQL_PASSWORD', 'DB_PASSWORD', 'PGPASSWORD'],
  database: ['POSTGRES_DB', 'POSTGRESQL_DATABASE', 'PGBOUNCER_DATABASE', 'DB_NAME', 'PGDATABASE'],
} as const;

/** The services of Compose files that this machine reaches: their image is a PostgreSQL or a pooler, and its port is published. */
export function connectionsInCompose(
  services: ComposeServices,
  composeEnvironment: ComposeEnvironment,
): readonly NamedTarget[] {
  return [...services].flatMap(([name, service]) => readService(name, service, composeEnvironment));
}

function readService(
  name: string,
  service: ComposeService,
  composeEnvironment: ComposeEnvironment,
): readonly NamedTarget[] {
  const fill = (text: string): string => interpolate(text, composeEnvironment.variables);
  const kind = kindOf(fill(service.image));
  if (kind === undefined) return [];
  const place = kind.ports
    .map((port) => placeOf(port, service, fill))
    .find((found) => found !== undefined);
  if (place === undefined) return [];
  const member = (which: keyof typeof names): string | undefined =>
    names[which]
      .map((each) => variableOf(each, service, composeEnvironment, fill))
      .find((value) => value !== undefined && value !== '');
  // The image's own default; a pooler has none.
  const user = member('user') ?? (kind.isPooler ? undefined : 'postgres');
  if (user === undefined) return [];
  return readTargetOf(name, {
    ...place,
    user,
    dbname: member('database'),
    password: member('password'),
  }).map((found) => ({ ...found, isPooler: kind.isPooler }));
}

/** `docker.io/library/postgres:16-alpine@sha256:…` is a `postgres`. */
function kindOf(image: string): Kind | undefined {
  const last = image.split('@', 1)[0]?.split('/').at(-1)?.split(':', 1)[0] ?? '';
  return kinds.find((kind) => kind.image.test(last));
}

/** `$$` is a dollar sign for Compose. */
function interpolate(text: string, variables: Variables): string {
  return expandVariables(text.replaceAll('$$', '\\$'), (name) => variables.get(name));
}

/** Of the files of `env_file` the last counts. Only what is asked for is filled in: services may share thousands of variables. */
function variableOf(
  name: string,
  { environments, envFiles: paths }: ComposeService,
  { envFiles }: ComposeEnvironment,
  fill: (text: string) => string,
): string | undefined {
  const own = environments.findLast((each) => each.has(name))?.get(name);
  if (own !== undefined) return fill(own);
  const file = paths.findLast((path) => envFiles.get(path)?.has(name));
  return file === undefined ? undefined : envFiles.get(file)?.get(name);
}

type Place = { readonly host: string; readonly port: string };

function placeOf(
  inside: string,
  { ports, isOnHostNetwork }: ComposeService,
  fill: (text: string) => string,
): Place | undefined {
  if (isOnHostNetwork) return { host: 'localhost', port: inside };
  return ports.map((port) => readPort(port, fill)).find((port) => port?.inside === inside)?.place;
}

/** Undefined for a range, and for a port that Docker chooses. */
function readPort(
  port: ComposePort,
  fill: (text: string) => string,
): { readonly inside: string; readonly place: Place } | undefined {
  if (port.kind === 'long')
    return port.published === ''
      ? undefined
      : toPlace(fill(port.hostIp), fill(port.published), fill(port.target));
  const [, bracketed, ip, published, inside] =
    /^(?:\[([0-9a-f:.]+)\]:|([0-9.]+):)?(\d+):(\d+)(?:\/tcp)?$/i.exec(fill(port.text)) ?? [];
  return published === undefined || inside === undefined
    ? undefined
    : toPlace(bracketed ?? ip ?? '', published, inside);
}

/** Compose publishes on every address of this machine unless one is named. */
function toPlace(
  ip: string,
  published: string,
  inside: string,
): { readonly inside: string; readonly place: Place } | undefined {
  if (!/^\d+$/.test(published)) return undefined;
  const isThisMachine = ['', '0.0.0.0', '::', '127.0.0.1', '::1'].includes(ip);
  return { inside, place: { host: isThisMachine ? 'localhost' : ip, port: published } };
}
