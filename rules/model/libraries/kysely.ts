import { each, noTables } from '../built.ts';
import { endedByHand, queued, rolledBackUnseen, row, toldPostgresql, under } from '../row.ts';

/** Facts: Kysely 0.29.9 `kysely.js`, `raw-builder/raw-builder.js`; builders send nothing until executed, `commit()` and `rollback()` included: a `Command` is no promise. */
export const kysely = under(['kysely'], {
  ...row,
  ...endedByHand,
  releasedBy: 'execute',
  begins: [{ path: 'startTransaction', by: 'execute', unless: null, gives: 'connection' }],
  tellsReleased: { isCommitted: ['false', null], isRolledBack: ['false', null] },
  lateQuery: 'it rejects, or runs outside the transaction',
  name: 'Kysely',
  poolClasses: ['Kysely'],
  lends: [
    { path: 'transaction', by: 'execute', opens: true, gives: 'first' },
    { path: 'connection', by: 'execute', opens: false, gives: 'first' },
  ],
  sends: [
    { paths: ['executeQuery'], by: null },
    {
      paths: [
        'selectFrom',
        'selectNoFrom',
        'insertInto',
        'replaceInto',
        'updateTable',
        'deleteFrom',
        'mergeInto',
        'with',
        'withRecursive',
      ],
      by: ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow', 'stream', 'explain'],
    },
  ],
  derives: {
    members: [],
    methods: ['withSchema', 'withPlugin', 'withoutPlugins', 'withTables'],
    alike: null,
  },
  builds: {
    inCapitals: false,
    calls: each(['argument'], {
      select: 'selectFrom',
      insert: 'insertInto',
      update: 'updateTable',
      delete: 'deleteFrom',
    }),
    reaches: [],
    tables: noTables,
  },
  carries: { made: 'sql', by: 'execute' },
  notInside: ['transaction', 'connection', 'startTransaction'],
  unawaited: rolledBackUnseen,
  keepsSession: true,
  postgresql: toldPostgresql('dialect', [], ['PostgresDialect', 'PostgresJSDialect']),
  together: queued,
});
