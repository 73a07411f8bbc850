/** How a pool is watched. Every one has a variable of the environment for `poolguard-monitor/register`. */
export interface MonitorOptions {
  /** What the pool is called in reports; without it, its `application_name`. */
  readonly name?: string;
  /** A checkout that is out for longer is reported with the stack of its acquire. `POOLGUARD_HELD_MS`, 5000. */
  readonly heldMs?: number;
  /** Between two samples of the counters. `POOLGUARD_SAMPLE_MS`, 50. */
  readonly sampleMs?: number;
  /** Between two lines on the console; 0 for none. `POOLGUARD_PRINT_MS`, 5000. */
  readonly printMs?: number;
  /** Whether stacks are kept. `POOLGUARD_STACKS=off`. */
  readonly stacks?: boolean;
  /** More callers than this waiting make an alert. `POOLGUARD_ALERT_WAITING`, 20. */
  readonly alertWaiting?: number;
  /** A smaller share of idle clients among all open ones makes an alert, 0 to 1. `POOLGUARD_ALERT_IDLE`, 0.1. */
  readonly alertIdle?: number;
  /** Where reports go. `POOLGUARD_REPORT=console,otel`. Where somebody listens at `POOLGUARD_SOCKET`, that is the default, else the console. */
  readonly report?: readonly ReporterName[];
}

export const reporterNames = ['console', 'otel', 'socket'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** The variables through which a listener tells where it is, and how the monitor shows that it was asked to come. */
export const socketVariables = { path: 'POOLGUARD_SOCKET', token: 'POOLGUARD_TOKEN' } as const;

/** A pool of `pg`: any with the members of pg-pool that applications see. */
interface PgPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** What `knex()` gives. */
interface Knex {
  readonly client: object;
  readonly raw: unknown;
}

/** A `Sequelize`. */
interface Sequelize {
  readonly connectionManager: object;
}

/** What `postgres()` gives. */
interface PostgresJs {
  readonly options: object;
  readonly reserve: unknown;
  readonly unsafe: unknown;
}

/** What `watchPool` takes. */
export type WatchablePool = PgPool | Knex | Sequelize | PostgresJs;
