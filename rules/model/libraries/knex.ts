import { each, noTables } from '../built.ts';
import { knexVerbs } from './knex-verbs.ts';
import {
  endedByHand,
  queued,
  questionMarks,
  tooLateOrUnseen,
  row,
  toldPostgresql,
  transactions,
  under,
} from '../row.ts';

/**
 * Facts: Knex 3.3.0 `lib/execution/transaction.js`, `lib/client.js`; builders are sent on `then`. A COMMIT that fails completes the
 * transaction as well, and its connection goes back.
 */
export const knex = under(['knex'], {
  ...row,
  ...endedByHand,
  begins: [
    { path: 'transaction', by: null, unless: null, gives: 'connection' },
    // `lib/knex-builder/make-knex.js`: it begins with the first call of what it gives.
    { path: 'transactionProvider', by: null, unless: null, gives: 'provider' },
  ],
  tellsReleased: { isCompleted: ['false', 'true'] },
  lateQuery: 'it rejects with "Transaction query already complete"',
  name: 'Knex',
  poolFactories: ['default', 'knex', '*'],
  poolClasses: ['Knex'],
  lends: transactions('transaction'),
  sends: [
    {
      paths: [
        '',
        'select',
        'insert',
        'raw',
        'from',
        'with',
        'into',
        'table',
        'first',
        'batchInsert',
        'withSchema',
      ],
      by: null,
    },
  ],
  derives: { members: [], methods: ['withUserParams'], alike: null },
  isLazy: true,
  boundBy: ['transacting', 'connection'],
  texts: ['raw'],
  builds: {
    inCapitals: false,
    calls: [
      {
        paths: ['', 'from', 'into', 'table'],
        verbs: ['select'],
        behind: knexVerbs,
        table: ['argument'],
      },
      {
        paths: ['select', 'first', 'withSchema'],
        verbs: ['select'],
        behind: knexVerbs,
        table: [{ behind: 'from' }, { behind: 'into' }, { behind: 'table' }],
      },
      ...each(['argument'], { insert: 'batchInsert' }),
      ...each([{ behind: 'into' }], { insert: 'insert' }),
    ],
    reaches: [],
    tables: noTables,
  },
  fills: questionMarks,
  unawaited: tooLateOrUnseen,
  outlivesCallback: true,
  keepsSession: true,
  postgresql: toldPostgresql('client', ['pg', 'postgres', 'postgresql', 'pg-native']),
  together: queued,
});
