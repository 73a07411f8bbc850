import { shorten } from '../activity/plain-text.ts';
import type {
  PoolerFacts,
  PoolerLimits,
  PoolerPool,
  PoolerReport,
  PoolerSocket,
  PoolerStats,
  PoolerTotals,
} from './pooler-report.ts';

/** A row of the console as the driver gives it. Which columns there are depends on the version: they are read by name. */
export type ConsoleRow = Readonly<Record<string, unknown>>;

/** The answers of one sample. */
export interface ConsoleRows {
  readonly pools: readonly ConsoleRow[];
  readonly stats: readonly ConsoleRow[];
  readonly databases: readonly ConsoleRow[];
  readonly lists: readonly ConsoleRow[];
  readonly config: readonly ConsoleRow[];
  readonly users: readonly ConsoleRow[];
  readonly clients: readonly ConsoleRow[] | null;
  readonly servers: readonly ConsoleRow[] | null;
}

/** The database by which a PgBouncer shows its console. */
export const consoleDatabase = 'pgbouncer';

/** Puts the console's rows, of whatever version, into one shape. The console's own pool is left out. */
export function toPoolerReport(
  rows: ConsoleRows,
  facts: Omit<PoolerFacts, 'limits'>,
  now: Date,
  earlier: EarlierStats | null = null,
): PoolerReport {
  const limits = toLimits(rows.config);
  const pools = rows.pools.filter(isOfApplications).map((row) => toPool(row, rows, limits));
  return {
    schemaVersion: 1,
    takenAt: now.toISOString(),
    pooler: { ...facts, limits },
    totals: toTotals(pools, rows.lists),
    pools,
    stats: toStats(rows.stats, earlier),
    clients: rows.clients?.filter(isOfApplications).map(toSocket) ?? null,
    servers: rows.servers?.filter(isOfApplications).map(toSocket) ?? null,
  };
}

function isOfApplications(row: ConsoleRow): boolean {
  return textOf(row, 'database') !== consoleDatabase;
}

function toLimits(config: readonly ConsoleRow[]): PoolerLimits {
  const values: ConsoleRow = Object.fromEntries(
    config.map((row) => [textOf(row, 'key') ?? '', row['value']]),
  );
  return {
    maxClients: numberOf(values, 'max_client_conn'),
    defaultPoolSize: numberOf(values, 'default_pool_size'),
    minPoolSize: numberOf(values, 'min_pool_size'),
    reservePoolSize: numberOf(values, 'reserve_pool_size'),
    maxDatabaseConnections: numberOf(values, 'max_db_connections'),
    maxUserConnections: numberOf(values, 'max_user_connections'),
    maxPreparedStatements: numberOf(values, 'max_prepared_statements'),
    mode: textOf(values, 'pool_mode'),
    queryWaitTimeoutMs: scaled(numberOf(values, 'query_wait_timeout'), 1_000),
  };
}

function toPool(
  row: ConsoleRow,
  { databases, users }: Pick<ConsoleRows, 'databases' | 'users'>,
  limits: PoolerLimits,
): PoolerPool {
  const count = (column: string) => numberOf(row, column) ?? 0;
  const database = textOf(row, 'database') ?? '';
  const user = textOf(row, 'user') ?? '';
  const named = (rows: readonly ConsoleRow[], name: string) =>
    rows.find((each) => textOf(each, 'name') === name) ?? {};
  const definitions = [named(users, user), named(databases, database)];
  // `reserve_pool_size` was `reserve_pool` up to 1.23.
  const defined = (...columns: readonly string[]) =>
    definitions
      .flatMap((each) => columns.map((column) => numberOf(each, column)))
      .find((size) => size !== null) ?? null;
  const cancels = ['cl_active_cancel_req', 'cl_waiting_cancel_req', 'cl_cancel_req'].flatMap(
    (column) => numberOf(row, column) ?? [],
  );
  return {
    database,
    user,
    clientsActive: count('cl_active'),
    clientsWaiting: count('cl_waiting'),
    serversActive: count('sv_active'),
    serversIdle: count('sv_idle'),
    serversUsed: count('sv_used'),
    serversTested: count('sv_tested'),
    serversLogin: count('sv_login'),
    cancelRequests: cancels.length === 0 ? null : cancels.reduce((sum, each) => sum + each),
    longestWaitMs: waitOf(row, 'maxwait', 'maxwait_us') ?? 0,
    mode: textOf(row, 'pool_mode') ?? limits.mode,
    size: defined('pool_size') ?? limits.defaultPoolSize,
    reserve: defined('reserve_pool_size', 'reserve_pool') ?? limits.reservePoolSize,
  };
}

function toTotals(pools: readonly PoolerPool[], lists: readonly ConsoleRow[]): PoolerTotals {
  const sum = (value: (pool: PoolerPool) => number) =>
    pools.reduce((total, pool) => total + value(pool), 0);
  const used = lists.find((row) => textOf(row, 'list') === 'used_clients') ?? {};
  return {
    clientsActive: sum(({ clientsActive }) => clientsActive),
    clientsWaiting: sum(({ clientsWaiting }) => clientsWaiting),
    serversActive: sum(({ serversActive }) => serversActive),
    serversFree: sum(
      ({ serversIdle, serversUsed, serversTested }) => serversIdle + serversUsed + serversTested,
    ),
    longestWaitMs: Math.max(0, ...pools.map(({ longestWaitMs }) => longestWaitMs)),
    clientConnections: numberOf(used, 'items'),
  };
}

/** What SHOW STATS said some time before. */
export interface EarlierStats {
  readonly rows: readonly ConsoleRow[];
  readonly agoMs: number;
}

function toStats(
  rows: readonly ConsoleRow[],
  earlier: EarlierStats | null,
): readonly PoolerStats[] {
  const before = (earlier?.rows ?? []).map(toCounts);
  return rows
    .filter(isOfApplications)
    .map(toCounts)
    .map((counts) => {
      // A database that nobody had used yet had no row: its totals began at 0.
      const known = before.find(({ database }) => database === counts.database) ?? unused;
      return {
        ...counts,
        ...(earlier === null || hasGoneBack(known, counts)
          ? unknownCourse
          : toCourse(known, counts, earlier.agoMs)),
      };
    });
}

type Course = Pick<
  PoolerStats,
  | 'overMs'
  | 'queriesPerSecond'
  | 'transactionsPerSecond'
  | 'averageQueryMs'
  | 'averageTransactionMs'
  | 'averageWaitMs'
  | 'receivedPerSecond'
  | 'sentPerSecond'
>;
type Counts = Omit<PoolerStats, keyof Course>;

/** Times are microseconds. Up to 1.7 there are requests instead of queries and transactions, and no waits. */
function toCounts(row: ConsoleRow): Counts {
  const milliseconds = (column: string) => scaled(numberOf(row, column), 0.001);
  return {
    database: textOf(row, 'database') ?? '',
    totalQueries: numberOf(row, 'total_query_count') ?? numberOf(row, 'total_requests'),
    totalTransactions: numberOf(row, 'total_xact_count'),
    totalTransactionMs: milliseconds('total_xact_time'),
    totalQueryMs: milliseconds('total_query_time'),
    totalWaitMs: milliseconds('total_wait_time'),
    totalReceived: numberOf(row, 'total_received'),
    totalSent: numberOf(row, 'total_sent'),
  };
}

const totals = [
  'totalQueries',
  'totalTransactions',
  'totalTransactionMs',
  'totalQueryMs',
  'totalWaitMs',
  'totalReceived',
  'totalSent',
] as const;

const unused: Partial<Counts> = {};

const unknownCourse: Course = {
  overMs: null,
  queriesPerSecond: null,
  transactionsPerSecond: null,
  averageQueryMs: null,
  averageTransactionMs: null,
  averageWaitMs: null,
  receivedPerSecond: null,
  sentPerSecond: null,
};

/** The pooler was started again, or has forgotten a pool. */
function hasGoneBack(before: Partial<Counts>, after: Counts): boolean {
  return totals.some((total) => (after[total] ?? 0) < (before[total] ?? 0));
}

function toCourse(before: Partial<Counts>, after: Counts, overMs: number): Course {
  const grown = (total: (typeof totals)[number]) =>
    after[total] === null ? null : after[total] - (before[total] ?? 0);
  const perSecond = (total: (typeof totals)[number]) => scaled(grown(total), 1_000 / overMs);
  const average = (time: (typeof totals)[number], of: (typeof totals)[number]) => {
    const count = grown(of) ?? 0;
    return count === 0 ? null : scaled(grown(time), 1 / count);
  };
  return {
    overMs,
    queriesPerSecond: perSecond('totalQueries'),
    transactionsPerSecond: perSecond('totalTransactions'),
    averageQueryMs: average('totalQueryMs', 'totalQueries'),
    averageTransactionMs: average('totalTransactionMs', 'totalTransactions'),
    averageWaitMs: average('totalWaitMs', 'totalTransactions'),
    receivedPerSecond: perSecond('totalReceived'),
    sentPerSecond: perSecond('totalSent'),
  };
}

function toSocket(row: ConsoleRow): PoolerSocket {
  const state = textOf(row, 'state') ?? '';
  return {
    id: textOf(row, 'ptr') ?? '',
    database: textOf(row, 'database') ?? '',
    user: textOf(row, 'user') ?? '',
    state,
    application: textOf(row, 'application_name'),
    address: textOf(row, 'addr'),
    port: positive(numberOf(row, 'port')),
    connectedAt: textOf(row, 'connect_time'),
    requestedAt: textOf(row, 'request_time'),
    waitMs: state.startsWith('waiting') ? waitOf(row, 'wait', 'wait_us') : null,
    pid: positive(numberOf(row, 'remote_pid')),
    link: textOf(row, 'link'),
  };
}

/** Seconds in one column, since 1.8 microseconds on top in another. */
function waitOf(row: ConsoleRow, seconds: string, microseconds: string): number | null {
  const whole = numberOf(row, seconds);
  return whole === null ? null : whole * 1_000 + (numberOf(row, microseconds) ?? 0) / 1_000;
}

/** The driver gives 64-bit numbers as text. */
function numberOf(row: ConsoleRow, column: string): number | null {
  const value = row[column];
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
  const number = Number(value);
  // Larger ones would become infinite as milliseconds.
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null;
}

const longestText = 1_000;

/** Null for an empty one: the console shows none and empty alike. */
function textOf(row: ConsoleRow, column: string): string | null {
  const value = row[column];
  return typeof value === 'string' && value !== '' ? shorten(value, longestText) : null;
}

function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}
