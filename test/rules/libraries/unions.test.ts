import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header = `
import { Kysely, type Transaction } from 'kysely';
type Executor = Kysely<Database> | Transaction<Database>;
const db = new Kysely<Database>({ dialect });
async function log(executor: Executor, row) {
  await executor.insertInto('log').values(row).execute();
}
async function locked(executor: Executor, callback) {
  return executor.transaction().execute(async (trx) => {
    await trx.selectFrom('locks').forUpdate().execute();
    return await callback(trx);
  });
}
class Repository {
  constructor(private readonly executor: Executor) {}
  async add(row) {
    await this.executor.insertInto('log').values(row).execute();
  }
}`;

describe('what may be a handle or a transaction, by its type', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      {
        name: 'a helper that gets the outer handle, or the transaction',
        code: `
export const run = (row) =>
  db.transaction().execute(async (trx) => {
    await log(db, row);
    //    ^^^^^^^^^^^^ outsideInHelper
    await log(trx, row);
  });`,
      },
      {
        name: 'a wrapper that begins on it',
        code: `
export const run = (row) =>
  locked(db, async (trx) => {
    await log(trx, row);
    await db.insertInto('log').values(row).execute();
    //    ^^^^^^^^^^^^^^^^^^^^ outside
  });`,
      },
      {
        name: 'a parameter, in a transaction that it begins',
        code: `
export const run = (executor: Executor, row) =>
  executor.transaction().execute(async (trx) => {
    await executor.insertInto('log').values(row).execute();
    await log(executor, row);
  });`,
      },
      {
        name: 'a repository over either',
        code: `
export const run = (row) =>
  db.transaction().execute(async (trx) => {
    await new Repository(trx).add(row);
  });`,
      },
      {
        name: 'a handle of either of two libraries',
        code: `
import { Knex } from 'knex';
const both: Kysely<Database> | Knex = make();
export const run = (row) =>
  both.transaction(async (trx) => {
    await both.insertInto('log').values(row).execute();
  });`,
      },
    ]),
  );
});
