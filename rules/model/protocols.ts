/** Which database a driver speaks to, as far as its name tells: rules about PostgreSQL itself hold for the first only. */
export type Database = 'postgresql' | 'mysql' | 'any';

/** How the objects of a driver are spoken to, and what comes of it. */
export interface Protocol {
  readonly database: Database;
  /** The method of a pool that checks a client out. */
  readonly acquire: string;
  /** A promise of the client, or the client for a callback; or at once a client that takes its connection when it is first used. */
  readonly gives: 'promise' | 'client without connection';
  /** No other library calls a method so: whatever is asked for a client with it is a pool. */
  readonly isUnmistakable: boolean;
  /** The method by which such a client takes its connection, and does nothing else; where it fails there is nothing to release. */
  readonly opens: string | null;
  /** Members of such a client that lead to its use without a call of its own. */
  readonly usedBy: readonly string[];
  /** Members of what these lead to by which one comes back to the client. */
  readonly ledBackBy?: readonly string[];
  /** Methods of a pool or a client that send a statement. */
  readonly queries: readonly string[];
  /** Whether a query gives a promise where no callback is given. */
  readonly promises: 'always' | 'unless checked out by callback';
  /** Methods of a client that begin and end a transaction. */
  readonly transactions: Readonly<Record<string, TransactionStep>>;
  /** Methods of a client that give it back. */
  readonly releases: readonly string[];
  /** What `using` makes of a client: it goes back, and what is open is committed; left out where it has no such method. */
  readonly disposal?: 'commits';
  /** Those of them after whose failure the client is still out; left out where there are none. */
  readonly outIfFailed?: readonly string[];
  /** The method that sends what such a call only builds; left out where the call itself gives the client back. */
  readonly releasedBy?: string;
  /** A client comes with a transaction open, and goes back by ending it. */
  readonly isTransaction: boolean;
  /** Properties of a client that no other driver's has. */
  readonly properties: readonly string[];
  /** Methods of a client after which there is nothing left to release. */
  readonly ends: readonly string[];
  /** Methods of a pool that end every client that it has lent. */
  readonly endsAll: readonly string[];
  /** The method of a pool that takes a client back. */
  readonly takesBack: string | null;
  /** Methods of a pool or a client that give the same with promises in place of callbacks. */
  readonly views: readonly string[];
  /** Members of a client that tell whether it is released, called or not. */
  readonly tellsReleased: Readonly<Record<string, BeforeAndAfter>>;
  /** The property of a client that is true from the call that begins a transaction until one that ends it succeeds. */
  readonly tellsTransaction: string | null;
  /** A truthy argument of `release` closes the connection. */
  readonly closesByArgument: boolean;
  /** A connection that breaks while it is lent leaves its pool by itself. */
  readonly dropsBroken: boolean;
  /** Values of the option `type` with which there is one connection for all, and no pool. */
  readonly poolless: readonly string[];
  /** The option for the number of a pool's clients, 10 by default in each of these drivers. */
  readonly limit: string;
  /** What a second release does while nobody else has the client; null when it does no harm at any time. */
  readonly secondRelease: string | null;
  /** What a query on a released client does. */
  readonly lateQuery: string;
}

type TransactionStep = 'begin' | 'commit' | 'rollback';

/** What a member gives while the client is out, and once it is released; null where that depends on how it was released. */
type BeforeAndAfter = readonly ['false' | 'nothing', 'true' | 'some' | null];

const landsElsewhere = 'another caller may be using it';

/**
 * Facts: pg 8.23 `lib/index.js`, pg-pool 3.14 `index.js`. `@neondatabase/serverless` 1.1 bundles both; its `neon()` sends each
 * query by HTTP and lends nothing. `@vercel/postgres` 0.10 derives from it; its `sql` and `db` are one pool.
 */
export const postgres: Protocol = {
  database: 'postgresql',
  acquire: 'connect',
  gives: 'promise',
  isUnmistakable: false,
  opens: null,
  usedBy: [],
  queries: ['query'],
  promises: 'always',
  transactions: {},
  releases: ['release'],
  isTransaction: false,
  properties: [],
  ends: [],
  endsAll: [],
  takesBack: null,
  views: [],
  tellsReleased: {},
  tellsTransaction: null,
  closesByArgument: true,
  dropsBroken: false,
  poolless: [],
  limit: 'max',
  secondRelease: 'throws "Release called on client which has already been released to the pool."',
  lateQuery: landsElsewhere,
};

/**
 * Facts: mysql2 3.23 `lib/pool_connection.js`, `lib/base/pool.js`, `lib/pool_config.js`; mysql 2.18 `lib/PoolConnection.js`,
 * `lib/Pool.js`. `queueLimit` is 0, so a caller that finds no free connection waits indefinitely. `release` ignores its arguments, `end` of a
 * pooled connection warns and releases, and a connection that ends or fails is taken out of the pool, whoever has it.
 */
export const mysql: Protocol = {
  database: 'mysql',
  acquire: 'getConnection',
  gives: 'promise',
  isUnmistakable: false,
  opens: null,
  usedBy: [],
  queries: ['query', 'execute'],
  promises: 'unless checked out by callback',
  transactions: { beginTransaction: 'begin', commit: 'commit', rollback: 'rollback' },
  releases: ['release'],
  isTransaction: false,
  properties: [],
  ends: ['destroy', 'end'],
  endsAll: ['end'],
  takesBack: 'releaseConnection',
  views: ['promise'],
  tellsReleased: {},
  tellsTransaction: null,
  closesByArgument: false,
  dropsBroken: true,
  poolless: [],
  limit: 'connectionLimit',
  secondRelease: 'throws "Connection already released"',
  lateQuery: landsElsewhere,
};

/** A second release before 3.20 put the connection into the list of free ones twice (mysql2 pull request 4186); since then only a late one does harm. */
export const mysql2: Protocol = {
  ...mysql,
  secondRelease: 'does nothing from mysql2 3.20 on, and hands the connection out twice before that',
};

/**
 * Facts: typeorm 1.1 `src/driver/postgres/PostgresQueryRunner.ts`, `src/driver/mysql/MysqlQueryRunner.ts`, the same in 0.3.
 * `createQueryRunner()` takes nothing; `connect()` or the first query does. A released runner refuses queries, and `release()`
 * of a released one does nothing with PostgreSQL (`await using` commits and releases, `query-runner/BaseQueryRunner.js`); elsewhere that is the driver's matter. A connection that breaks is released.
 * `destroy()` of the data source leaves no client behind: with PostgreSQL it releases every runner that is connected and then ends
 * the pool (`src/driver/postgres/PostgresDriver.ts`, `closePool`), with MySQL ending the pool closes the connections that are lent,
 * too (mysql2 3.23 `lib/base/pool.js`, `end`). What descends from `AbstractSqliteDriver` has one connection, and `release()` only
 * forgets what it knew of the tables (`src/driver/sqlite-abstract/AbstractSqliteQueryRunner.ts`).
 */
export const typeorm: Protocol = {
  database: 'any',
  acquire: 'createQueryRunner',
  gives: 'client without connection',
  isUnmistakable: true,
  opens: 'connect',
  usedBy: ['manager'],
  // `EntityManager.queryRunner`, `Repository.queryRunner`; `EntityManager.release()` is called as that of the runner.
  ledBackBy: ['queryRunner'],
  queries: ['query'],
  promises: 'always',
  transactions: {
    startTransaction: 'begin',
    commitTransaction: 'commit',
    rollbackTransaction: 'rollback',
  },
  releases: ['release'],
  disposal: 'commits',
  isTransaction: false,
  properties: [],
  ends: [],
  endsAll: ['destroy', 'close'],
  takesBack: null,
  views: [],
  tellsReleased: { isReleased: ['false', 'true'] },
  tellsTransaction: 'isTransactionActive',
  closesByArgument: false,
  dropsBroken: true,
  poolless: [
    'sqlite',
    'better-sqlite3',
    'sqljs',
    'capacitor',
    'cordova',
    'expo',
    'nativescript',
    'react-native',
  ],
  limit: 'poolSize',
  secondRelease: null,
  lateQuery: 'it throws QueryRunnerAlreadyReleasedError',
};

/** What a method of a client does to its transaction; undefined for any other, those that every object has among them. */
export function transactionStep(
  { transactions }: Pick<Protocol, 'transactions'>,
  method: string | undefined,
): TransactionStep | undefined {
  return method !== undefined && Object.hasOwn(transactions, method)
    ? transactions[method]
    : undefined;
}
