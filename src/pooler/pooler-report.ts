/** What one look at a pooler's console gives, as plain data. Null stands for what this version does not tell. */
export interface PoolerReport {
  readonly schemaVersion: 1;
  /** ISO 8601, by the clock of the one who looked: the console tells no time. */
  readonly takenAt: string;
  readonly pooler: PoolerFacts;
  readonly totals: PoolerTotals;
  readonly pools: readonly PoolerPool[];
  /** A database each. */
  readonly stats: readonly PoolerStats[];
  /** Null when they were not asked for. */
  readonly clients: readonly PoolerSocket[] | null;
  readonly servers: readonly PoolerSocket[] | null;
}

export interface PoolerFacts {
  /** For example "PgBouncer". */
  readonly product: string;
  /** For example "1.18.0"; empty when it does not say. */
  readonly version: string;
  readonly host: string;
  readonly port: number;
  /** The role that looks into the console. */
  readonly user: string;
  readonly limits: PoolerLimits;
}

/** Of SHOW CONFIG. */
export interface PoolerLimits {
  /** `max_client_conn` */
  readonly maxClients: number | null;
  /** `default_pool_size` */
  readonly defaultPoolSize: number | null;
  /** `min_pool_size` */
  readonly minPoolSize: number | null;
  /** `reserve_pool_size` */
  readonly reservePoolSize: number | null;
  /** `max_db_connections`; 0 is no limit. */
  readonly maxDatabaseConnections: number | null;
  /** `max_user_connections`; 0 is no limit. */
  readonly maxUserConnections: number | null;
  /** `max_prepared_statements`, of 1.21 and newer: above 0, named statements work in every mode. */
  readonly maxPreparedStatements: number | null;
  /** `pool_mode` */
  readonly mode: string | null;
  /** `query_wait_timeout`, in milliseconds: how long a client waits before it is turned away; 0 is without a limit. */
  readonly queryWaitTimeoutMs: number | null;
}

/** Over all pools but the console's own. */
export interface PoolerTotals {
  readonly clientsActive: number;
  readonly clientsWaiting: number;
  readonly serversActive: number;
  /** Idle, used or being tested: what a client could get without a new connection. */
  readonly serversFree: number;
  /** How long the client that is first in line has waited. */
  readonly longestWaitMs: number;
  /** What counts against `max_client_conn`: clients of the console, logins and cancel requests included (SHOW LISTS `used_clients`). */
  readonly clientConnections: number | null;
}

/** One row of SHOW POOLS: the clients and backends of one database and user. The names are hostile. */
export interface PoolerPool {
  readonly database: string;
  readonly user: string;
  /** Linked to a backend, or idle (`cl_active`). */
  readonly clientsActive: number;
  /** Sent a statement and have no backend yet (`cl_waiting`). */
  readonly clientsWaiting: number;
  /** Lent to a client (`sv_active`). */
  readonly serversActive: number;
  /** `sv_idle` */
  readonly serversIdle: number;
  /** Idle for so long that they are checked before the next use (`sv_used`). */
  readonly serversUsed: number;
  /** Being reset or checked (`sv_tested`). */
  readonly serversTested: number;
  /** Being connected (`sv_login`). */
  readonly serversLogin: number;
  /** Cancel requests of clients, sent on or not (`cl_active_cancel_req` + `cl_waiting_cancel_req`, before 1.18 `cl_cancel_req`). */
  readonly cancelRequests: number | null;
  /** `maxwait` + `maxwait_us` */
  readonly longestWaitMs: number;
  readonly mode: string | null;
  /** The most backends that it may have, the reserve left out: `pool_size` of its user (SHOW USERS, since 1.23), else of its database (SHOW DATABASES). 0 is no limit. */
  readonly size: number | null;
  /** How many more it may have for clients that have waited for `reserve_pool_timeout`. */
  readonly reserve: number | null;
}

/**
 * One row of SHOW STATS. Rates and averages are differences of its totals. Its own averages are not used: they are whole numbers over one
 * to two `stats_period`, and `avg_wait_time` is the sum of all clients' waits in a second up to 1.22, from 1.23 the average of a wait.
 */
export interface PoolerStats {
  readonly database: string;
  /** The time over which rates and averages are taken. Null in the first sample, and after totals have gone back: then they are null too. */
  readonly overMs: number | null;
  readonly queriesPerSecond: number | null;
  readonly transactionsPerSecond: number | null;
  /** From a client's statement to the end of its answer: what it waits for a backend is a part of it. Null where none ended. */
  readonly averageQueryMs: number | null;
  /** From the first statement to the end of the transaction: what it waits for a backend is a part of it. */
  readonly averageTransactionMs: number | null;
  /** What a transaction waits for a backend, on average over all of them. */
  readonly averageWaitMs: number | null;
  /** Bytes of clients. */
  readonly receivedPerSecond: number | null;
  /** Bytes to clients. */
  readonly sentPerSecond: number | null;
  /** `total_query_count`, up to 1.7 `total_requests`. All totals are since the pooler began. */
  readonly totalQueries: number | null;
  /** `total_xact_count` */
  readonly totalTransactions: number | null;
  /** `total_xact_time`, which begins with a transaction's first statement, whether or not there is a backend for it. */
  readonly totalTransactionMs: number | null;
  /** `total_query_time`, which begins with the statement. */
  readonly totalQueryMs: number | null;
  /** `total_wait_time`: time that clients waited for a backend. */
  readonly totalWaitMs: number | null;
  /** `total_received`, in bytes. */
  readonly totalReceived: number | null;
  /** `total_sent`, in bytes. */
  readonly totalSent: number | null;
}

/** One row of SHOW CLIENTS or SHOW SERVERS. Every text is hostile. */
export interface PoolerSocket {
  /** `ptr`: names the connection while it lives. */
  readonly id: string;
  readonly database: string;
  readonly user: string;
  readonly state: string;
  readonly application: string | null;
  readonly address: string | null;
  readonly port: number | null;
  readonly connectedAt: string | null;
  readonly requestedAt: string | null;
  /** Null where it does not wait. */
  readonly waitMs: number | null;
  /** Of a server: process id of its backend. Of a client on a Unix-domain socket: its own. */
  readonly pid: number | null;
  /** `id` of the other end: a client's server and a server's client. */
  readonly link: string | null;
}
