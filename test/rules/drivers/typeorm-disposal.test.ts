import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const typeorm =
  "import { DataSource } from 'typeorm';\nconst source = new DataSource({ type: 'postgres' });";

const right = [
  {
    name: 'disposed of at the end of its block',
    code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  await runner.startTransaction();
  await runner.query('INSERT INTO users VALUES ($1)', [name]);
  await runner.commitTransaction();
}`,
  },
  {
    name: 'rolled back in a catch',
    code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.manager.save(name);
    if (name === '') throw new Error('nameless');
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}`,
  },
  {
    name: 'released by hand as well',
    code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  try {
    await runner.query('SELECT 1');
  } finally {
    await runner.release();
  }
}`,
  },
  {
    name: 'left to the disposal to commit',
    code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  await runner.startTransaction();
  await runner.manager.save(name);
}`,
  },
  {
    name: 'a statement that fails makes a rollback of the commit',
    code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query('INSERT INTO users VALUES ($1)', [name]);
  } catch (error) {
    throw new Error('not saved', { cause: error });
  }
  await runner.commitTransaction();
}`,
  },
  {
    name: 'what throws before the transaction begins or after it has ended',
    code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  if (name === '') throw new Error('nameless');
  await runner.startTransaction();
  await runner.manager.save(name);
  await runner.commitTransaction();
  if (name === 'none') throw new Error('no name');
}`,
  },
];

describe('await using a query runner', () => {
  for (const rule of ['no-unreleased-client', 'no-double-release', 'no-open-transaction-release'])
    checkRule(rule, withHeader(typeorm, right));

  checkRule(
    'no-open-transaction-release',
    withHeader(typeorm, [
      {
        name: 'a throw after the first write commits it',
        code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  //          ^^^^^^ committedOnThrow
  await runner.startTransaction();
  const { id } = await runner.manager.save(name);
  if (id === 0) throw new Error('no id');
  await runner.commitTransaction();
}`,
      },
      {
        name: 'caught outside of its block',
        code: `
export async function run(name) {
  try {
    await using runner = source.createQueryRunner();
    //          ^^^^^^ committedOnThrow
    await runner.startTransaction();
    const { id } = await runner.manager.save(name);
    if (id === 0) throw new Error('no id');
    await runner.commitTransaction();
  } catch (error) {
    console.error(error);
  }
}`,
      },
    ]),
  );

  checkRule(
    'no-external-await-while-holding',
    withHeader(typeorm, [
      {
        name: 'held until the end of the block',
        code: `
export async function run(name) {
  {
    await using runner = source.createQueryRunner();
    await runner.query('SELECT 1');
    await fetch('https://mail.example/');
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
  }
  await fetch('https://mail.example/');
}`,
      },
    ]),
  );
  checkRule(
    'no-nested-checkout',
    withHeader(typeorm, [
      {
        name: 'a second runner while the first one is held',
        code: `
export async function run(name) {
  await using runner = source.createQueryRunner();
  await runner.query('SELECT 1');
  await source.query('SELECT 1');
//      ^^^^^^^^^^^^^^^^^^^^^^^^ query
}`,
      },
    ]),
  );
});
