import {
  asArgument,
  endedByHand,
  noCurrent,
  questionMarks,
  rolledBackUnseen,
  row,
  transactions,
  under,
} from '../row.ts';

const modules: readonly string[] = [
  '@mikro-orm/core',
  '@mikro-orm/postgresql',
  '@mikro-orm/knex',
  '@mikro-orm/mysql',
  '@mikro-orm/decorators/legacy',
  '@mikro-orm/decorators/es',
];

/** What a manager sends whatever it has loaded before: `EntityManager.js`, and `SqlEntityManager.js` of its drivers. */
const sent: readonly string[] =
  'find findAll findAndCount findByCursor findOne findOneOrFail count insert insertMany upsert upsertMany nativeUpdate nativeDelete execute refresh'.split(
    ' ',
  );

/**
 * Facts: MikroORM 7.2.1 `packages/core/src/EntityManager.ts`, `TransactionManager.ts`. The global `orm.em` joins what is open around
 * it: no query shows by itself where it goes, and a transaction inside one is a savepoint (`TransactionPropagation.NESTED`).
 * `begin()` keeps the connection on the manager itself (`transactionContext`), which no other one sees: a fork of it has it only with
 * `keepTransactionContext`. `commit()` flushes first, and where that fails, the transaction is still open. Version 6
 * has the decorators in its core, version 7 in a package of their own (`@mikro-orm/decorators` `legacy/Transactional.js`, `es/Transactional.js`).
 */
export const mikroOrm = under(modules, {
  ...row,
  name: 'MikroORM',
  ...endedByHand,
  outIfFailed: ['commit'],
  begins: [{ path: 'begin', by: null, unless: null, gives: 'nothing' }],
  tellsTransaction: 'isInTransaction',
  poolClasses: ['EntityManager', 'SqlEntityManager', 'MikroORM'],
  poolFactories: ['MikroORM.init', 'MikroORM.initSync'],
  derives: {
    members: ['em'],
    methods: ['fork', 'getConnection'],
    alike: null,
    apart: { methods: ['fork', 'getConnection'], unless: 'keepTransactionContext' },
  },
  // `AbstractSqlConnection.execute(query, params, method, ctx)` is not told of its manager's transaction.
  mayBind: asArgument(3, 'execute'),
  lends: transactions('transactional'),
  lendsUnmistakably: true,
  joins: true,
  queriesJoin: 'always',
  sends: [{ paths: sent, by: null }],
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
  lateQuery: 'it rejects because the transaction has ended',
  unawaited: rolledBackUnseen,
  together: null,
});
