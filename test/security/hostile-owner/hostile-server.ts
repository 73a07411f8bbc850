import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedServer, type EmbeddedServer } from '../../../scripts/embedded-server.ts';
import { startPgBouncer, type PgBouncer } from '../../support/pgbouncer.ts';
import { programsOf } from './installations.ts';
import { plantDatabase, type Planted } from './plant-database.ts';
import { roles, type Path, type Place, type Role } from './places.ts';
import { createServerLog, logLinePrefix, type ServerLog } from './server-log.ts';

/** Sessions of the suite itself: their path is pinned, and what they do is not counted. */
export const suiteName = 'hostile-suite';
const password = 'secret';

/** A server with databases that belong to mallory, and three poolers in front of it: `shop` is full of traps, `store` of ways to write; `owners/databases.ts` lists the rest. */
export interface HostileServer extends AsyncDisposable {
  readonly major: number;
  /** Of PostgreSQL itself. */
  readonly port: number;
  readonly planted: Planted;
  readonly log: ServerLog;
  /** What a trap leaves on the server when a superuser runs it. */
  readonly lootFile: string;
  /** A superuser in `shop`, with a pinned path. */
  readonly admin: pg.Client;
  readonly url: (place: Place, database?: string) => string;
  /** A client of that role, directly connected, with a pinned path. The caller ends it. */
  readonly connect: (
    role: Role | 'app',
    application: string,
    database?: string,
  ) => Promise<pg.Client>;
}

const poolSizes: Readonly<Record<Exclude<Path, 'direct'>, number>> = {
  session: 14,
  transaction: 4,
  statement: 4,
};

export async function startHostileServer(major: number): Promise<HostileServer> {
  const programs = programsOf(major);
  const settings = {
    log_statement: 'all',
    log_line_prefix: logLinePrefix,
    log_min_messages: 'error',
    shared_preload_libraries: 'pg_stat_statements',
    max_worker_processes: '4',
    // It analyses tables, and so runs what an owner made, as that owner.
    autovacuum: 'off',
  };
  const server = await startEmbeddedServer({
    inMemory: true,
    keepsLog: true,
    maxConnections: 200,
    settings,
    ...(programs !== undefined && { programs }),
  });
  const lootFile = join(tmpdir(), `poolguard-loot-${randomUUID()}`);
  const planted = await plantDatabase(server, { major, lootFile });
  const [admin, poolers] = await Promise.all([
    connectPinned(server.url('shop'), suiteName),
    startPoolers(server),
  ]);
  const urls: Readonly<Record<Path, string>> = { direct: server.url('shop'), ...poolers.urls };
  return {
    major,
    port: server.port,
    planted,
    lootFile,
    admin,
    log: createServerLog(server.logPath, admin),
    url: ({ role, path }, database = 'shop') => as(role, urls[path], database),
    connect: (role, application, database = 'shop') =>
      connectPinned(as(role, urls.direct, database), application),
    [Symbol.asyncDispose]: async () => {
      await admin.end();
      await Promise.all(poolers.all.map((pooler) => pooler[Symbol.asyncDispose]()));
      await server.stop();
    },
  };
}

function as(role: string, url: string, database: string): string {
  const named = new URL(url);
  Object.assign(named, { username: role, password, pathname: `/${database}` });
  return named.href;
}

async function connectPinned(url: string, application: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: application,
    options:
      '-c search_path=pg_catalog,pg_temp -c role=none -c client_min_messages=warning -c default_transaction_isolation=read\\ committed',
  });
  client.on('error', () => undefined);
  await client.connect();
  // The owner's login trigger ran behind the startup packet.
  await client.query('SET search_path = pg_catalog, pg_temp');
  return client;
}

/** Session and statement mode drop `options` without a word, as many an installation does; transaction mode refuses them, as PgBouncer does by itself. */
async function startPoolers(server: EmbeddedServer): Promise<{
  readonly urls: Readonly<Record<Exclude<Path, 'direct'>, string>>;
  readonly all: readonly PgBouncer[];
}> {
  const users = Object.fromEntries([...roles, 'app'].map((role) => [role, password]));
  const start = (mode: Exclude<Path, 'direct'>) =>
    startPgBouncer(server.url('*'), poolSizes[mode], {
      users,
      keepsRoles: true,
      settings: {
        pool_mode: mode,
        stats_users: roles.join(','),
        max_client_conn: 200,
        ...(mode !== 'transaction' && { ignore_startup_parameters: 'options,extra_float_digits' }),
      },
    });
  const [session, transaction, statement] = await Promise.all([
    start('session'),
    start('transaction'),
    start('statement'),
  ]);
  return {
    urls: { session: session.url, transaction: transaction.url, statement: statement.url },
    all: [session, transaction, statement],
  };
}

/** How many backends of each role the pooler on that path keeps; none where there is no pooler. */
export function poolSizeOf(path: Path): number {
  return path === 'direct' ? 0 : poolSizes[path];
}
