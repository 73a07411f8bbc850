import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const inside = (lines: string): string =>
  `\nexport async function run(name, ok) {\n  await db.transaction(async (tx) => {\n${lines}\n  });\n}`;

describe('a query that a variable keeps until it is sent', () => {
  checkRule(
    'no-nested-checkout',
    withHeader("import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);", [
      {
        name: 'awaited',
        code: inside(`    const q = db.select().from(users).where(name);
//            ^^^^^^^^^^^ outside
    const rows = await q;`),
      },
      {
        name: 'with then',
        code: inside(`    const q = db.select().from(users);
//            ^^^^^^^^^^^ outside
    q.then(console.log);`),
      },
      {
        name: 'executed',
        code: inside(`    const q = db.select().from(users);
//            ^^^^^^^^^^^ outside
    await q.execute();`),
      },
      {
        name: 'given back',
        code: inside(`    const q = db.select().from(users);
//            ^^^^^^^^^^^ outside
    return q;`),
      },
      {
        name: 'in a list that grows',
        code: inside(`    const queries = [];
    for (const each of name) queries.push(db.insert(users).values({ each }));
//                                        ^^^^^^^^^^^^^^^^ outside
    await Promise.all(queries);`),
      },
      {
        name: 'in a list',
        code: inside(`    const queries = [db.insert(users).values({ name })];
//                   ^^^^^^^^^^^^^^^^ outside
    await Promise.all(queries);`),
      },
      {
        name: 'among others',
        code: inside(`    const q = db.insert(users).values({ name });
//            ^^^^^^^^^^^^^^^^ outside
    await Promise.all([q, tx.insert(users).values({ name })]);`),
      },
      {
        name: 'built before the transaction',
        code: `
export async function run(name) {
  const q = db.insert(users).values({ name });
  await db.transaction(async (tx) => {
    await q;
  //^^^^^^^ outside
  });
}`,
      },
      {
        name: 'in a helper',
        code: `
async function log(name) {
  const q = db.insert(users).values({ name });
  await q;
}
export async function run(name) {
  await db.transaction(async (tx) => {
    await log(name);
    //    ^^^^^^^^^ outsideInHelper
  });
}`,
      },
      {
        name: 'never sent',
        code: inside(`    const q = db.insert(users).values({ name });
    q.toSQL();
    const queries = [];
    queries.push(db.insert(users).values({ name }));`),
      },
      {
        name: 'a subquery',
        code: inside(`    const q = db.select().from(users).as('u');
    const ids = db.select().from(users);
    await tx.select().from(q);
    await tx.delete(users).where(inArray(users.id, ids));`),
      },
      {
        name: 'of the inner handle',
        code: inside(`    const q = tx.select().from(users);
    await q;
    const queries = [tx.select().from(users)];
    await Promise.all(queries);`),
      },
      {
        name: 'sent behind the transaction',
        code: `
export async function run(name) {
  let q;
  await db.transaction(async (tx) => {
    q = db.insert(users).values({ name });
  });
  await q;
}`,
      },
    ]),
  );

  checkRule('no-nested-checkout', [
    {
      name: 'Kysely',
      header: '',
      code: `
import { Kysely } from 'kysely';
const db = new Kysely({ dialect });
export const run = () =>
  db.transaction().execute(async (trx) => {
    const q = db.selectFrom('users').selectAll();
    //        ^^^^^^^^^^^^^^^^^^^^^^ outside
    const other = db.selectFrom('users').selectAll();
    await q.execute();
    await other;
    await trx.executeQuery(other.compile());
  });`,
    },
    {
      name: 'Knex, bound and not',
      header: '',
      code: `
import knex from 'knex';
const db = knex({ client: 'pg' });
export const run = (name) =>
  db.transaction(async (trx) => {
    const q = db('users').insert({ name });
    //        ^^^^^^^^^^^ outside
    const bound = db('users').insert({ name }).transacting(trx);
    const later = db('users').insert({ name });
    await q;
    await bound;
    await later.transacting(trx);
  });`,
    },
    {
      name: 'postgres.js',
      header: '',
      code: `
import postgres from 'postgres';
const sql = postgres(url);
export const run = (name) =>
  sql.begin(async (tx) => {
    const q = sql\`SELECT 1\`;
    //        ^^^^^^^^^^^^^ outside
    const part = sql\`WHERE true\`;
    await q;
    await tx\`SELECT 1 \${part}\`;
  });`,
    },
    {
      name: 'pg-promise, which sends at once',
      header: '',
      code: `
import pgPromise from 'pg-promise';
const db = pgPromise()(url);
export async function run() {
  const before = db.one('SELECT 1');
  await db.tx(async (t) => {
    const q = db.one('SELECT 1');
    //        ^^^^^^^^^^^^^^^^^^ outside
    await before;
    await q;
  });
}`,
    },
  ]);
});
