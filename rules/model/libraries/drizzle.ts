import { queued, row, transactions, under } from '../library.ts';

/** Facts: drizzle-orm 0.45.4 `pg-core/db.js`, `query-promise.js` (sent on `then`), `node-postgres/session.js`. */
export const drizzle = under(
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
    isLazy: true,
    together: queued,
  },
);
