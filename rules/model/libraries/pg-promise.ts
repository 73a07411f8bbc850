import {
  connections,
  postgresqlOnly,
  queued,
  rolledBackUnseen,
  row,
  transactions,
  under,
} from '../row.ts';

const sendingTexts: readonly string[] =
  'none one oneOrNone any many manyOrNone result multi multiResult map each query'.split(' ');

/** What its formatting fills in besides `$1`: `lib/patterns.js`. */
const fills = /\$(?:\d+[:~#^]\w*|\{[^}]*\}|\([^)]*\)|<[^>]*>|\[[^\]]*\]|\/[^/]*\/)/gu;

/**
 * Facts: pg-promise 12.7.1 `lib/database.js`, `lib/task.js`; `batch` and its like send one after the other on purpose. `direct` asks
 * for a connection outside of the pool, and a second `done` throws without harm to anybody else.
 */
export const pgPromise = under(['pg-promise'], {
  ...row,
  begins: [{ path: 'connect', by: null, unless: 'direct', gives: 'connection' }],
  releases: ['done'],
  lateQuery: 'it rejects because the connection is released',
  name: 'pg-promise',
  makers: ['default', '*'],
  poolFactories: ['made'],
  poolClasses: ['IDatabase'],
  lends: [...transactions('tx', 'txIf'), ...connections('task', 'taskIf')],
  sends: [
    {
      paths: [...sendingTexts, 'func', 'proc'],
      by: null,
    },
  ],
  notInside: ['connect'],
  texts: sendingTexts,
  fills,
  over: { member: '$pool', module: 'pg' },
  unawaited: rolledBackUnseen,
  keepsSession: true,
  postgresql: postgresqlOnly,
  together: queued,
  // Seen with pg-promise 12.7: savepoint "sp_1_2" does not exist (`lib/task.js`).
  nestedTogether: "they release each other's savepoints and fail",
});
