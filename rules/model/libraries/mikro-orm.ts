import { noCurrent, questionMarks, rolledBackUnseen, row, transactions, under } from '../row.ts';

const modules: readonly string[] = [
  '@mikro-orm/core',
  '@mikro-orm/postgresql',
  '@mikro-orm/decorators/legacy',
  '@mikro-orm/decorators/es',
];

/**
 * Facts: MikroORM 7.2.1 `packages/core/src/EntityManager.ts`, `TransactionManager.ts`. The global `orm.em` joins what is open around
 * it: no query shows by itself where it goes, and a transaction inside one is a savepoint (`TransactionPropagation.NESTED`). Version 6
 * has the decorators in its core, version 7 in a package of their own (`@mikro-orm/decorators` `legacy/Transactional.js`, `es/Transactional.js`).
 */
export const mikroOrm = under(modules, {
  ...row,
  name: 'MikroORM',
  poolClasses: ['EntityManager'],
  lends: transactions('transactional'),
  lendsUnmistakably: true,
  joins: true,
  sends: [],
  texts: ['execute'],
  fills: questionMarks,
  poolsOf: '@mikro-orm/core',
  holds: ['Transactional'],
  byName: modules.map((module) => ({ module, name: 'Transactional', at: 'contextName' })),
  ambient: {
    isJoinedBy: 'handles',
    propagation: 'propagation',
    joins: [],
    apart: ['REQUIRES_NEW', 'requires_new'],
    none: ['NOT_SUPPORTED', 'not_supported', 'NEVER', 'never', 'SUPPORTS', 'supports'],
    leaves: ['NOT_SUPPORTED', 'not_supported'],
    current: noCurrent,
  },
  unawaited: rolledBackUnseen,
  together: null,
});
