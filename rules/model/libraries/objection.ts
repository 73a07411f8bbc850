import { anyVerb, byMethod, noTables } from '../built.ts';
import {
  asArgument,
  asOption,
  endedByHand,
  noDerived,
  noModels,
  questionMarks,
  queued,
  row,
  tooLateOrUnseen,
  transactions,
  under,
} from '../row.ts';

/** `lib/queryBuilder/QueryBuilder.js`; what also fetches sends a SELECT. */
const objectionVerbs = {
  ...byMethod({
    insert: 'insert insertGraph',
    update: 'patch update increment decrement',
    delete: 'delete del deleteById',
    truncate: 'truncate',
  }),
  insertAndFetch: ['insert', 'select'],
  insertGraphAndFetch: ['insert', 'select'],
  patchAndFetch: ['update', 'select'],
  patchAndFetchById: ['update', 'select'],
  updateAndFetch: ['update', 'select'],
  updateAndFetchById: ['update', 'select'],
  upsertGraph: ['insert', 'update', 'delete', 'select'],
  upsertGraphAndFetch: ['insert', 'update', 'delete', 'select'],
} as const;

/**
 * Facts: Objection 3.1.5 `lib/model/Model.js`, `lib/transaction.js`. Models query the Knex instance that they are bound to, or the
 * transaction that they are given; builders are sent on `then`. A transaction is Knex's; `TransactionOrKnex` (`typings/objection/index.d.ts`) is a Knex
 * instance or a transaction of one.
 */
export const objection = under(['objection'], {
  ...row,
  ...endedByHand,
  name: 'Objection',
  poolsOf: 'knex',
  isTold: true,
  lends: [...transactions('transaction'), { path: '', by: null, opens: true, gives: 'last' }],
  begins: [
    { path: 'startTransaction', by: null, unless: null, gives: 'connection' },
    { path: 'start', by: null, unless: null, gives: 'connection' },
  ],
  tellsReleased: { isCompleted: ['false', 'true'] },
  lateQuery: 'it rejects with "Transaction query already complete"',
  sends: [
    {
      paths: [
        'query',
        'relatedQuery',
        'fetchGraph',
        'knexQuery',
        '$query',
        '$relatedQuery',
        '$fetchGraph',
      ],
      by: null,
    },
  ],
  mayBind: {
    ...asArgument(0, 'query', '$query', 'transaction', 'startTransaction', 'start'),
    ...asArgument(1, 'relatedQuery', '$relatedQuery'),
    ...asOption('transaction', 1, '$fetchGraph'),
    ...asOption('transaction', 2, 'fetchGraph'),
  },
  isLazy: true,
  boundBy: ['transacting', 'connection'],
  texts: ['raw'],
  builds: {
    inCapitals: false,
    calls: [
      {
        paths: ['query', '$query'],
        verbs: ['select'],
        behind: objectionVerbs,
        table: ['handle'],
      },
      { paths: ['relatedQuery', '$relatedQuery'], verbs: [...anyVerb], behind: {}, table: [] },
      { paths: ['fetchGraph', '$fetchGraph'], verbs: ['select'], behind: {}, table: [] },
    ],
    reaches: [
      'withGraphFetched',
      'withGraphJoined',
      'insertGraph',
      'insertGraphAndFetch',
      'upsertGraph',
      'upsertGraphAndFetch',
      'from',
    ],
    tables: { ...noTables, statics: ['tableName'] },
  },
  fills: questionMarks,
  models: {
    ...noModels,
    classes: ['Model'],
    binders: { all: ['knex'], one: ['bindKnex'] },
    functions: ['transaction'],
    finds: ['fromJson', 'fromDatabaseJson'],
  },
  lendableOf: { module: 'knex', types: ['TransactionOrKnex'] },
  derives: { ...noDerived, members: [], methods: ['knex', '$knex'] },
  unawaited: tooLateOrUnseen,
  outlivesCallback: true,
  together: queued,
});
