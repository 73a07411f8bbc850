import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header = "import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);";

const ways: Readonly<Record<string, string>> = {
  'a function': `
export const run = () => db.transaction(work);
async function work(tx) {
  await tx.insert(users).values({ name });
  await db.insert(logs).values({ name });
  //    ^^^^^^^^^^^^^^^ outside
}`,
  'an arrow function': `
const work = async (tx) => {
  await db.insert(logs).values({ name });
  //    ^^^^^^^^^^^^^^^ outside
};
export const run = () => db.transaction(work);`,
  'with options': `
const work = async (tx) => {
  await db.insert(logs).values({ name });
  //    ^^^^^^^^^^^^^^^ outside
};
export const run = () => db.transaction(work, { isolationLevel: 'serializable' });`,
  'a bound method': `
export class Users {
  run() {
    return db.transaction(this.work.bind(this));
  }
  private async work(tx) {
    await db.insert(logs).values({ name });
    //    ^^^^^^^^^^^^^^^ outside
  }
}`,
  'a method that is an arrow function': `
export class Users {
  run() {
    return db.transaction(this.work);
  }
  private work = async (tx) => {
    await db.insert(logs).values({ name });
    //    ^^^^^^^^^^^^^^^ outside
  };
}`,
  'a member of an object': `
const steps = {
  async work(tx) {
    await db.insert(logs).values({ name });
    //    ^^^^^^^^^^^^^^^ outside
  },
};
export const run = () => db.transaction(steps.work);`,
  'a static method': `
class Steps {
  static async work(tx) {
    await db.insert(logs).values({ name });
    //    ^^^^^^^^^^^^^^^ outside
  }
}
export const run = () => db.transaction(Steps.work);`,
  'what it waits for in a helper': `
async function log() {
  await db.insert(logs).values({ name });
}
async function work(tx) {
  await log();
  //    ^^^^^ outsideInHelper
}
export const run = () => db.transaction(work);`,
  'a wrapper that passes its callback on': `
const inTransaction = (work) => db.transaction(work);
export const run = () =>
  inTransaction(async (tx) => {
    await db.insert(logs).values({ name });
    //    ^^^^^^^^^^^^^^^ outside
  });`,
  'a wrapper that calls its callback': `
const inTransaction = (work) => db.transaction(async (tx) => work(tx));
async function work(tx) {
  await db.insert(logs).values({ name });
  //    ^^^^^^^^^^^^^^^ outside
}
export const run = () => inTransaction(work);`,
  'only the inner handle, under whatever name': `
async function work(db) {
  await db.insert(logs).values({ name });
}
export const run = () => db.transaction(work);`,
  'only the inner handle': `
async function work(tx) {
  await tx.insert(logs).values({ name });
}
export const run = () => db.transaction(work);`,
  'a function that is called elsewhere': `
async function work() {
  await db.insert(logs).values({ name });
}
export async function run() {
  await work();
  await db.transaction(async (tx) => { await tx.insert(logs).values({ name }); });
}`,
  'a function that is called before': `
async function work() {
  await db.insert(logs).values({ name });
}
export async function run() {
  await db.transaction(makeWork(await work()));
}`,
  'bound to a first argument': `
async function work(handle, tx) {
  await handle.insert(logs).values({ name });
}
export const run = () => db.transaction(work.bind(null, tx));`,
};

describe('a callback that has a name', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(
      header,
      Object.entries(ways).map(([name, code]) => ({ name, code })),
    ),
  );

  checkRule('no-nested-checkout', [
    {
      name: 'Prisma, by a method',
      header: '',
      code: `
import { PrismaClient } from '@prisma/client';
export class Users {
  constructor(private readonly prisma: PrismaClient) {}
  run() {
    return this.prisma.$transaction(this.work.bind(this));
  }
  private async work(tx) {
    await tx.user.create({ data });
    await this.prisma.log.create({ data });
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
  }
}`,
    },
    {
      name: 'Kysely',
      header: '',
      code: `
import { Kysely } from 'kysely';
const db = new Kysely({ dialect });
async function work(trx) {
  await db.insertInto('logs').values({ name }).execute();
  //    ^^^^^^^^^^^^^^^^^^^^^ outside
}
export const run = () => db.transaction().setIsolationLevel('serializable').execute(work);`,
    },
    {
      name: "Prisma's array of queries",
      header: '',
      code: `
import { PrismaClient } from '@prisma/client';
const prisma = new PrismaClient();
export async function run(data) {
  const queries = [prisma.user.create({ data })];
  await prisma.$transaction(queries);
}
export const all = (queries) => prisma.$transaction(queries);`,
    },
    {
      name: 'of another file',
      header: '',
      files: {
        'db.ts':
          "import { drizzle } from 'drizzle-orm/node-postgres';\nexport const db = drizzle(url);\n",
        'work.ts':
          "import { db } from './db';\nexport async function work(tx) {\n  await tx.insert(users).values({ name });\n  await db.insert(logs).values({ name });\n}\nexport async function right(tx) {\n  await tx.insert(users).values({ name });\n}\n",
      },
      code: `
import { db } from './db';
import { right, work } from './work';
export async function run() {
  await db.transaction(work);
  //                   ^^^^ outsideInHelper
  await db.transaction(right);
}`,
    },
    {
      name: 'a wrapper of another file',
      header: '',
      files: {
        'db.ts':
          "import { drizzle } from 'drizzle-orm/node-postgres';\nexport const db = drizzle(url);\nexport const inTransaction = (work) => db.transaction(work);\n",
      },
      code: `
import { db, inTransaction } from './db';
export const run = () =>
  inTransaction(async (tx) => {
    await db.insert(logs).values({ name });
    //    ^^^^^^^^^^^^^^^ outside
  });`,
    },
  ]);

  checkRule('no-external-await-while-holding', [
    {
      name: 'slow work in a callback of this file, and of another',
      header: '',
      files: {
        'work.ts': 'export async function work(tx) {\n  await fetch(url);\n}\n',
      },
      code: `
import { drizzle } from 'drizzle-orm/node-postgres';
import { work } from './work';
const db = drizzle(url);
async function own(tx) {
  await fetch(url);
//^^^^^^^^^^^^^^^^ inTransaction
}
export async function run() {
  await db.transaction(own);
  await db.transaction(work);
  //                   ^^^^ inTransaction
}`,
    },
  ]);
});
