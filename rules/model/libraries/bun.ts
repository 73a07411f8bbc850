import { row, transactions, under } from '../row.ts';

/**
 * Facts: Bun 1.4.5 `src/js/bun/sql.ts`, and what the runtime answered; as postgres.js, but a transaction's handle refuses `begin`, and
 * its `reserve` takes another connection.
 */
export const bun = under(['bun'], {
  ...row,
  begins: [{ path: 'reserve', by: null, unless: null, gives: 'connection' }],
  releases: ['release'],
  lateQuery: 'it rejects because the transaction or the connection has ended',
  name: 'Bun',
  poolClasses: ['SQL'],
  pools: ['sql'],
  poolless: ['sqlite', 'file', ''],
  lends: transactions('begin', 'transaction', 'beginDistributed'),
  sends: [{ paths: ['unsafe', 'file'], by: null }],
  tags: [''],
  texts: ['unsafe'],
  isLazy: true,
  sentBy: ['execute'],
  notInside: ['begin', 'transaction', 'beginDistributed', 'reserve'],
  together: null,
});
