import { row, transactions, under } from '../library.ts';

/**
 * Facts: MikroORM 7.2.1 `packages/core/src/EntityManager.ts`, `TransactionManager.ts`. The global `orm.em` joins what is open around
 * it: no query shows by itself where it goes, and a transaction inside one is a savepoint (`TransactionPropagation.NESTED`).
 */
export const mikroOrm = under(['@mikro-orm/core', '@mikro-orm/postgresql'], {
  ...row,
  name: 'MikroORM',
  poolClasses: ['EntityManager'],
  lends: transactions('transactional'),
  lendsUnmistakably: true,
  joins: true,
  sends: [],
  together: null,
});
