import { queued, row, under } from '../row.ts';

const adapter = '@nestjs-cls/transactional-adapter';

/**
 * Facts: @nestjs-cls/transactional 3.3.0 `transaction-host.js`, `transactional.decorator.js`, `inject-transaction.decorator.js`: only
 * `tx` of the host and what `InjectTransaction` injects go over the transaction; what the program injects otherwise knows nothing of
 * it. Adapters (typeorm and prisma 1.4.1, drizzle-orm 1.2.1; knex, kysely and pg-promise of the same repository) begin it on the
 * handle whose token they are given. A nested transaction is a savepoint, with Prisma only if the adapter is told the dialect.
 */
export const nestjsCls = under(['@nestjs-cls/transactional'], {
  ...row,
  name: 'nestjs-cls',
  poolClasses: ['TransactionHost'],
  lends: [{ path: 'withTransaction', by: null, opens: true, gives: 'nothing' }],
  sends: [],
  together: queued,
  adapters: {
    [`${adapter}-typeorm`]: { of: 'typeorm', token: 'dataSourceToken' },
    [`${adapter}-prisma`]: { of: '@prisma/client', token: 'prismaInjectionToken' },
    [`${adapter}-drizzle-orm`]: { of: 'drizzle-orm/pg-core', token: 'drizzleInstanceToken' },
    [`${adapter}-knex`]: { of: 'knex', token: 'knexInstanceToken' },
    [`${adapter}-kysely`]: { of: 'kysely', token: 'kyselyInstanceToken' },
    [`${adapter}-pg-promise`]: { of: 'pg-promise', token: 'dbInstanceToken' },
    [`${adapter}-mongodb`]: { of: 'mongodb', token: 'mongoClientToken' },
    [`${adapter}-mongoose`]: { of: 'mongoose', token: 'mongooseConnectionToken' },
  },
  holds: ['Transactional'],
  byName: [
    { module: '@nestjs-cls/transactional', name: 'Transactional', at: 0 },
    { module: '@nestjs-cls/transactional', name: 'InjectTransactionHost', at: 0 },
    { module: '@nestjs-cls/transactional', name: 'InjectTransaction', at: 0 },
  ],
  ambient: {
    isJoinedBy: 'itself',
    propagation: null,
    joins: ['REQUIRED', 'Required', 'MANDATORY', 'Mandatory', 'NESTED', 'Nested'],
    apart: ['REQUIRES_NEW', 'RequiresNew'],
    none: ['NOT_SUPPORTED', 'NotSupported', 'NEVER', 'Never', 'SUPPORTS', 'Supports'],
    leaves: ['NOT_SUPPORTED', 'NotSupported'],
    current: { members: ['tx'], decorators: ['InjectTransaction'] },
  },
});
