import { connections, queued, row, transactions, under } from '../row.ts';

const slonikQueries: readonly string[] =
  'query any anyFirst many manyFirst maybeOne maybeOneFirst one oneFirst exists stream'.split(' ');

/** Facts: slonik 49.10 `src/binders/bindPool.ts`; queries are sent at the call; its fork @silverhand/slonik 31.0.0-beta.3 `dist/src/binders/bindPool.js`, the same. */
export const slonik = under(['slonik', '@silverhand/slonik'], {
  ...row,
  name: 'Slonik',
  poolFactories: ['createPool'],
  poolClasses: ['DatabasePool'],
  lends: [...transactions('transaction'), ...connections('connect')],
  sends: [
    {
      paths: slonikQueries,
      by: null,
    },
  ],
  notInside: ['connect'],
  texts: slonikQueries,
  lateQuery: 'it rejects because the connection is released',
  unawaited: 'the transaction rejects, committed or not',
  together: queued,
  // "Cannot run a query using parent transaction." (slonik 49.10 `src/routines/executeQuery.ts`).
  nestedTogether: 'all but one fail',
});
