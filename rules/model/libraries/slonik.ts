import { connections, queued, row, transactions, under } from '../library.ts';

const slonikQueries: readonly string[] =
  'query any anyFirst many manyFirst maybeOne maybeOneFirst one oneFirst exists stream'.split(' ');

/** Facts: slonik 49.10 `src/binders/bindPool.ts`; queries are sent at the call. */
export const slonik = under(['slonik'], {
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
  lateQuery: 'it rejects, since the connection has gone back',
  unawaited: 'the transaction rejects, committed or not',
  together: queued,
});
