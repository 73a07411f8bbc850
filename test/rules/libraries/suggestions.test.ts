import { describe, expect, test } from 'vitest';
import { lintWithAll, takenFrom } from '../../support/suggestions.ts';

/** The lines that a suggestion of `no-nested-checkout` changes. */
function changedBy(code: string): readonly (string | undefined)[] {
  return takenFrom(lintWithAll(code), 'no-nested-checkout').flatMap(({ after }) => {
    const before = code.split('\n');
    return after
      .split('\n')
      .filter((line, index) => line !== before[index])
      .map((line) => line.trim());
  });
}

const libraries: Readonly<Record<string, readonly [header: string, open: string]>> = {
  Drizzle: [
    "import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);",
    'db.transaction(async (tx) => {',
  ],
  Prisma: [
    "import { PrismaClient } from '@prisma/client';\nconst db = new PrismaClient();",
    'db.$transaction(async (tx) => {',
  ],
  Kysely: [
    "import { Kysely, sql } from 'kysely';\nconst db = new Kysely({ dialect });",
    'db.transaction().execute(async (tx) => {',
  ],
  Knex: [
    "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    'db.transaction(async (tx) => {',
  ],
  'postgres.js': [
    "import postgres from 'postgres';\nconst db = postgres(url);",
    'db.begin(async (tx) => {',
  ],
  Bun: ["import { sql as db } from 'bun';", 'db.begin(async (tx) => {'],
  Slonik: [
    "import { createPool } from 'slonik';\nconst db = await createPool(url);",
    'db.transaction(async (tx) => {',
  ],
  'pg-promise': [
    "import pgPromise from 'pg-promise';\nconst db = pgPromise()(url);",
    'db.tx(async (tx) => {',
  ],
  '@databases/pg': [
    "import createConnectionPool from '@databases/pg';\nconst db = createConnectionPool(url);",
    'db.tx(async (tx) => {',
  ],
  Sequelize: [
    "import { Model, Sequelize } from 'sequelize';\nconst db = new Sequelize(url);\nclass User extends Model {}",
    'db.transaction(async (tx) => {',
  ],
  Objection: [
    "import knex from 'knex';\nimport { Model } from 'objection';\nconst db = knex({ client: 'pg' });\nclass User extends Model {}\nUser.knex(db);",
    'User.transaction(async (tx) => {',
  ],
};

/** What is written inside of a transaction, and what is suggested in its place; undefined where its handle cannot do that. */
const cases: readonly (readonly [
  library: string,
  written: string,
  suggested: string | undefined,
])[] = [
  [
    'Drizzle',
    'await db.insert(users).values({ name });',
    'await tx.insert(users).values({ name });',
  ],
  ['Drizzle', 'await db.transaction(work);', 'await tx.transaction(work);'],
  [
    'Drizzle',
    'await db.transaction(async (inner) => {});',
    'await tx.transaction(async (inner) => {});',
  ],
  ['Prisma', 'await db.user.create({ data });', 'await tx.user.create({ data });'],
  ['Prisma', 'await db.$queryRaw`SELECT 1`;', 'await tx.$queryRaw`SELECT 1`;'],
  ['Prisma', 'await db.$transaction(async (inner) => {});', undefined],
  ['Kysely', "await db.selectFrom('user').execute();", "await tx.selectFrom('user').execute();"],
  ['Kysely', 'await sql`SELECT 1`.execute(db);', 'await sql`SELECT 1`.execute(tx);'],
  ['Kysely', 'await db.executeQuery(query);', 'await tx.executeQuery(query);'],
  ['Kysely', 'await db.transaction().execute(async (inner) => {});', undefined],
  ['Kysely', 'await db.connection().execute(async (inner) => {});', undefined],
  ['Knex', "await db('users').insert({ name });", "await tx('users').insert({ name });"],
  ['Knex', "await db.raw('SELECT 1');", "await tx.raw('SELECT 1');"],
  [
    'Knex',
    'await db.transaction(async (inner) => {});',
    'await tx.transaction(async (inner) => {});',
  ],
  ['postgres.js', 'await db`SELECT ${db(data)}`;', 'await tx`SELECT ${db(data)}`;'],
  ['postgres.js', "await db.unsafe('SELECT 1');", "await tx.unsafe('SELECT 1');"],
  ['postgres.js', 'await db.begin(async (inner) => {});', undefined],
  ['Bun', 'await db`SELECT 1`;', 'await tx`SELECT 1`;'],
  ['Bun', 'await db.begin(async (inner) => {});', undefined],
  ['Slonik', 'await db.one(query);', 'await tx.one(query);'],
  [
    'Slonik',
    'await db.transaction(async (inner) => {});',
    'await tx.transaction(async (inner) => {});',
  ],
  ['Slonik', 'await db.connect(async (inner) => {});', undefined],
  ['pg-promise', "await db.one('SELECT 1');", "await tx.one('SELECT 1');"],
  ['pg-promise', 'await db.task(async (inner) => {});', 'await tx.task(async (inner) => {});'],
  ['@databases/pg', 'await db.query(text);', 'await tx.query(text);'],
  ['Sequelize', 'await User.create(data);', 'await User.create(data, { transaction: tx });'],
  ['Sequelize', 'await User.findAll();', 'await User.findAll({ transaction: tx });'],
  [
    'Sequelize',
    'await User.findAll({ where: { name } });',
    'await User.findAll({ where: { name }, transaction: tx });',
  ],
  ['Sequelize', 'await User.findAll({});', 'await User.findAll({ transaction: tx });'],
  ['Sequelize', 'await User.findAll({ transaction: null });', undefined],
  ['Sequelize', "await db.query('SELECT 1');", "await db.query('SELECT 1', { transaction: tx });"],
  ['Sequelize', 'await db.transaction(async (inner) => {});', undefined],
  ['Objection', 'await User.query().insert(data);', 'await User.query(tx).insert(data);'],
  ['Objection', 'await User.query(null).insert(data);', undefined],
  [
    'Objection',
    "await User.relatedQuery('posts').for(1);",
    "await User.relatedQuery('posts', tx).for(1);",
  ],
];

describe('the handle that is suggested', () => {
  test.each(cases)('%s: %s', (library, written, suggested) => {
    const [header = '', open = ''] = libraries[library] ?? [];
    const code = `${header}\nexport async function run(name, data, text, query, work) {\n  await ${open}\n    await tx.first;\n    ${written}\n  });\n}\n`;
    expect(changedBy(code)).toEqual(suggested === undefined ? [] : [suggested]);
  });
});
