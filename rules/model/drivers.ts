/** What a driver's package exports, and what its objects are asked to do. Facts: pg 8.23 `lib/index.js`, pg-pool 3.14 `index.js`. */
export interface Driver {
  /** The package's name. */
  readonly module: string;
  /** Exported classes whose instances are pools; `default` is the default export. */
  readonly poolClasses: readonly string[];
  /** Exported functions that make a pool. */
  readonly poolFactories: readonly string[];
  /** Exported types of a checked-out client. */
  readonly clientTypes: readonly string[];
  /** Exported classes of a single connection that no pool lends. */
  readonly connectionClasses: readonly string[];
}

export const drivers: readonly Driver[] = [
  { module: 'pg', poolClasses: ['Pool'], poolFactories: [], clientTypes: ['PoolClient'], connectionClasses: ['Client'] },
  { module: 'pg-pool', poolClasses: ['default'], poolFactories: [], clientTypes: ['PoolClient'], connectionClasses: [] },
  { module: '@neondatabase/serverless', poolClasses: ['Pool'], poolFactories: [], clientTypes: ['PoolClient'], connectionClasses: ['Client'] },
  { module: '@vercel/postgres', poolClasses: ['VercelPool'], poolFactories: ['createPool'], clientTypes: ['VercelPoolClient'], connectionClasses: ['VercelClient'] },
];

/** How a pool of these drivers is spoken to. */
export const methods = { acquire: 'connect', release: 'release', query: 'query', end: 'end' } as const;

/** What a client has of its own besides (pg 8.23 `client.js`, Node's EventEmitter): a property of another name is the program's. */
export const clientProperties: ReadonlySet<string> = new Set([
  ...Object.values(methods),
  ...['on', 'once', 'off', 'emit', 'addListener', 'removeListener', 'removeAllListeners', 'prependListener', 'setMaxListeners', 'getMaxListeners', 'listeners', 'listenerCount', 'eventNames'],
  ...['processID', 'secretKey', 'connection', 'connectionParameters', 'database', 'user', 'host', 'port', 'password', 'ssl', 'binary', 'replication', 'native', 'readyForQuery', 'activeQuery', 'queryQueue', 'hasExecuted', 'then', 'constructor'],
  ...['escapeIdentifier', 'escapeLiteral', 'getTypeParser', 'setTypeParser', 'getTransactionStatus', 'pauseDrain', 'resumeDrain', 'copyFrom', 'copyTo', 'ref', 'unref', 'cancel', 'pipeline'],
]);

/** Pools of other databases share method names with ours; a file that imports one of these is judged by proof only, never by usage. */
export const foreignDrivers: ReadonlySet<string> = new Set([
  'mssql', 'tedious', 'oracledb', 'mongodb', 'mongoose', 'mysql', 'mysql2', 'mysql2/promise', 'mariadb', 'slonik', 'pg-promise', 'redis', 'ioredis', 'generic-pool', 'snowflake-sdk', 'cassandra-driver',
]);
