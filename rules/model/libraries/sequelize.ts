import { endedByHand, queued, row, transactions, under, type Library } from '../library.ts';

const sequelizeMethods: readonly string[] =
  'findAll findOne findByPk findOrCreate findOrBuild findCreateFind findAndCountAll create bulkCreate update upsert destroy restore save reload increment decrement count max min sum truncate query'.split(
    ' ',
  );

/**
 * Facts: Sequelize 6.37.8 `src/sequelize.js`. Queries take the connection of their option `transaction`, or of one that is set
 * around them (`useCLS`, always in version 7), so that none of them shows by itself where it goes.
 */
const sequelizeRow: Omit<Library, 'module'> = {
  ...row,
  ...endedByHand,
  joinedBy: { option: 'transaction', methods: sequelizeMethods },
  begins: [{ path: 'transaction', by: null, unless: null }],
  tellsReleased: { finished: ['nothing', 'some'] },
  lateQuery: 'it rejects, since the transaction has ended',
  name: 'Sequelize',
  poolClasses: ['Sequelize'],
  lends: transactions('transaction'),
  sends: [],
  together: queued,
};

/** Version 7 reuses the transaction around it: `defaultTransactionNestMode`. */
export const sequelize = [
  ...under(['sequelize'], sequelizeRow),
  ...under(['@sequelize/core'], {
    ...sequelizeRow,
    begins: [{ path: 'startUnmanagedTransaction', by: null, unless: null }],
    joins: true,
  }),
];
