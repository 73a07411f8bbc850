import { each, noTables, of } from '../built.ts';
import type { Given, Library } from '../library.ts';
import {
  asOption,
  endedByHand,
  noDerived,
  noModels,
  queued,
  questionMarks,
  row,
  tooLateOrUnseen,
  toldPostgresql,
  transactions,
  under,
} from '../row.ts';

/** Queries, by the position of their options: `lib/model.js`, statics and methods of objects, `lib/sequelize.js`. */
const queries: Readonly<Record<string, Given>> = {
  ...asOption(
    'transaction',
    0,
    ...'findAll findOne findAndCountAll findOrCreate findOrBuild findCreateFind count destroy restore truncate save reload'.split(
      ' ',
    ),
  ),
  ...asOption(
    'transaction',
    1,
    ...'findByPk create bulkCreate upsert update increment decrement min max sum query'.split(' '),
  ),
};

/** Methods of objects by the name of a relation, of sequelize-typescript 2.1 `dist/model/model/model.js`. */
const byRelation: Readonly<Record<string, Given>> = {
  ...asOption('transaction', 1, '$get', '$count'),
  ...asOption('transaction', 2, '$set', '$add', '$remove', '$create', '$has'),
};

/** The methods that a relation gives, by what their names begin with: `lib/associations/*.js`. */
const verbs: Readonly<Record<string, Given>> = {
  ...asOption('transaction', 0, 'get', 'count'),
  ...asOption('transaction', 1, 'set', 'add', 'remove', 'create', 'has'),
};

/** Their types: `types/associations/*.d.ts`. */
const relations: Readonly<Record<string, Given>> = Object.fromEntries(
  Object.entries(verbs).flatMap(([verb, given]) =>
    ['BelongsTo', 'HasOne', 'HasMany', 'BelongsToMany'].flatMap((kind) =>
      ['Association', 'Associations'].map((number) => [
        `${kind}${verb.replace(/^./u, (first) => first.toUpperCase())}${number}Mixin`,
        given,
      ]),
    ),
  ),
);

/**
 * Facts: Sequelize 6.37.8 `lib/sequelize.js`. A query goes over the connection of its option `transaction`, or over that of the
 * transaction with a callback around it once `useCLS` is called; a transaction in it takes another one all the same. A
 * transaction in a transaction is a savepoint with that option (`lib/transaction.js`). The package itself is its class
 * (`lib/index.js`, `lib/index.mjs`).
 */
const sequelizeRow: Omit<Library, 'module'> = {
  ...row,
  ...endedByHand,
  mayBind: { ...queries, ...asOption('transaction', 0, 'transaction') },
  begins: [{ path: 'transaction', by: null, unless: null, gives: 'connection' }],
  tellsReleased: { finished: ['nothing', 'some'] },
  lateQuery: 'it rejects because the transaction has ended',
  unawaited: 'it rejects because the transaction has ended',
  name: 'Sequelize',
  poolClasses: ['Sequelize', 'default', '*'],
  lends: transactions('transaction'),
  sends: [{ paths: Object.keys(queries), by: null }],
  texts: ['query'],
  builds: {
    inCapitals: true,
    calls: [
      ...each(['handle'], {
        select: 'findAll findOne findByPk findAndCountAll count min max sum reload',
        insert: 'create bulkCreate upsert',
        update: 'update increment decrement restore',
        truncate: 'truncate',
      }),
      ...of(['handle'], ['select', 'insert'], 'findOrCreate findCreateFind'),
      ...of(['handle'], ['insert', 'update'], 'save'),
      // A row that is only marked as deleted is updated (`paranoid`).
      ...of(['handle'], ['delete', 'update', 'truncate'], 'destroy'),
    ],
    reaches: ['include', 'individualHooks'],
    tables: {
      ...noTables,
      decorators: ['Table'],
      options: ['tableName'],
      methods: ['init', 'define'],
      unnamed: 'plural',
    },
  },
  fills: questionMarks,
  isTold: true,
  queriesJoin: { since: 'useCLS' },
  models: {
    ...noModels,
    classes: ['Model'],
    finds: ['build', 'create', 'findOne', 'findByPk'],
    lists: [
      'findAll',
      'bulkBuild',
      'bulkCreate',
      'findOrCreate',
      'findOrBuild',
      'findCreateFind',
      'upsert',
    ],
    bound: { method: 'init', by: { at: 1, option: 'sequelize' } },
    madeBy: ['define', 'model', 'import'],
    keptIn: 'models',
    relations,
    verbs,
  },
  derives: { ...noDerived, members: ['sequelize'], methods: ['scope', 'unscoped', 'schema'] },
  keepsSession: true,
  postgresql: toldPostgresql('dialect', ['postgres'], ['PostgresDialect']),
  together: queued,
};

/** The fork @subql/x-sequelize is version 6.32 with other names of constraints. Version 7 reuses the transaction around it (`defaultTransactionNestMode`), and its queries do (`disableClsTransactions`). */
export const sequelize = [
  ...under(['sequelize', '@subql/x-sequelize'], sequelizeRow),
  ...under(['sequelize-typescript'], {
    ...sequelizeRow,
    poolClasses: ['Sequelize'],
    poolsOf: 'sequelize',
    mayBind: { ...sequelizeRow.mayBind, ...byRelation },
    sends: [{ paths: Object.keys({ ...queries, ...byRelation }), by: null }],
  }),
  ...under(['@sequelize/core'], {
    ...sequelizeRow,
    poolClasses: ['Sequelize'],
    begins: [{ path: 'startUnmanagedTransaction', by: null, unless: null, gives: 'connection' }],
    unawaited: tooLateOrUnseen,
    joins: true,
    queriesJoin: 'always',
    derives: {
      ...noDerived,
      members: ['sequelize'],
      methods: ['withScope', 'withoutScope', 'withInitialScope', 'withSchema'],
    },
  }),
];
