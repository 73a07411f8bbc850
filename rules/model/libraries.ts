import { methods, type Driver } from './drivers.ts';
import { landsElsewhere } from './protocols.ts';
import {
  connections,
  endedByHand,
  queued,
  row,
  transactions,
  under,
  type Library,
} from './library.ts';

/** Facts: drizzle-orm 0.45.4 `pg-core/db.js`, `query-promise.js` (sent on `then`), `node-postgres/session.js`. */
const drizzle = under(
  [
    'drizzle-orm/node-postgres',
    'drizzle-orm/postgres-js',
    'drizzle-orm/neon-serverless',
    'drizzle-orm/vercel-postgres',
    'drizzle-orm/mysql2',
  ],
  {
    ...row,
    name: 'Drizzle',
    poolFactories: ['drizzle'],
    poolClasses: [
      'NodePgDatabase',
      'PostgresJsDatabase',
      'NeonDatabase',
      'VercelPgDatabase',
      'MySql2Database',
    ],
    lends: transactions('transaction'),
    sends: [
      {
        paths: [
          'select',
          'selectDistinct',
          'selectDistinctOn',
          'insert',
          'update',
          'delete',
          'execute',
          '$count',
          'refreshMaterializedView',
          'query.*.findMany',
          'query.*.findFirst',
        ],
        by: null,
      },
    ],
    together: queued,
  },
);

const prismaMethods: readonly string[] =
  'findUnique findUniqueOrThrow findFirst findFirstOrThrow findMany create createMany createManyAndReturn update updateMany updateManyAndReturn upsert delete deleteMany aggregate groupBy count'.split(
    ' ',
  );

/** Facts: Prisma 7.10 and 6.19 `runtime/getPrismaClient.ts`; a `PrismaPromise` runs once somebody waits for it. */
const prisma = under(['@prisma/client'], {
  ...row,
  name: 'Prisma',
  poolClasses: ['PrismaClient'],
  lends: transactions('$transaction'),
  lendsUnmistakably: true,
  sends: [
    {
      paths: [
        ...prismaMethods.map((method) => `*.${method}`),
        '$queryRawUnsafe',
        '$executeRawUnsafe',
      ],
      by: null,
    },
  ],
  together: null,
});

/** Facts: Kysely 0.29.9 `kysely.js`; builders send nothing until executed. */
const kysely = under(['kysely'], {
  ...row,
  ...endedByHand,
  begins: [{ path: 'startTransaction', by: 'execute', unless: null }],
  tellsReleased: { isCommitted: ['false', null], isRolledBack: ['false', null] },
  lateQuery: 'it rejects, since the transaction has ended',
  name: 'Kysely',
  poolClasses: ['Kysely'],
  lends: [
    { path: 'transaction', by: 'execute', opens: true },
    { path: 'connection', by: 'execute', opens: false },
  ],
  sends: [
    {
      paths: [
        'selectFrom',
        'selectNoFrom',
        'insertInto',
        'replaceInto',
        'updateTable',
        'deleteFrom',
        'mergeInto',
        'with',
        'withRecursive',
      ],
      by: ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow', 'stream', 'explain'],
    },
  ],
  together: queued,
});

/**
 * Facts: Knex 3.3.0 `lib/execution/transaction.js`, `lib/client.js`; builders are sent on `then`. A COMMIT that fails completes the
 * transaction as well, and its connection goes back.
 */
const knex = under(['knex'], {
  ...row,
  ...endedByHand,
  begins: [{ path: 'transaction', by: null, unless: null }],
  tellsReleased: { isCompleted: ['false', 'true'] },
  lateQuery: 'it rejects with "Transaction query already complete"',
  name: 'Knex',
  poolFactories: ['default', 'knex', '*'],
  poolClasses: ['Knex'],
  lends: transactions('transaction'),
  sends: [
    {
      paths: [
        '',
        'select',
        'insert',
        'raw',
        'from',
        'with',
        'into',
        'table',
        'first',
        'batchInsert',
      ],
      by: null,
    },
  ],
  boundBy: ['transacting', 'connection'],
  together: queued,
});

/** Facts: postgres 3.4.9 `src/index.js`; statements of one connection are pipelined. A handle that was given back still sends. */
const postgresJs = under(['postgres'], {
  ...row,
  begins: [{ path: 'reserve', by: null, unless: null }],
  releases: ['release'],
  lateQuery: landsElsewhere,
  name: 'postgres.js',
  poolFactories: ['default', '*'],
  lends: transactions('begin'),
  sends: [{ paths: ['unsafe', 'file'], by: null }],
  together: null,
});

/** Facts: slonik 49.10 `src/binders/bindPool.ts`; queries are sent at the call. */
const slonik = under(['slonik'], {
  ...row,
  name: 'Slonik',
  poolFactories: ['createPool'],
  poolClasses: ['DatabasePool'],
  lends: [...transactions('transaction'), ...connections('connect')],
  sends: [
    {
      paths: [
        'query',
        'any',
        'anyFirst',
        'many',
        'manyFirst',
        'maybeOne',
        'maybeOneFirst',
        'one',
        'oneFirst',
        'exists',
        'stream',
      ],
      by: null,
    },
  ],
  together: queued,
});

/**
 * Facts: pg-promise 12.7.1 `lib/database.js`, `lib/task.js`; `batch` and its like send one after the other on purpose. `direct` asks
 * for a connection outside of the pool, and a second `done` throws without harm to anybody else.
 */
const pgPromise = under(['pg-promise'], {
  ...row,
  begins: [{ path: 'connect', by: null, unless: 'direct' }],
  releases: ['done'],
  lateQuery: 'it rejects with "Querying against a released or lost connection."',
  name: 'pg-promise',
  makers: ['default', '*'],
  poolFactories: ['made'],
  poolClasses: ['IDatabase'],
  lends: [...transactions('tx', 'txIf'), ...connections('task', 'taskIf')],
  sends: [
    {
      paths: [
        'none',
        'one',
        'oneOrNone',
        'any',
        'many',
        'manyOrNone',
        'result',
        'multi',
        'multiResult',
        'func',
        'proc',
        'map',
        'each',
        'query',
      ],
      by: null,
    },
  ],
  together: queued,
});

/** Facts: @databases/pg 6.1.0 `src/ConnectionPool.ts`. */
const databases = under(['@databases/pg'], {
  ...row,
  name: '@databases/pg',
  poolFactories: ['default', '*'],
  poolClasses: ['ConnectionPool'],
  lends: [...transactions('tx'), ...connections('task')],
  sends: [{ paths: ['query'], by: null }],
  together: queued,
});

const sequelizeMethods: readonly string[] =
  'findAll findOne findByPk findOrCreate findOrBuild findCreateFind findAndCountAll create bulkCreate update upsert destroy restore save reload increment decrement count max min sum truncate query'.split(
    ' ',
  );

/**
 * Facts: Sequelize 6.37.8 `src/sequelize.js`. Queries take the connection of their option `transaction`, or of one that is set
 * around them (`useCLS`, always in version 7), so that none of them shows by itself where it goes.
 */
const sequelizeRow: Omit<Library, 'module'> = {
  ...row,
  ...endedByHand,
  joinedBy: { option: 'transaction', methods: sequelizeMethods },
  begins: [{ path: 'transaction', by: null, unless: null }],
  tellsReleased: { finished: ['nothing', 'some'] },
  lateQuery: 'it rejects, since the transaction has ended',
  name: 'Sequelize',
  poolClasses: ['Sequelize'],
  lends: transactions('transaction'),
  sends: [],
  together: queued,
};

/** Version 7 reuses the transaction around it: `defaultTransactionNestMode`. */
const sequelize = [
  ...under(['sequelize'], sequelizeRow),
  ...under(['@sequelize/core'], {
    ...sequelizeRow,
    begins: [{ path: 'startUnmanagedTransaction', by: null, unless: null }],
    joins: true,
  }),
];

/**
 * Facts: MikroORM 7.2.1 `packages/core/src/EntityManager.ts`, `TransactionManager.ts`. The global `orm.em` joins what is open around
 * it: no query shows by itself where it goes, and a transaction inside one is a savepoint (`TransactionPropagation.NESTED`).
 */
const mikroOrm = under(['@mikro-orm/core', '@mikro-orm/postgresql'], {
  ...row,
  name: 'MikroORM',
  poolClasses: ['EntityManager'],
  lends: transactions('transactional'),
  lendsUnmistakably: true,
  joins: true,
  sends: [],
  together: null,
});

export const libraries: readonly Library[] = [
  ...drizzle,
  ...prisma,
  ...kysely,
  ...knex,
  ...postgresJs,
  ...slonik,
  ...pgPromise,
  ...databases,
  ...sequelize,
  ...mikroOrm,
];

/** Names by which a client comes back, and a connection of a library. */
export const releaseNames: ReadonlySet<string> = new Set([
  methods.release,
  ...libraries.flatMap(({ releases }) => releases),
]);

/** Names of the calls that give a connection without a callback. */
export const beginNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ begins }) => begins.map(({ path }) => path)),
);

/** The row of what a handle belongs to; undefined for a pool of a driver. */
export function libraryOf(driver: Driver): Library | undefined {
  return libraries.find((each) => each === driver);
}
