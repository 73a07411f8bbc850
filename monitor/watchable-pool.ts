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
