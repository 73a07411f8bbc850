import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';
import { libraries, type Library } from '../../support/lending-libraries.ts';
import { markedCalls } from '../../support/marked-calls.ts';

/** What stands between the header and the call of the wrapper, and that call up to its callback. */
const wrappers: Readonly<Record<string, readonly [(library: Library) => string, string]>> = {
  'an arrow function': [({ lend }) => `const inTx = (fn) => ${lend('db', 'fn')};`, 'inTx('],
  'a typed parameter': [
    ({ lend }) =>
      `async function inTx<T>(fn: (tx: unknown) => Promise<T>): Promise<T> {\n  return await ${lend('db', 'fn')};\n}`,
    'inTx(',
  ],
  'a type with a name': [
    ({ lend }) =>
      `type Work<T> = (tx: unknown) => Promise<T>;\nconst inTx = <T>(fn: Work<T>) => ${lend('db', 'fn')};`,
    'inTx(',
  ],
  'an interface that is called': [
    ({ lend }) =>
      `interface Work { (tx: unknown): Promise<void> }\nconst inTx = (fn: Work) => ${lend('db', 'fn')};`,
    'inTx(',
  ],
  'behind another parameter': [
    ({ lend }) =>
      `const inTx = (name: string, fn: (tx: unknown) => Promise<void>) => ${lend('db', 'fn')};`,
    "inTx('log', ",
  ],
  'a wrapper of a wrapper': [
    ({ lend }) =>
      `const once = (fn) => ${lend('db', 'fn')};\nconst inTx = async (name, fn: (tx: unknown) => Promise<void>) => once(fn);`,
    "inTx('log', ",
  ],
  'a method': [
    ({ lend, type }) => `class Database {
  constructor(private readonly db: ${type}) {}
  transaction<T>(fn: (tx: unknown) => Promise<T>) {
    return ${lend('this.db', 'fn')};
  }
}
const database = new Database(db);`,
    'database.transaction(',
  ],
};

describe('a wrapper that hands its callback on', () => {
  for (const [library, row] of Object.entries(libraries))
    checkRule(
      'no-nested-checkout',
      Object.entries(wrappers).map(([name, [wrapper, call]]) => ({
        name: `${library}: ${name}`,
        header: '',
        code: markedCalls(`${row.header}
${wrapper(row)}
export const run = (values, text, data) =>
  ${call}async (tx) => {
    await ${row.inner};
    await ${row.outer};
  });`),
      })),
    );
});

describe('a wrapper that hands on whatever it is given', () => {
  const { Sequelize, ...others } = libraries;
  for (const [library, row] of Object.entries(others))
    checkRule('no-nested-checkout', [
      {
        name: library,
        header: '',
        code: markedCalls(`${row.header}
const inTx = (...args) => ${row.lend('db', '...args')};
export const run = (values, text, data) =>
  inTx(async (tx) => {
    await ${row.outer};
  });`),
      },
    ]);
  // `inTx({ transaction }, work)` takes no other connection.
  checkRule('no-nested-checkout', [
    {
      name: 'Sequelize, whose options may name the transaction around it',
      header: Sequelize?.header ?? '',
      code: `
const inTx = (...args) => db.transaction(...args);
export const run = (values) =>
  db.transaction(async (transaction) => {
    await inTx({ transaction }, async (t) => { await Log.create(values, { transaction: t }); });
  });`,
    },
  ]);
});

describe('a wrapper of another file', () => {
  for (const [library, row] of Object.entries(libraries))
    checkRule('no-external-await-while-holding', [
      {
        name: library,
        header: '',
        files: {
          'db.ts': `${row.header}\nexport const inTx = <T>(fn: (tx: unknown) => Promise<T>) => ${row.lend('db', 'fn')};\n`,
        },
        code: `
import { inTx } from './db';
export const run = () =>
  inTx(async (tx) => {
    await fetch(url);
  //^^^^^^^^^^^^^^^^ inTransaction
  });`,
      },
    ]);
});

const named: Readonly<Record<string, (library: Library) => string>> = {
  'a function': ({ lend, outer }) => `
async function work(tx) {
  await ${outer};
}
export const run = () => ${lend('db', 'work')};`,
  'an arrow function that is given to a wrapper': ({ lend, outer }) => `
const work = async (tx) => {
  await ${outer};
};
const inTx = (fn: (tx: unknown) => Promise<void>) => ${lend('db', 'fn')};
export const run = () => inTx(work);`,
  'a method': ({ lend, outer }) => `
export class Logs {
  async run() {
    await ${lend('db', 'this.work')};
  }
  private work = async (tx) => {
    await ${outer};
  };
}`,
  'a bound method': ({ lend, outer }) => `
export class Logs {
  async run() {
    await ${lend('db', 'this.work.bind(this)')};
  }
  private async work(tx) {
    await ${outer};
  }
}`,
};

describe('a callback with a name', () => {
  for (const [library, row] of Object.entries(libraries))
    checkRule(
      'no-nested-checkout',
      Object.entries(named).flatMap(([name, code]) => [
        {
          name: `${library}: ${name}`,
          header: '',
          code: markedCalls(`${row.header}\n${code(row)}`),
        },
        {
          name: `${library}: ${name}, over its own handle`,
          header: '',
          code: `${row.header}\n${code({ ...row, outer: row.inner })}`,
        },
      ]),
    );
  checkRule('no-nested-checkout', [
    {
      name: 'options of Sequelize that have a name',
      header: libraries['Sequelize']?.header ?? '',
      code: `
const options = { isolationLevel: 'SERIALIZABLE' };
export const inTx = (options) =>
  db.transaction(async (transaction) => {
    const inner = { transaction };
    await db.transaction(inner, async (t) => { await Log.create({}, { transaction: t }); });
  });`,
    },
  ]);
});

describe('what only looks like a wrapper', () => {
  const header = libraries['Drizzle']?.header ?? '';
  checkRule('no-nested-checkout', [
    {
      name: 'a callback that is kept',
      header,
      code: `
const later = [];
const inTx = (fn: (tx: unknown) => Promise<void>) => { later.push(fn); };
export const run = () => inTx(async () => { await db.insert(logs).values({}); });`,
    },
    {
      name: 'another argument of it',
      header,
      code: `
const inTx = (fn: (tx: unknown) => Promise<void>, after: () => Promise<void>) => db.transaction(fn).then(after);
export const run = () => inTx(async (tx) => { await tx.insert(logs).values({}); }, async () => { await db.insert(logs).values({}); });`,
    },
    {
      name: 'arguments of another method',
      header,
      code: `
const build = (...args) => db.select(...args);
export const run = () => build(async () => { await db.insert(logs).values({}); });`,
    },
    {
      name: 'a function of the same name as its own callee',
      header,
      code: `
const inTx = (fn: (tx: unknown) => Promise<void>) => again(fn);
const again = (fn: (tx: unknown) => Promise<void>) => inTx(fn);
export const run = () => inTx(async () => { await db.insert(logs).values({}); });`,
    },
  ]);
});

describe("a wrapper that a class adds to a library's", () => {
  checkRule(
    'no-nested-checkout',
    [['this'], ['super']].map(([self]) => ({
      name: `by ${self}`,
      header: '',
      code: `
import { PrismaClient } from '@prisma/client';
class Database extends PrismaClient {
  run(work) { return ${self}.$transaction((tx) => work(tx)); }
  async count() { return this.user.count(); }
}
class Users {
  constructor(private readonly database: Database) {}
  add(data) {
    return this.database.run(async (tx) => {
      await tx.user.create({ data });
      await this.database.user.count();
      //    ^^^^^^^^^^^^^^^^^^^^^^^^^^ outside
      await this.database.count();
      //    ^^^^^^^^^^^^^^^^^^^^^ outsideInHelper
    });
  }
}`,
    })),
  );
});

describe('a wrapper that tells others of its transaction', () => {
  const header = `
import { PrismaClient } from '@prisma/client';
import { context } from './context';
const prisma = new PrismaClient();
`;
  const use = (mark: string): string => `
export const run = (data) =>
  inTx(async () => {
    await prisma.user.create({ data });
    ${mark}
  });`;
  checkRule('no-nested-checkout', [
    {
      name: 'by handing its handle to something unknown',
      header,
      code: `
async function inTx(work) {
  return prisma.$transaction(async (tx) => { context.set(tx); return work(tx); });
}${use('//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside')}`,
    },
    {
      name: 'in a function that is run for its value',
      header,
      code: `
async function inTx(work) {
  return await context.run(async () => { return await prisma.$transaction((tx) => work(tx)); });
}${use('//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside')}`,
    },
    {
      name: 'in a function that sets what is read behind it',
      header,
      code: `
async function inTx(work) {
  let result;
  await context.run(async () => { result = await prisma.$transaction((tx) => work(tx)); });
  return result;
}${use('//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ outside')}`,
    },
    {
      name: 'but not in one of which nobody knows whether it is run',
      header,
      code: `
async function inTx(work) {
  await context.run(async () => { await prisma.$transaction((tx) => work(tx)); });
}${use('')}`,
    },
  ]);
});
