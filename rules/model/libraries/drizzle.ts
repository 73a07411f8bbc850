import { each, noTables } from '../built.ts';
import type { Library } from '../library.ts';
import {
  postgresqlOnly,
  queued,
  rolledBackUnseen,
  row,
  runsAllTheSame,
  transactions,
  under,
} from '../row.ts';

/**
 * Facts: drizzle-orm 0.45.4 `pg-core/db.js`, `query-promise.js` (sent on `then`), `node-postgres/session.js` (`transaction` waits for
 * the callback only, and the handle keeps its client).
 */
const drizzleRow: Omit<Library, 'module'> = {
  ...row,
  name: 'Drizzle',
  poolFactories: ['drizzle'],
  poolClasses: [
    'NodePgDatabase',
    'PostgresJsDatabase',
    'NeonDatabase',
    'VercelPgDatabase',
    'BunSQLDatabase',
    'PgDatabase',
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
  sentBy: ['execute'],
  texts: ['execute'],
  lateQuery: runsAllTheSame,
  unawaited: rolledBackUnseen,
  builds: {
    inCapitals: false,
    calls: [
      ...each(['argument'], {
        insert: 'insert',
        update: 'update',
        delete: 'delete',
        select: '$count',
      }),
      ...each([{ behind: 'from' }], { select: 'select selectDistinct selectDistinctOn' }),
      ...each(['member'], { select: 'query.*.findMany query.*.findFirst' }),
    ],
    reaches: [],
    tables: { ...noTables, makers: ['pgTable'] },
  },
  keepsSession: true,
  postgresql: postgresqlOnly,
  together: queued,
  // Both are `SAVEPOINT sp1` (drizzle-orm 0.45 `node-postgres/session.js`, `nestedIndex`).
  nestedTogether: 'one that fails undoes what the others have written',
};

function over(module: string): Omit<Library, 'module'> {
  return { ...drizzleRow, over: { member: '$client', module } };
}

/**
 * `$client` is what the handle was made over (`node-postgres/driver.js`). Bun refuses the COMMIT of a failed transaction; in MySQL a
 * statement that fails is rolled back alone (MySQL 8.4, InnoDB Error Handling).
 */
export const drizzle = [
  ...under(['drizzle-orm/node-postgres'], over('pg')),
  ...under(['drizzle-orm/postgres-js'], over('postgres')),
  ...under(['drizzle-orm/neon-serverless'], over('@neondatabase/serverless')),
  ...under(['drizzle-orm/vercel-postgres'], over('@vercel/postgres')),
  ...under(['drizzle-orm/bun-sql'], {
    ...over('bun'),
    unawaited: null,
    keepsSession: false,
  }),
  ...under(['drizzle-orm/pg-core'], drizzleRow),
  ...under(['drizzle-orm/mysql2'], {
    ...over('mysql2'),
    keepsSession: false,
    unawaited: 'if it fails, the rest is committed without it',
  }),
];
