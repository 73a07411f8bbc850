import { mysql, mysql2, postgres, typeorm, type Protocol } from './protocols.ts';

/** What a driver's package exports, and how what it exports is spoken to. */
export interface Driver extends Protocol {
  /** The package's name. */
  readonly module: string;
  /** Exported classes whose instances are pools; `default` is the default export. */
  readonly poolClasses: readonly string[];
  /** Exported functions that make a pool, or find it. */
  readonly poolFactories: readonly string[];
  /** Exported objects that are a pool. */
  readonly pools: readonly string[];
  /** Exported types of a checked-out client. */
  readonly clientTypes: readonly string[];
  /** Exported classes of a single connection that no pool lends. */
  readonly connectionClasses: readonly string[];
}

export const drivers: readonly Driver[] = [
  {
    ...postgres,
    module: 'pg',
    poolClasses: ['Pool'],
    poolFactories: [],
    pools: [],
    clientTypes: ['PoolClient'],
    connectionClasses: ['Client'],
  },
  {
    ...postgres,
    module: 'pg-pool',
    poolClasses: ['default'],
    poolFactories: [],
    pools: [],
    clientTypes: ['PoolClient'],
    connectionClasses: [],
  },
  {
    ...postgres,
    module: '@neondatabase/serverless',
    poolClasses: ['Pool'],
    poolFactories: [],
    pools: [],
    clientTypes: ['PoolClient'],
    connectionClasses: ['Client'],
  },
  {
    ...postgres,
    module: '@vercel/postgres',
    poolClasses: ['VercelPool'],
    poolFactories: ['createPool'],
    pools: ['db', 'sql'],
    clientTypes: ['VercelPoolClient'],
    connectionClasses: ['VercelClient'],
  },
  {
    ...mysql2,
    module: 'mysql2',
    poolClasses: ['Pool'],
    poolFactories: ['createPool', 'createPoolPromise'],
    pools: [],
    clientTypes: ['PoolConnection'],
    connectionClasses: ['Connection'],
  },
  {
    ...mysql2,
    module: 'mysql2/promise',
    poolClasses: ['Pool', 'PromisePool'],
    poolFactories: ['createPool'],
    pools: [],
    clientTypes: ['PoolConnection', 'PromisePoolConnection'],
    connectionClasses: ['Connection', 'PromiseConnection'],
  },
  {
    ...mysql,
    module: 'mysql',
    poolClasses: ['Pool'],
    poolFactories: ['createPool'],
    pools: [],
    clientTypes: ['PoolConnection'],
    connectionClasses: ['Connection'],
  },
  {
    ...typeorm,
    module: 'typeorm',
    poolClasses: ['DataSource', 'Connection'],
    poolFactories: ['getConnection', 'createConnection'],
    pools: [],
    clientTypes: ['QueryRunner'],
    connectionClasses: [],
  },
];

/** The packages that the drivers come in: `mysql2` for `mysql2/promise`. */
export const driverPackages: ReadonlySet<string> = new Set(
  drivers.map(({ module }) =>
    module
      .split('/')
      .slice(0, module.startsWith('@') ? 2 : 1)
      .join('/'),
  ),
);

/** What a pool is taken for that only shows by its use. */
export const driverByUse: Driver = drivers.find(({ module }) => module === 'pg') as Driver;

/** How a pool of node-postgres and similar ones is spoken to. */
export const methods = {
  acquire: 'connect',
  release: 'release',
  query: 'query',
  end: 'end',
} as const;

/** Names that any driver has for it. */
export const acquireNames: ReadonlySet<string> = new Set(drivers.map(({ acquire }) => acquire));
export const queryNames: ReadonlySet<string> = new Set(drivers.flatMap(({ queries }) => queries));
export const transactionNames: ReadonlySet<string> = new Set(
  drivers.flatMap(({ transactions }) => Object.keys(transactions)),
);
export const transactionEnds: ReadonlySet<string> = new Set(
  drivers.flatMap(({ transactions }) =>
    Object.keys(transactions).filter((name) => transactions[name] !== 'begin'),
  ),
);

/** What a client has of its own besides (pg 8.23 `client.js`, mysql2 3.23 `promise.d.ts`, typeorm 1.1 `QueryRunner.ts`, Node's EventEmitter): a property of another name is the program's. */
export const clientProperties: ReadonlySet<string> = new Set([
  ...Object.values(methods),
  ...drivers.flatMap(({ acquire, queries, ends, views, transactions }) => [
    acquire,
    ...queries,
    ...ends,
    ...views,
    ...Object.keys(transactions),
  ]),
  ...[
    'on',
    'once',
    'off',
    'emit',
    'addListener',
    'removeListener',
    'removeAllListeners',
    'prependListener',
    'setMaxListeners',
    'getMaxListeners',
    'listeners',
    'listenerCount',
    'eventNames',
  ],
  ...[
    'processID',
    'secretKey',
    'connection',
    'connectionParameters',
    'database',
    'user',
    'host',
    'port',
    'password',
    'ssl',
    'binary',
    'replication',
    'native',
    'readyForQuery',
    'activeQuery',
    'queryQueue',
    'hasExecuted',
    'then',
    'constructor',
  ],
  ...[
    'escapeIdentifier',
    'escapeLiteral',
    'getTypeParser',
    'setTypeParser',
    'getTransactionStatus',
    'pauseDrain',
    'resumeDrain',
    'copyFrom',
    'copyTo',
    'ref',
    'unref',
    'cancel',
    'pipeline',
  ],
  ...[
    'config',
    'threadId',
    'state',
    'stream',
    'sequenceId',
    'lastActiveTime',
    'changeUser',
    'prepare',
    'unprepare',
    'ping',
    'reset',
    'pause',
    'resume',
    'escape',
    'escapeId',
    'format',
    'statistics',
  ],
  ...[
    'manager',
    'dataSource',
    'data',
    'broadcaster',
    'isReleased',
    'isTransactionActive',
    'loadedTables',
    'loadedViews',
    'databaseConnection',
    'hasTable',
    'hasColumn',
    'getTable',
    'stream',
  ],
]);

/** Pools of other libraries share method names with ours; a file that imports one of these is judged by proof only, never by usage. */
export const foreignDrivers: ReadonlySet<string> = new Set([
  ...drivers.flatMap(({ module, database }) => (database === 'mysql' ? module : [])),
  ...[
    'mssql',
    'tedious',
    'oracledb',
    'mongodb',
    'mongoose',
    'mariadb',
    'slonik',
    'pg-promise',
    'redis',
    'ioredis',
    'generic-pool',
    'snowflake-sdk',
    'cassandra-driver',
  ],
]);
