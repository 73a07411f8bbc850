import {
  connections,
  postgresqlOnly,
  queued,
  rolledBackUnseen,
  row,
  transactions,
  under,
} from '../row.ts';

/** Facts: @databases/pg 6.1.0 `src/ConnectionPool.ts`. */
export const databases = under(['@databases/pg'], {
  ...row,
  name: '@databases/pg',
  poolFactories: ['default', '*'],
  poolClasses: ['ConnectionPool'],
  lends: [...transactions('tx'), ...connections('task')],
  sends: [{ paths: ['query'], by: null }],
  texts: ['query'],
  lateQuery: 'it rejects because the connection is released',
  unawaited: rolledBackUnseen,
  keepsSession: true,
  postgresql: postgresqlOnly,
  together: queued,
});
