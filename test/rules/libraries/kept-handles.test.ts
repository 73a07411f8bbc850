import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const drizzle = "import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);";
const save = 'async function save(tx, id) { await tx.insert(users).values({ id }); }';

describe('a handle that outlives its callback', () => {
  checkRule(
    'no-use-after-release',
    withHeader(`${drizzle}\n${save}`, [
      {
        name: 'in a variable',
        code: `
export async function run(id) {
  let saved;
  await db.transaction(async (tx) => {
    saved = tx;
    await save(tx, id);
  });
  await saved.insert(users).values({ id });
//      ^^^^^^^^^^^^^^^^^^^ usedAfterCallback
}`,
      },
      {
        name: 'in a variable, on some way, and given to a helper',
        code: `
export async function run(id) {
  let saved = null;
  await db.transaction(async (tx) => {
    if (id) saved = tx;
  });
  if (saved) await save(saved, id);
//                 ^^^^^^^^^^^^^^^ usedAfterCallback
}`,
      },
      {
        name: 'as what the callback gives',
        code: `
export async function run(id) {
  const tx = await db.transaction(async (tx) => tx);
  await tx.insert(users).values({ id });
//      ^^^^^^^^^^^^^^^^ usedAfterCallback
}`,
      },
      {
        name: 'in a chain',
        code: `
export function run(id) {
  let saved;
  return db.transaction(async (tx) => { saved = tx; }).then(() => save(saved, id));
//                                                                ^^^^^^^^^^^^^^^ usedAfterCallback
}`,
      },
      {
        name: 'is not used behind the end',
        code: `
export async function run(id) {
  let saved;
  await db.transaction(async (tx) => {
    saved = tx;
    await saved.insert(users).values({ id });
  });
  saved = db;
  await saved.insert(users).values({ id });
}
export async function gives(id) {
  let result;
  const user = await db.transaction(async (tx) => {
    result = await tx.select().from(users);
    return result;
  });
  await user.insert(users);
  await result.insert(users);
}
export async function retries(id) {
  let current;
  for (let tries = 0; tries < 3; tries++) {
    current = db;
    await current.select().from(users);
    await db.transaction(async (tx) => {
      current = tx;
      await save(current, id);
    });
  }
}
export async function before(id) {
  let saved;
  const done = db.transaction(async (tx) => {
    saved = tx;
    await gate;
  });
  await ready;
  await saved.insert(users).values({ id });
  await done;
}`,
      },
    ]),
  );

  checkRule('no-use-after-release', [
    {
      name: 'of Knex, which its callback leaves open',
      header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });\n",
      code: `
export async function run(id) {
  const trx = await new Promise((resolve, reject) => db.transaction(resolve).catch(reject));
  await trx('users').insert({ id });
  await trx.commit();
}
export async function wrong(id) {
  let saved;
  await db.transaction(async (trx) => { saved = trx; });
  await db('users').insert({ id }).transacting(saved);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ usedAfterCallback
}`,
    },
    {
      name: 'of Kysely',
      header: "import { Kysely } from 'kysely';\nconst db = new Kysely({ dialect });\n",
      code: `
export async function run(id) {
  let saved;
  await db.transaction().execute(async (trx) => { saved = trx; });
  await saved.insertInto('user').values({ id }).execute();
//      ^^^^^^^^^^^^^^^^^^^^^^^^ usedAfterCallback
}`,
    },
  ]);
});
