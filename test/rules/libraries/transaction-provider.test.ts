import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const knex = "import createKnex from 'knex';\nconst knex = createKnex({ client: 'pg' });";

describe('no-unreleased-client: a transaction by its provider', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(knex, [
      {
        name: 'never ended',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider();
  //              ^^^^^^^^^^^^^^^^^^^^^^^^^^ neverEnded
  const trx = await provide();
  await trx('users').insert({ name });
}`,
      },
      {
        name: 'not ended where a query fails',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider({ isolationLevel: 'serializable' });
  //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notEndedOnThrow
  const trx = await provide();
  await trx('users').insert({ name });
  await (await provide()).commit();
}`,
      },
      {
        name: 'not ended on a way on which it was asked for',
        code: `
export async function run(name, isNew) {
  const provide = knex.transactionProvider();
  //              ^^^^^^^^^^^^^^^^^^^^^^^^^^ notEndedOnSomePath
  if (isNew) {
    const trx = await provide();
    const found = await trx('users').where({ name }).catch(() => null);
    if (found === null) return;
    await trx.commit();
  }
}`,
      },
      {
        name: 'nothing is held before the first call',
        code: `
export async function run(names) {
  const provide = knex.transactionProvider();
  if (names.length === 0) return;
  await fetch('https://names.example/');
  console.log(provide);
}`,
      },
      {
        name: 'each call gives the same transaction',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider();
  try {
    const trx = await provide();
    await trx('users').insert({ name });
    const same = await provide();
    await same('logs').insert({ name });
    await same.commit();
  } catch (error) {
    const trx = await provide();
    await trx.rollback();
    throw error;
  }
}`,
      },
      {
        name: 'in a loop, too',
        code: `
export async function run(names) {
  const provide = knex.transactionProvider();
  try {
    for (const name of names) {
      const trx = await provide();
      await trx('users').insert({ name });
    }
    const trx = await provide();
    await trx.commit();
  } catch (error) {
    await (await provide()).rollback();
    throw error;
  }
}`,
      },
      {
        name: 'whoever is given the provider may end it',
        code: `
import { work } from './work';
export async function run() {
  const provide = knex.transactionProvider();
  await work(provide);
  const trx = await provide();
  await trx('users').delete();
}
export function create() {
  return knex.transactionProvider();
}
export class Unit {
  provide = knex.transactionProvider();
  async write() {
    const trx = await this.provide();
    await trx('users').delete();
  }
}
const shared = knex.transactionProvider();
export async function write() {
  const trx = await shared();
  await trx('users').delete();
}`,
      },
      {
        name: 'a closure that ends it',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider();
  const undo = async () => {
    const trx = await provide();
    await trx.rollback();
  };
  try {
    const trx = await provide();
    await trx('users').insert({ name });
    await trx.commit();
  } catch (error) {
    await undo();
    throw error;
  }
}`,
      },
    ]),
  );
});

describe('what holds while it is open', () => {
  checkRule(
    'no-external-await-while-holding',
    withHeader(knex, [
      {
        name: 'a request after the first call, and before it',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider();
  await fetch('https://mail.example/');
  const trx = await provide();
  try {
    await trx('users').insert({ name });
    await fetch('https://mail.example/');
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
}`,
      },
    ]),
  );
  checkRule(
    'no-nested-checkout',
    withHeader(knex, [
      {
        name: 'a query over the outer handle',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider();
  await knex('logs').insert({ name });
  const trx = await provide();
  try {
    await trx('users').insert({ name });
    await knex('logs').insert({ name });
//        ^^^^^^^^^^^^ outside
    const same = await provide();
    await same('users').insert({ name });
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
}`,
      },
      {
        name: 'a provider that is made in a transaction takes nothing',
        code: `
export async function run(name) {
  await knex.transaction(async (trx) => {
    const provide = knex.transactionProvider();
    await trx('users').insert({ name });
    later.push(provide);
  });
}
const later = [];`,
      },
    ]),
  );
  checkRule(
    'no-use-after-release',
    withHeader(knex, [
      {
        name: 'the provider gives the ended transaction',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider();
  const trx = await provide();
  try {
    await trx('users').insert({ name });
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
  const same = await provide();
  await same('logs').insert({ name });
//      ^^^^^^^^^^^^ usedAfterEnd
}`,
      },
    ]),
  );
  checkRule(
    'no-concurrent-client-query',
    withHeader(knex, [
      {
        name: 'several queries at a time',
        code: `
export async function run(name) {
  const provide = knex.transactionProvider();
  const trx = await provide();
  try {
    await Promise.all([trx('users').insert({ name }), trx('logs').insert({ name })]);
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overHandle
    await trx.commit();
  } catch (error) {
    await trx.rollback();
    throw error;
  }
}`,
      },
    ]),
  );
});
