import { describe, expect, test } from 'vitest';
import { inspected } from '../../support/inspected.ts';

/** `line: piece | piece`, with a star before what is only written. */
function said(code: string): readonly string[] {
  return inspected(code)
    .statements()
    .map(
      ({ place, pieces, isSent }) =>
        `${place.start.line}: ${isSent ? '' : '* '}${pieces.join(' | ')}`,
    );
}

const drizzle =
  "import { drizzle } from 'drizzle-orm/node-postgres'; import { sql } from 'drizzle-orm'; const db = drizzle(url);\n";
const prisma =
  "import { PrismaClient, Prisma } from '@prisma/client'; const prisma = new PrismaClient();\n";
const kysely = "import { Kysely, sql } from 'kysely'; export const db = new Kysely({ dialect });\n";
const knex = "import knexOf from 'knex'; const knex = knexOf({ client: 'pg' });\n";
const objection = "import { Model } from 'objection'; class User extends Model {}\n";
const sequelize = "import { Sequelize } from 'sequelize'; const sequelize = new Sequelize(url);\n";
const typeorm = "import { DataSource } from 'typeorm'; const source = new DataSource({});\n";
const mikroOrm = "import { EntityManager } from '@mikro-orm/postgresql';\n";
const postgresJs = "import postgres from 'postgres'; const sql = postgres(url);\n";
const slonik = "import { createPool, sql } from 'slonik'; const pool = await createPool(url);\n";
const pgPromise = "import pgPromise from 'pg-promise'; const db = pgPromise()(url);\n";
const databases = "import connect, { sql } from '@databases/pg'; const db = connect(url);\n";

describe('the text that a library sends', () => {
  test.each([
    [
      'execute of Drizzle',
      `${drizzle}await db.execute(sql\`SELECT id FROM users WHERE id = \${id}\`);`,
    ],
    [
      'execute in a transaction of Drizzle',
      `${drizzle}await db.transaction(async (tx) => {await tx.execute(sql\`SELECT id FROM users WHERE id = \${id}\`); });`,
    ],
    [
      '$queryRaw as a tag',
      `${prisma}const rows = await prisma.$queryRaw\`SELECT id FROM users WHERE id = \${id}\`;`,
    ],
    [
      '$queryRaw as a call',
      `${prisma}const rows = await prisma.$queryRaw(Prisma.sql\`SELECT id FROM users WHERE id = \${id}\`);`,
    ],
    [
      'a tag in a transaction of Prisma',
      `${prisma}await prisma.$transaction(async (tx) => {await tx.$queryRaw\`SELECT id FROM users WHERE id = \${id}\`; });`,
    ],
    [
      '$queryRawUnsafe',
      `${prisma}export const find = () => prisma.$queryRawUnsafe(\`SELECT id FROM users WHERE id = \${id}\`);`,
    ],
    [
      'a tag of Kysely that is executed',
      `${kysely}await sql\`SELECT id FROM users WHERE id = \${id}\`.execute(db);`,
    ],
    ['raw of Knex', `${knex}await knex.raw('SELECT id FROM users WHERE id = ?', [id]);`],
    [
      'raw of Knex with a name',
      `${knex}await knex.raw('SELECT id FROM users WHERE id = :id', { id });`,
    ],
    [
      'raw of a transaction that Knex began',
      `${knex}const trx = await knex.transaction(); await trx.raw('SELECT id FROM users WHERE id = ?', [id]);`,
    ],
    [
      'raw of the Knex instance below a model',
      `${objection}await User.knex().raw('SELECT id FROM users WHERE id = ?', [id]);`,
    ],
    [
      'query of Sequelize',
      `${sequelize}await sequelize.query('SELECT id FROM users WHERE id = :id', { replacements: { id } });`,
    ],
    [
      'query of a manager',
      `${typeorm}await source.manager.query(\`SELECT id FROM users WHERE id = \${id}\`);`,
    ],
    [
      'query of a repository in a transaction',
      `${typeorm}await source.transaction(async (manager) => { await manager.getRepository(User).query(\`SELECT id FROM users WHERE id = \${id}\`); });`,
    ],
    [
      'execute of MikroORM',
      `${mikroOrm}export const find = (em: EntityManager) => em.execute('SELECT id FROM users WHERE id = ?', [id]);`,
    ],
    ['the tag of postgres.js', `${postgresJs}await sql\`SELECT id FROM users WHERE id = \${id}\`;`],
    [
      'the tag of postgres.js, given back',
      `${postgresJs}export const find = async () => { return sql\`SELECT id FROM users WHERE id = \${id}\`; };`,
    ],
    [
      'the tag of postgres.js, one of several',
      `${postgresJs}await Promise.all([sql\`SELECT id FROM users WHERE id = \${id}\`]);`,
    ],
    [
      'the tag of postgres.js, executed',
      `${postgresJs}sql\`SELECT id FROM users WHERE id = \${id}\`.execute();`,
    ],
    [
      'the tag of a transaction of postgres.js',
      `${postgresJs}await sql.begin(async (tx) => { await tx\`SELECT id FROM users WHERE id = \${id}\`; });`,
    ],
    [
      'unsafe of postgres.js',
      `${postgresJs}await sql.unsafe(\`SELECT id FROM users WHERE id = \${id}\`);`,
    ],
    [
      'a tag of Slonik',
      `${slonik}await pool.any(sql.type(row)\`SELECT id FROM users WHERE id = \${id}\`);`,
    ],
    [
      'a tag in a transaction of Slonik',
      `${slonik}await pool.transaction(async (tx) => { await tx.maybeOne(sql.unsafe\`SELECT id FROM users WHERE id = \${id}\`); });`,
    ],
    [
      'a text of pg-promise',
      `${pgPromise}await db.oneOrNone('SELECT id FROM users WHERE id = $<id>', { id });`,
    ],
    [
      'a text in a task of pg-promise',
      `${pgPromise}await db.task(async (task) => { await task.any('SELECT id FROM users WHERE id = \${id}', { id }); });`,
    ],
    [
      'a tag of @databases',
      `${databases}await db.query(sql\`SELECT id FROM users WHERE id = \${id}\`);`,
    ],
  ])('%s', (_what, code) => {
    expect(said(code)).toEqual(['2: SELECT id FROM users WHERE id =  | ']);
  });
});

describe('a text that nobody is seen to send', () => {
  test.each([
    [
      'a tag of postgres.js that is kept',
      `${postgresJs}export const all = sql\`SELECT id FROM users\`;`,
    ],
    ['a tag of Kysely that is kept', `${kysely}export const all = sql\`SELECT id FROM users\`;`],
    [
      'a function of the program',
      `${knex}const tools = { raw: (text) => text.length };\ntools.raw('SELECT id FROM users');`,
    ],
    ['a method that sends no text', `${drizzle}db.$with('SELECT id FROM users');`],
  ])('%s', (_what, code) => {
    expect(said(code)).toEqual([expect.stringMatching(/^\d: \* SELECT id FROM users$/u)]);
  });
});

test('a cast and an operator of JSON are no names', () => {
  expect(
    said(`${knex}await knex.raw('SELECT id::text FROM users WHERE a[1:2] = ?', [a]);`),
  ).toEqual(['2: SELECT id::text FROM users WHERE a[1:2] =  | ']);
});
