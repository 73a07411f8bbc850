import { expect, test } from 'vitest';
import { inspected } from '../../support/inspected.ts';

/** `line: words` of what is sent while the handle of a transaction is held. */
function sent(code: string): readonly string[] {
  return inspected(code)
    .spans()
    .flatMap(({ statements }) => statements)
    .map(({ place, words }) => `${place.start.line}: ${words ?? '?'}`);
}

const postgresJs = "import postgres from 'postgres'; const sql = postgres(url);\n";
const drizzle =
  "import { drizzle } from 'drizzle-orm/node-postgres'; import { sql } from 'drizzle-orm'; const db = drizzle(url);\n";
const kysely = "import { Kysely, sql } from 'kysely'; const db = new Kysely({ dialect });\n";
const sequelize =
  "import { Sequelize, Model } from 'sequelize'; const sequelize = new Sequelize(url); class User extends Model {}\n";
const knex = "import knexOf from 'knex'; const knex = knexOf({ client: 'pg' });\n";

test.each([
  [
    'tags',
    `${postgresJs}await sql.begin(async (tx) => {\nawait tx\`SELECT id FROM users\`;\nawait sql\`SELECT 1\`;\n});`,
    ['3: SELECT id FROM users'],
  ],
  [
    'texts',
    `${drizzle}await db.transaction(async (tx) => {\nawait tx.execute(sql\`SELECT id FROM users WHERE id = \${1}\`);\n});`,
    ['3: SELECT id FROM users'],
  ],
  [
    'queries that are built',
    `${drizzle}await db.transaction(async (tx) => {\nawait tx.insert(users).values({ id: 1 });\n});`,
    ['3: ?'],
  ],
  [
    'texts that are executed over it',
    `${kysely}await db.transaction().execute(async (tx) => {\nawait sql\`SELECT id FROM users\`.execute(tx);\nawait tx.selectFrom('users').execute();\n});`,
    ['3: SELECT id FROM users', '4: ?'],
  ],
  [
    'queries that are told of it',
    `${sequelize}await sequelize.transaction(async (transaction) => {\nawait User.create({}, { transaction });\nawait sequelize.query('SELECT id FROM users', { transaction });\nawait User.findAll();\n});`,
    ['3: ?', '4: SELECT id FROM users'],
  ],
  [
    'queries of a transaction that was begun',
    `${knex}async function run() {\nconst trx = await knex.transaction();\nawait trx('users').insert({});\nawait trx.raw('SELECT id FROM users');\nawait trx.commit();\n}`,
    ['4: ?', '5: SELECT id FROM users'],
  ],
])('%s are statements', (_what, code, statements) => {
  expect(sent(code)).toEqual(statements);
});
