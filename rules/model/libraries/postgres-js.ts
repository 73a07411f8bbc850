import {
  postgresqlOnly,
  rolledBackUnseen,
  row,
  runsAllTheSame,
  transactions,
  under,
} from '../row.ts';

/** Facts: postgres 3.4.9 `src/index.js`; `src/query.js` (sent on `then`); statements of one connection are pipelined. A handle that was given back still sends. */
export const postgresJs = under(['postgres'], {
  ...row,
  begins: [{ path: 'reserve', by: null, unless: null, gives: 'connection' }],
  releases: ['release'],
  lateQuery: runsAllTheSame,
  name: 'postgres.js',
  poolClasses: ['Sql'],
  poolFactories: ['default', '*'],
  lends: transactions('begin'),
  sends: [{ paths: ['unsafe', 'file'], by: null }],
  tags: [''],
  texts: ['unsafe'],
  isLazy: true,
  sentBy: ['execute', 'forEach'],
  notInside: ['begin', 'reserve'],
  unawaited: rolledBackUnseen,
  keepsSession: true,
  postgresql: postgresqlOnly,
  together: null,
});
