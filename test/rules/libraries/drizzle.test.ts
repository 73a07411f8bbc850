import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header = `import { drizzle } from 'drizzle-orm/node-postgres';
import { users, logs } from './schema';
const db = drizzle(process.env.DATABASE_URL);`;

describe('no-nested-checkout', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      {
        name: 'the outer handle in a transaction',
        code: `
export async function create(name) {
  await db.transaction(async (tx) => {
    await tx.insert(users).values({ name });
    await db.insert(logs).values({ name });
    //    ^^^^^^^^^^^^^^^ outside
  });
}`,
      },
      {
        name: 'a relational query over the outer handle',
        code: `
export async function create(name) {
  return db.transaction(async (tx) => {
    return db.query.users.findFirst();
    //     ^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
  });
}`,
      },
      {
        name: 'a helper that speaks to the outer handle',
        code: `
async function log(name) {
  await db.insert(logs).values({ name });
}
export async function create(name) {
  await db.transaction(async (tx) => {
    await tx.insert(users).values({ name });
    await log(name);
    //    ^^^^^^^^^ outsideInHelper
  });
}`,
      },
      {
        name: 'the transaction itself, under the name of the handle',
        code: `
export async function create(name) {
  await db.transaction(async (db) => {
    await db.insert(users).values({ name });
  });
}`,
      },
      {
        name: 'a subquery that the outer handle builds',
        code: `
export async function create(name) {
  await db.transaction(async (tx) => {
    const recent = db.select().from(logs).as('recent');
    await tx.select().from(recent);
    await tx.insert(users).select(db.select().from(logs));
  });
}`,
      },
      {
        name: 'behind the transaction',
        code: `
export async function create(name) {
  await db.transaction(async (tx) => {
    await tx.insert(users).values({ name });
  });
  await db.insert(logs).values({ name });
}`,
      },
    ]),
  );
});

describe('no-external-await-while-holding', () => {
  checkRule(
    'no-external-await-while-holding',
    withHeader(header, [
      {
        name: 'a request in a transaction',
        code: `
export async function create(name) {
  await db.transaction(async (tx) => {
    await tx.insert(users).values({ name });
    await fetch('https://example.com');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
  });
}`,
      },
    ]),
  );
});
