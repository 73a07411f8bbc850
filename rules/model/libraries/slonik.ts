import { connections, queued, row, transactions, under } from '../library.ts';

/** Facts: slonik 49.10 `src/binders/bindPool.ts`; queries are sent at the call. */
export const slonik = under(['slonik'], {
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
  notInside: ['connect'],
  together: queued,
});
