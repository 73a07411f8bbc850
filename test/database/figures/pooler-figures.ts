import type { PoolerReport } from '../../../src/pooler/pooler-report.ts';
import type { FigureRow, FigureTable } from '../../support/figures.ts';

/** What the test knows without Poolguard of a pooler and of what it did to it. */
export interface PoolerWorld {
  /** As written into pgbouncer.ini. */
  readonly settings: Readonly<Record<string, number>>;
  readonly port: number;
  /** Of its version 1. */
  readonly minor: number;
  /** Clients that the test has connected through it, by what they do. */
  readonly idle: number;
  readonly inTransaction: number;
  readonly waiting: number;
  /** For how long the first of those has waited, by the test's clock. */
  readonly waitedMs: number;
  readonly waitsMs: readonly number[];
  /** The pooler's sessions on the server, by `pg_stat_activity`. */
  readonly sessions: { readonly busy: number; readonly idle: number };
  /** `pg_backend_pid()` of the clients in a transaction, and of the idle backends. */
  readonly backends: readonly number[];
  /** Local ports of the test's sockets, and the ports of the pooler's sessions by `pg_stat_activity`. */
  readonly clientPorts: readonly number[];
  /** Consoles that are open. */
  readonly consoles: number;
  /** What the test's own loop saw since the sample before, and since the pooler began. */
  readonly loop: Loop;
  readonly total: Loop;
}

export interface Loop {
  readonly overMs: number;
  readonly statements: number;
  readonly statementMs: number;
  /** Of that, what the statements did not take by the server's own clock. */
  readonly waitMs: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

type Row = FigureRow<PoolerWorld>;

const setting = (name: string, unit: string, means: string, factor = 1): Row => ({
  unit,
  means: `${means} (SHOW CONFIG)`,
  beside: `${name} in pgbouncer.ini`,
  independent: ({ settings }) => (settings[name] ?? NaN) * factor,
});

const rate = (unit: string, means: string, of: (loop: Loop) => number): Row => ({
  unit,
  means: `${means}, as a difference of SHOW STATS`,
  beside: 'a loop of the test',
  independent: ({ loop }) => (of(loop) / loop.overMs) * 1_000,
  within: { share: 0.1 },
});

const average = (means: string, of: (loop: Loop) => number): Row => ({
  unit: 'ms',
  means: `${means}, as a difference of SHOW STATS`,
  beside: 'a loop of the test',
  independent: ({ loop }) => of(loop) / loop.statements,
  // The test's clock also has its own turns of the event loop.
  within: { share: 0.15, absolute: 3 },
});

const total = (unit: string, means: string, of: (loop: Loop) => number): Row => ({
  unit,
  means: `${means} since the pooler began (SHOW STATS)`,
  beside: 'a loop of the test',
  independent: ({ total: loop }) => of(loop),
  within: { share: 0.15 },
});

const clients = (means: string, beside: string, of: (world: PoolerWorld) => number): Row => ({
  unit: 'clients',
  means,
  beside,
  independent: of,
});

const servers = (means: string, of: (world: PoolerWorld) => number): Row => ({
  unit: 'servers',
  means,
  beside: 'pg_stat_activity',
  independent: of,
});

const none = (unit: string, means: string, beside: string): Row => ({
  unit,
  means,
  beside,
  independent: () => 0,
});

const connected = ({ idle, inTransaction }: PoolerWorld) => idle + inTransaction;

const longestWait: Row = {
  unit: 'ms',
  means: 'how long the first client in line has waited (SHOW POOLS maxwait, maxwait_us)',
  beside: 'the test’s clock',
  independent: ({ waitedMs }) => waitedMs,
  within: { absolute: 400 },
};

/** Every number of a look into the console. */
export const poolerFigures: FigureTable<PoolerReport, PoolerWorld> = {
  schemaVersion: {
    unit: 'version',
    means: 'of the report itself',
    beside: '--help',
    independent: () => 1,
  },
  'pooler.port': {
    unit: 'port',
    means: 'where the console is',
    beside: 'listen_port in pgbouncer.ini',
    independent: ({ port }) => port,
  },
  'pooler.limits.maxClients': setting('max_client_conn', 'clients', 'connections of clients'),
  'pooler.limits.defaultPoolSize': setting('default_pool_size', 'servers', 'a pool'),
  'pooler.limits.minPoolSize': setting('min_pool_size', 'servers', 'kept open'),
  'pooler.limits.reservePoolSize': setting('reserve_pool_size', 'servers', 'in reserve'),
  'pooler.limits.maxDatabaseConnections': setting('max_db_connections', 'servers', 'a database'),
  'pooler.limits.maxUserConnections': setting('max_user_connections', 'servers', 'a user'),
  'pooler.limits.maxPreparedStatements': {
    unit: 'statements',
    means: 'named statements kept for each client (SHOW CONFIG since 1.21)',
    beside: 'max_prepared_statements in pgbouncer.ini',
    independent: ({ settings }) => settings['max_prepared_statements'] ?? [],
  },
  'pooler.limits.queryWaitTimeoutMs': setting(
    'query_wait_timeout',
    'ms',
    'after which a client that waits is turned away',
    1_000,
  ),
  'totals.clientsActive': clients(
    'clients that have a backend or are idle (SHOW POOLS cl_active)',
    'clients of the test',
    connected,
  ),
  'totals.clientsWaiting': clients(
    'clients that sent a statement and have no backend (SHOW POOLS cl_waiting)',
    'clients of the test',
    ({ waiting }) => waiting,
  ),
  'totals.serversActive': servers(
    'backends that clients have (SHOW POOLS sv_active)',
    ({ sessions }) => sessions.busy,
  ),
  'totals.serversFree': servers(
    'backends that no client has (SHOW POOLS sv_idle, sv_used, sv_tested)',
    ({ sessions }) => sessions.idle,
  ),
  'totals.longestWaitMs': longestWait,
  'totals.clientConnections': clients(
    'what counts against max_client_conn (SHOW LISTS used_clients)',
    'clients of the test and consoles',
    (world) => connected(world) + world.waiting + world.consoles,
  ),
  'pools[].clientsActive': clients('cl_active', 'clients of the test', connected),
  'pools[].clientsWaiting': clients('cl_waiting', 'clients of the test', ({ waiting }) => waiting),
  'pools[].serversActive': servers('sv_active', ({ sessions }) => sessions.busy),
  'pools[].serversIdle': servers('sv_idle', ({ sessions }) => sessions.idle),
  'pools[].serversUsed': none('servers', 'sv_used: idle for server_check_delay', 'seconds passed'),
  'pools[].serversTested': none(
    'servers',
    'sv_tested: being reset',
    'transaction mode resets none',
  ),
  'pools[].serversLogin': none('servers', 'sv_login: being connected', 'pg_stat_activity'),
  'pools[].cancelRequests': {
    unit: 'requests',
    means: 'cl_active_cancel_req, cl_waiting_cancel_req, in 1.16 and 1.17 cl_cancel_req',
    beside: 'the test cancels nothing',
    independent: ({ minor }) => (minor < 16 ? [] : 0),
  },
  'pools[].longestWaitMs': longestWait,
  'pools[].size': {
    unit: 'servers',
    means: 'backends that it may have (SHOW USERS, SHOW DATABASES pool_size)',
    beside: 'default_pool_size in pgbouncer.ini',
    independent: ({ settings }) => settings['default_pool_size'] ?? NaN,
  },
  'pools[].reserve': {
    unit: 'servers',
    means: 'backends beyond these (SHOW USERS, SHOW DATABASES reserve_pool_size)',
    beside: 'reserve_pool_size in pgbouncer.ini',
    independent: ({ settings }) => settings['reserve_pool_size'] ?? NaN,
  },
  'stats[].overMs': {
    unit: 'ms',
    means: 'from one sample to the other',
    beside: 'the test’s clock',
    independent: ({ loop }) => loop.overMs,
    within: { absolute: 100 },
  },
  'stats[].queriesPerSecond': rate('1/s', 'statements', ({ statements }) => statements),
  'stats[].transactionsPerSecond': rate('1/s', 'transactions', ({ statements }) => statements),
  'stats[].averageQueryMs': average(
    'from a statement to its answer, waiting included',
    ({ statementMs }) => statementMs,
  ),
  'stats[].averageTransactionMs': average(
    'from a transaction’s first statement to its end, waiting included',
    ({ statementMs }) => statementMs,
  ),
  'stats[].averageWaitMs': average(
    'what a transaction waits for a backend',
    ({ waitMs }) => waitMs,
  ),
  'stats[].receivedPerSecond': rate('bytes/s', 'of clients', ({ bytesSent }) => bytesSent),
  'stats[].sentPerSecond': rate('bytes/s', 'to clients', ({ bytesReceived }) => bytesReceived),
  'stats[].totalQueries': total('statements', 'statements', ({ statements }) => statements),
  'stats[].totalTransactions': total(
    'transactions',
    'transactions',
    ({ statements }) => statements,
  ),
  'stats[].totalTransactionMs': total(
    'ms',
    'times of transactions',
    ({ statementMs }) => statementMs,
  ),
  'stats[].totalQueryMs': total('ms', 'times of statements', ({ statementMs }) => statementMs),
  'stats[].totalWaitMs': total('ms', 'waits for a backend', ({ waitMs }) => waitMs),
  'stats[].totalReceived': total('bytes', 'of clients', ({ bytesSent }) => bytesSent),
  'stats[].totalSent': total('bytes', 'to clients', ({ bytesReceived }) => bytesReceived),
  'clients[].port': {
    unit: 'port',
    means: 'of the client (SHOW CLIENTS port)',
    beside: 'local ports of the test’s sockets',
    independent: ({ clientPorts }) => clientPorts,
  },
  'clients[].waitMs': {
    unit: 'ms',
    means: 'how long a client that waits has waited (SHOW CLIENTS wait, wait_us)',
    beside: 'the test’s clock',
    independent: ({ waitsMs }) => waitsMs,
    within: { absolute: 400 },
  },
  'clients[].pid': {
    unit: 'pid',
    means: 'of a client on a Unix-domain socket (SHOW CLIENTS remote_pid)',
    beside: 'there is none',
    independent: () => [],
  },
  'servers[].port': {
    unit: 'port',
    means: 'of the server (SHOW SERVERS port)',
    beside: 'the server’s address',
    independent: ({ backends, settings }) => backends.map(() => settings['server_port'] ?? NaN),
  },
  'servers[].waitMs': {
    unit: 'ms',
    means: 'servers do not wait',
    beside: 'there is none',
    independent: () => [],
  },
  'servers[].pid': {
    unit: 'pid',
    means: 'of its backend (SHOW SERVERS remote_pid)',
    beside: 'pg_backend_pid(), pg_stat_activity',
    independent: ({ backends }) => backends,
  },
};
