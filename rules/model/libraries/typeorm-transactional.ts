import type { Library } from '../library.ts';
import { noCurrent, queued, row, under } from '../row.ts';

const holds: readonly string[] = ['Transactional', 'runInTransaction', 'wrapInTransaction'];

/**
 * Facts: typeorm-transactional 0.5.0 `dist/common/index.js`: repositories, and `manager`, `query` and `createQueryBuilder` of a data
 * source, go over the transaction around them; `transaction` and `createQueryRunner` of a data source never do.
 * `dist/transactions/wrap-in-transaction.js`: NESTED begins one by way of the data source as well.
 */
const transactional: Omit<Library, 'module'> = {
  ...row,
  name: 'typeorm-transactional',
  lends: [],
  sends: [],
  together: queued,
  poolsOf: 'typeorm',
  holds,
  byName: holds.map((name) => ({ module: 'typeorm-transactional', name, at: 'connectionName' })),
  ambient: {
    isJoinedBy: 'handles',
    propagation: 'propagation',
    joins: [],
    apart: ['REQUIRES_NEW', 'NESTED'],
    none: ['NOT_SUPPORTED', 'NEVER', 'SUPPORTS'],
    leaves: ['NOT_SUPPORTED'],
    current: noCurrent,
  },
};

export const typeormTransactional = under(['typeorm-transactional'], transactional);
