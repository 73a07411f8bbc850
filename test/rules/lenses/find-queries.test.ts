import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspected } from '../../support/inspected.ts';

/** `line: verb|verb table`, with a `?` where nobody knows what is spoken to, and `*` for any table. */
function said(code: string, path?: string): readonly string[] {
  return inspected(code, path)
    .queries()
    .map(
      ({ place, verbs, table, isSure }) =>
        `${place.start.line}: ${isSure ? '' : '? '}${verbs.join('|')} ${table ?? '*'}`,
    );
}

const drizzle =
  "import { drizzle } from 'drizzle-orm/node-postgres'; import { pgTable } from 'drizzle-orm/pg-core'; const people = pgTable('users', {}); const db = drizzle(url);\n";
const kysely = "import { Kysely } from 'kysely'; const db = new Kysely({ dialect });\n";
const knex = "import knexOf from 'knex'; const knex = knexOf({ client: 'pg' });\n";
const objection =
  "import { Model } from 'objection'; class User extends Model { static tableName = 'users'; }\n";
const sequelize =
  "import { Sequelize, Model } from 'sequelize'; const sequelize = new Sequelize(url); class User extends Model {} User.init({}, { sequelize, tableName: 'users' });\n";
const typeorm =
  "import { DataSource, Entity, Repository } from 'typeorm'; @Entity('users') class User {} const source = new DataSource({});\n";
const prisma =
  "import { PrismaClient } from '@prisma/client'; const prisma = new PrismaClient();\n";

describe('a query that a library builds', () => {
  test.each([
    ['Drizzle: insert', `${drizzle}await db.insert(people).values({});`, ['2: insert users']],
    ['Drizzle: select', `${drizzle}await db.select().from(people).where(x);`, ['2: select users']],
    [
      'Drizzle: a transaction',
      `${drizzle}await db.transaction(async (tx) => { await tx.update(people).set({}); });`,
      ['2: update users'],
    ],
    [
      'Drizzle: an unknown handle',
      `${drizzle}export const remove = (tx) => tx.delete(people);`,
      ['2: ? delete users'],
    ],
    ['Kysely', `${kysely}await db.insertInto('users').values({}).execute();`, ['2: insert users']],
    [
      'Kysely: an alias',
      `${kysely}await db.selectFrom('shop.users as u').execute();`,
      ['2: select shop.users'],
    ],
    [
      'Kysely: a name that is not known',
      `${kysely}await db.selectFrom(name).execute();`,
      ['2: select *'],
    ],
    ['Knex', `${knex}await knex('users').where({ id }).update({});`, ['2: update users']],
    ['Knex: select', `${knex}await knex.select('id').from('users');`, ['2: select users']],
    [
      'Knex: a transaction',
      `${knex}await knex.transaction(async (trx) => { await trx('users').insert({}); });`,
      ['2: insert users'],
    ],
    [
      'Knex: one that is kept, and becomes another later',
      `${knex}const query = knex('users').where({ id }); await query.update({});`,
      ['2: select|insert|update|delete|truncate users'],
    ],
    ['Objection', `${objection}await User.query().findById(1).patch({});`, ['2: update users']],
    [
      'Objection: a graph',
      `${objection}await User.query().withGraphFetched('posts');`,
      ['2: select users', '2: select|insert|update|delete *'],
    ],
    ['Sequelize', `${sequelize}await User.findAll({ where: { id } });`, ['2: select users']],
    [
      'Sequelize: relations',
      `${sequelize}await User.findAll({ include: Post });`,
      ['2: select users', '2: select|insert|update|delete *'],
    ],
    [
      'Sequelize: a model of its own name',
      "import { Sequelize } from 'sequelize'; const sequelize = new Sequelize(url);\nconst Category = sequelize.define('Category', {});\nawait Category.create({});",
      ['3: insert Categories'],
    ],
    [
      'TypeORM: a repository',
      `${typeorm}await source.getRepository(User).findOneBy({ id });`,
      ['2: select users'],
    ],
    [
      'TypeORM: a field',
      `${typeorm}class Users { constructor(private readonly users: Repository<User>) {} all() { return this.users.find(); } }`,
      ['2: select users'],
    ],
    ['TypeORM: a manager', `${typeorm}await source.manager.insert(User, {});`, ['2: insert users']],
    [
      'TypeORM: a builder',
      `${typeorm}await source.createQueryBuilder().delete().from(User).execute();`,
      ['2: delete users'],
    ],
    ['Prisma', `${prisma}await prisma.user.findMany({ where: { id } });`, ['2: select User']],
  ])('%s', (_what, code, queries) => {
    expect(said(code)).toEqual(queries);
  });

  test('a table is found where another file declares it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'poolguard-queries-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(
      join(folder, 'schema.ts'),
      "import { pgTable } from 'drizzle-orm/pg-core';\nexport const people = pgTable('users', {});\n",
    );
    writeFileSync(join(folder, 'index.ts'), "export * from './schema';\n");
    const start = "import { drizzle } from 'drizzle-orm/node-postgres'; const db = drizzle(url);\n";
    for (const code of [
      "import { people } from './index'; await db.delete(people);",
      "import * as schema from './schema'; await db.delete(schema.people);",
    ])
      expect(said(start + code, join(folder, 'app.ts'))).toEqual(['2: delete users']);
  });
});

test.each([
  ['a collection', "const people = new Map(); people.delete('users'); [].find('users');"],
  ['a function of the program', "const api = { insert: (name) => name }; api.insert('users');"],
  ['not a table', `${drizzle}const set = make(); set.delete(id); cache.insert(entry);`],
])('%s is no query', (_what, code) => {
  expect(said(code)).toEqual([]);
});
