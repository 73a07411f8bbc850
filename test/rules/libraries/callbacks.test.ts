import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

interface Sample {
  readonly library: string;
  readonly header: string;
  /** What opens the callback, up to its parameter, and what closes it. */
  readonly open: string;
  readonly inner: string;
  readonly close?: string;
  /** A statement over the outer handle, with the part that is reported in angle brackets. */
  readonly outer: readonly string[];
  /** Statements that are right inside. */
  readonly right: readonly string[];
}

const samples: readonly Sample[] = [
  {
    library: 'Drizzle',
    header: "import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);",
    open: 'db.transaction(async (',
    inner: 'tx',
    outer: [
      '«db.select()».from(users)',
      '«db.insert(users)».values({ name }).returning()',
      '«db.query.users.findMany({ limit: 1 })»',
      "«db.execute('SELECT 1')»",
    ],
    right: [
      'await tx.insert(users).values({ name })',
      'await tx.select().from(db.select().from(users).as("u"))',
      'const q = db.select().from(users)',
      'db.insert(users).toSQL()',
    ],
  },
  {
    library: 'Prisma',
    header: "import { PrismaClient } from '@prisma/client';\nconst prisma = new PrismaClient();",
    open: 'prisma.$transaction(async (',
    inner: 'tx',
    outer: ['«prisma.user.create({ data })»', '«prisma.$queryRawUnsafe(text)»'],
    right: [
      'await tx.user.create({ data })',
      'prisma.user.fields',
      'await tx.$executeRawUnsafe(text)',
    ],
  },
  {
    library: 'Kysely',
    header: "import { Kysely } from 'kysely';\nconst db = new Kysely({ dialect });",
    open: 'db.transaction().execute(async (',
    inner: 'trx',
    outer: [
      "«db.selectFrom('user')».selectAll().execute()",
      "«db.insertInto('user')».values({ name }).executeTakeFirstOrThrow()",
    ],
    right: [
      "await trx.selectFrom('user').selectAll().execute()",
      "await trx.insertInto('user').expression(db.selectFrom('old').selectAll()).execute()",
      "await db.selectFrom('user').selectAll()",
    ],
  },
  {
    library: 'Kysely with an isolation level',
    header: "import { Kysely } from 'kysely';\nconst db = new Kysely({ dialect });",
    open: "db.transaction().setIsolationLevel('serializable').execute(async (",
    inner: 'trx',
    outer: ["«db.deleteFrom('user')».execute()"],
    right: [],
  },
  {
    library: 'Knex',
    header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    open: 'db.transaction(async (',
    inner: 'trx',
    outer: ["«db('users')».insert({ name })", "«db.raw('SELECT 1')»"],
    right: [
      "await trx('users').insert({ name })",
      "await db('users').insert({ name }).transacting(trx)",
      "await trx('users').whereIn('id', db('old').select('id'))",
      "await trx('users').where(db.raw('true'))",
    ],
  },
  {
    library: 'Knex by require',
    header: "const db = require('knex')({ client: 'pg' });",
    open: 'db.transaction(async (',
    inner: 'trx',
    outer: ["«db('users')».insert({ name })"],
    right: [],
  },
  {
    library: 'Slonik',
    header: "import { createPool } from 'slonik';\nconst pool = await createPool(url);",
    open: 'pool.transaction(async (',
    inner: 'tx',
    outer: ['«pool.one(query)»', '«pool.query(query)»'],
    right: ['await tx.one(query)'],
  },
  {
    library: 'pg-promise',
    header: "import pgPromise from 'pg-promise';\nconst pgp = pgPromise();\nconst db = pgp(url);",
    open: 'db.tx(async (',
    inner: 't',
    outer: ["«db.one('SELECT 1')»", "«db.none('SELECT 1')»"],
    right: ["await t.one('SELECT 1')", 'pgp.as.json(name)'],
  },
  {
    library: '@databases/pg',
    header:
      "import createConnectionPool, { sql } from '@databases/pg';\nconst db = createConnectionPool(url);",
    open: 'db.tx(async (',
    inner: 't',
    outer: ['«db.query(text)»'],
    right: ['await t.query(text)'],
  },
];

/** The lines of a statement with a mark under what stands in the brackets. */
function marked(statement: string, messageId: string): string {
  const line = `    await ${statement.replace(/[«»]/gu, '')};`;
  const start = `    await ${statement}`.indexOf('«');
  const length = statement.indexOf('»') - statement.indexOf('«') - 1;
  return `${line}\n//${' '.repeat(start - 2)}${'^'.repeat(length)} ${messageId}`;
}

describe('no-nested-checkout', () => {
  for (const { library, header, open, inner, outer, right } of samples) {
    const within = (lines: readonly string[]): string =>
      `\nexport async function run(name, data, text, query) {\n  await ${open}${inner}) => {\n${lines.join('\n')}\n  });\n}`;
    checkRule(
      'no-nested-checkout',
      withHeader(header, [
        ...outer.map((statement) => ({
          name: `${library}: ${statement}`,
          code: within([marked(statement, 'outside')]),
        })),
        ...right.map((statement) => ({
          name: `${library}: ${statement}`,
          code: within([`    ${statement};`]),
        })),
      ]),
    );
  }
});

describe('no-external-await-while-holding', () => {
  for (const { library, header, open, inner } of samples) {
    checkRule(
      'no-external-await-while-holding',
      withHeader(header, [
        {
          name: `${library}: before the first query, in a transaction`,
          code: `\nexport async function run() {\n  await ${open}${inner}) => {\n    await fetch(url);\n//  ^^^^^^^^^^^^^^^^ inTransaction\n  });\n}`,
        },
        {
          name: `${library}: behind the transaction`,
          code: `\nexport async function run() {\n  await ${open}${inner}) => {\n  });\n  await fetch(url);\n}`,
        },
      ]),
    );
  }

  checkRule(
    'no-external-await-while-holding',
    withHeader("import { createPool } from 'slonik';\nconst pool = await createPool(url);", [
      {
        name: 'in a connection without a transaction',
        code: `
export const run = () =>
  pool.connect(async (connection) => {
    await fetch(url);
//  ^^^^^^^^^^^^^^^^ inConnection
  });`,
      },
    ]),
  );

  checkRule('no-external-await-while-holding', [
    {
      name: 'Sequelize',
      header: "import { Sequelize } from 'sequelize';\nconst sequelize = new Sequelize(url);\n",
      code: `
export const run = () =>
  sequelize.transaction(async (t) => {
    await fetch(url);
//  ^^^^^^^^^^^^^^^^ inTransaction
  });`,
    },
    {
      name: 'MikroORM, of which nothing is known here',
      header: '',
      code: `
export class Users {
  constructor(em) {
    this.em = em;
  }
  run = () =>
    this.em.transactional(async (em) => {
      await fetch(url);
    //^^^^^^^^^^^^^^^^ inTransaction
    });
}`,
    },
  ]);
});

describe('no-concurrent-client-query', () => {
  checkRule(
    'no-concurrent-client-query',
    withHeader("import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);", [
      {
        name: 'two statements over the handle of a transaction',
        code: `
export const run = (name) =>
  db.transaction(async (tx) => {
    await Promise.all([tx.insert(users).values({ name }), tx.insert(logs).values({ name })]);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overHandle
  });`,
      },
      {
        name: 'one in each round',
        code: `
export const run = (names) =>
  db.transaction(async (tx) => {
    await Promise.all(names.map((name) => tx.insert(users).values({ name })));
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overHandle
  });`,
      },
      {
        name: 'an asynchronous function in each round',
        code: `
export const run = (names) =>
  db.transaction(async (tx) => {
    await Promise.all(names.map(async (name) => { await tx.insert(users).values({ name }); }));
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ overHandle
  });`,
      },
      {
        name: 'one statement and something else',
        code: `
export const run = (name) =>
  db.transaction(async (tx) => {
    await Promise.all([tx.insert(users).values({ name }), hash(name)]);
  });`,
      },
      {
        name: 'the outer handle, outside of a transaction',
        code: `
export const run = (name) => Promise.all([db.select().from(users), db.select().from(logs)]);`,
      },
      {
        name: 'one after the other',
        code: `
export const run = (names) =>
  db.transaction(async (tx) => {
    for (const name of names) await tx.insert(users).values({ name });
  });`,
      },
    ]),
  );

  checkRule(
    'no-concurrent-client-query',
    withHeader(
      "import { PrismaClient } from '@prisma/client';\nconst prisma = new PrismaClient();",
      [
        {
          name: 'Prisma, which takes them one by one',
          code: `
export const run = (data) =>
  prisma.$transaction(async (tx) => {
    await Promise.all([tx.user.create({ data }), tx.log.create({ data })]);
  });`,
        },
      ],
    ),
  );
});
