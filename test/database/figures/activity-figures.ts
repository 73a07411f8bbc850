import type { ActivityReport } from '../../../src/activity/snapshot.ts';
import type { FigureRow, FigureTable } from '../../support/figures.ts';

/** What the test knows without Poolguard of a server and of what it did to it. */
export interface ActivityWorld {
  /** Given to the server at its start. */
  readonly port: number;
  readonly maxConnections: number;
  readonly superuserReserved: number;
  readonly reserved: number;
  /** `SHOW server_version_num`, `SHOW track_activity_query_size`. */
  readonly versionNumber: number;
  readonly queryTextLimit: number;
  readonly roleLimit: number;
  /** Clients that the test has open, by what they do. */
  readonly clients: Readonly<
    Record<'active' | 'waiting' | 'idle' | 'idleInTransaction' | 'aborted', number>
  >;
  /** Backends of the server by `/proc`, or by `pg_stat_activity` where there is none, less those that the test did not make. */
  readonly backends: number;
  /** Of the role with a limit. */
  readonly ofRole: number;
  /** One row for each of the test's clients. */
  readonly sessions: readonly SessionWorld[];
}

/** Of one client: what it says of itself, and the test's clock. */
export interface SessionWorld {
  readonly pid: number;
  readonly port: number;
  readonly transactionAgeMs: number | null;
  readonly queryAgeMs: number;
  readonly stateAgeMs: number;
  readonly blockedBy: readonly number[];
}

type Row = FigureRow<ActivityWorld>;

const told = (
  unit: string,
  means: string,
  beside: string,
  of: (world: ActivityWorld) => number,
): Row => ({
  unit,
  means,
  beside,
  independent: of,
});

const clients = (state: keyof ActivityWorld['clients'], means: string): Row =>
  told('sessions', means, 'clients of the test', (world) => world.clients[state]);

const none = (means: string): Row => told('sessions', means, 'the test makes none', () => 0);

const age = (means: string, of: (session: SessionWorld) => number | null): Row => ({
  unit: 'ms',
  means: `${means}, by the server’s clock`,
  beside: 'the test’s clock',
  independent: ({ sessions }) => sessions.flatMap((session) => of(session) ?? []),
  within: { absolute: 750 },
});

const usable = ({ maxConnections, superuserReserved, reserved }: ActivityWorld) =>
  maxConnections - superuserReserved - reserved;

/** Every number of a look at a server. Poolguard's own session is left out of the lists. */
export const activityFigures: FigureTable<ActivityReport, ActivityWorld> = {
  schemaVersion: told('version', 'of the report itself', '--help', () => 1),
  'server.versionNumber': told(
    'version',
    'server_version_num',
    'SHOW by another client',
    (world) => world.versionNumber,
  ),
  'server.port': told('port', 'where the server is', 'its start', ({ port }) => port),
  'server.queryTextLimit': told(
    'bytes',
    'track_activity_query_size',
    'SHOW by another client',
    (world) => world.queryTextLimit,
  ),
  'headroom.maxConnections': told(
    'connections',
    'max_connections',
    'the server’s start',
    (world) => world.maxConnections,
  ),
  'headroom.superuserReserved': told(
    'connections',
    'superuser_reserved_connections',
    'the server’s start',
    (world) => world.superuserReserved,
  ),
  'headroom.reserved': told(
    'connections',
    'reserved_connections, since 16',
    'the server’s start',
    ({ reserved }) => reserved,
  ),
  'headroom.usable': told(
    'connections',
    'max_connections less both reserves',
    'the test’s arithmetic',
    usable,
  ),
  'headroom.used': told(
    'connections',
    'client backends, Poolguard’s own among them',
    'processes of the server',
    ({ backends }) => backends,
  ),
  'headroom.free': told(
    'connections',
    'what ordinary roles could open',
    'as many connections as an ordinary role was given',
    (world) => usable(world) - world.backends,
  ),
  'headroom.split.active': clients('active', 'run a statement'),
  'headroom.split.waiting': clients('waiting', 'active, and wait for a lock'),
  'headroom.split.idle': clients('idle', 'idle'),
  'headroom.split.idleInTransaction': clients('idleInTransaction', 'idle in transaction'),
  'headroom.split.aborted': clients('aborted', 'in a failed transaction'),
  'headroom.split.hidden': none('state is hidden from the role'),
  'headroom.split.other': none('fastpath, disabled, starting'),
  'headroom.split.own': told(
    'sessions',
    'Poolguard’s own',
    'one connection was asked for',
    () => 1,
  ),
  'headroom.limits[].limit': told(
    'connections',
    'rolconnlimit, datconnlimit',
    'ALTER ROLE of the test',
    ({ roleLimit }) => roleLimit,
  ),
  'headroom.limits[].used': {
    unit: 'connections',
    means: 'sessions of the role, and of the database of the connection',
    beside: 'clients of the test, and Poolguard’s own',
    independent: ({ ofRole, backends }) => [ofRole, backends],
  },
  'headroom.limits[].free': told(
    'connections',
    'limit less used',
    'the test’s arithmetic',
    ({ roleLimit, ofRole }) => roleLimit - ofRole,
  ),
  'headroom.forRole.free': told(
    'connections',
    'what the role of the connection could open',
    'connections of that role, until one was refused',
    ({ roleLimit, ofRole }) => roleLimit - ofRole,
  ),
  'sessions[].pid': {
    unit: 'pid',
    means: 'of the backend',
    beside: 'pg_backend_pid() of each client',
    independent: ({ sessions }) => sessions.map(({ pid }) => pid),
  },
  'sessions[].clientPort': {
    unit: 'port',
    means: 'of the client’s socket',
    beside: 'the socket of each client',
    independent: ({ sessions }) => sessions.map(({ port }) => port),
  },
  'sessions[].transactionAgeMs': age(
    'since xact_start',
    ({ transactionAgeMs }) => transactionAgeMs,
  ),
  'sessions[].queryAgeMs': age('since query_start', ({ queryAgeMs }) => queryAgeMs),
  'sessions[].stateAgeMs': age('since state_change', ({ stateAgeMs }) => stateAgeMs),
  'sessions[].blockedBy[]': {
    unit: 'pid',
    means: 'pg_blocking_pids',
    beside: 'which client took the lock',
    independent: ({ sessions }) => sessions.flatMap(({ blockedBy }) => blockedBy),
  },
};
