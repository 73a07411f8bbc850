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
  /** The most backends that it may have, the reserve left out (SHOW DATABASES `pool_size`). */
  readonly size: number | null;
}

/** One row of SHOW STATS. Averages are over the last `stats_period`, one minute by default. */
export interface PoolerStats {
  readonly database: string;
  readonly queriesPerSecond: number | null;
  readonly transactionsPerSecond: number | null;
  readonly averageQueryMs: number | null;
  readonly averageTransactionMs: number | null;
  /** `avg_wait_time`: what clients waited for a backend, until 1.22 the sum in a second, then the average wait. */
  readonly averageWaitMs: number | null;
  readonly receivedPerSecond: number | null;
  readonly sentPerSecond: number | null;
  readonly totalQueries: number | null;
  readonly totalTransactions: number | null;
  /** `total_xact_time`: time in which clients had a backend. Since the pooler began, as the two below. */
  readonly totalTransactionMs: number | null;
  /** `total_query_time` */
  readonly totalQueryMs: number | null;
  /** `total_wait_time`: time that clients waited for a backend. */
  readonly totalWaitMs: number | null;
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
