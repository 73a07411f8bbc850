/** How a library's handle is made, lends a connection, and is queried. */
export interface Library {
  readonly header: string;
  /** What is imported for a type of the handle, and that type. */
  readonly type: string;
  readonly lend: (handle: string, callback: string) => string;
  /** A query over the handle, without and with the marks around what is reported. */
  readonly outer: string;
  /** A query that is right inside. */
  readonly inner: string;
}

/** Libraries that lend connections to callbacks. */
export const libraries: Readonly<Record<string, Library>> = {
  Sequelize: {
    header: `import { DataTypes, Sequelize } from 'sequelize';
export const db = new Sequelize(url);
const Log = db.define('log', {});`,
    type: 'Sequelize',
    lend: (handle, callback) => `${handle}.transaction(${callback})`,
    outer: '«Log.create(values)»',
    inner: 'Log.create(values, { transaction: tx })',
  },
  Knex: {
    header: "import knex, { type Knex } from 'knex';\nexport const db = knex({ client: 'pg' });",
    type: 'Knex',
    lend: (handle, callback) => `${handle}.transaction(${callback})`,
    outer: "«db('logs')».insert(values)",
    inner: "tx('logs').insert(values)",
  },
  TypeORM: {
    header: "import { DataSource } from 'typeorm';\nexport const db = new DataSource(options);",
    type: 'DataSource',
    lend: (handle, callback) => `${handle}.transaction(${callback})`,
    outer: '«db.manager.save(Log, values)»',
    inner: 'tx.save(Log, values)',
  },
  Drizzle: {
    header: `import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
export const db = drizzle(url);`,
    type: 'NodePgDatabase',
    lend: (handle, callback) => `${handle}.transaction(${callback})`,
    outer: '«db.insert(logs)».values(values)',
    inner: 'tx.insert(logs).values(values)',
  },
  Prisma: {
    header: "import { PrismaClient } from '@prisma/client';\nexport const db = new PrismaClient();",
    type: 'PrismaClient',
    lend: (handle, callback) => `${handle}.$transaction(${callback})`,
    outer: '«db.log.create({ data })»',
    inner: 'tx.log.create({ data })',
  },
  Kysely: {
    header: "import { Kysely } from 'kysely';\nexport const db = new Kysely<DB>({ dialect });",
    type: 'Kysely<DB>',
    lend: (handle, callback) => `${handle}.transaction().execute(${callback})`,
    outer: "«db.insertInto('logs')».values(values).execute()",
    inner: "tx.insertInto('logs').values(values).execute()",
  },
  Slonik: {
    header: `import { createPool, type DatabasePool } from 'slonik';
export const db = await createPool(url);`,
    type: 'DatabasePool',
    lend: (handle, callback) => `${handle}.transaction(${callback})`,
    outer: '«db.query(text)»',
    inner: 'tx.query(text)',
  },
  'postgres.js': {
    header: "import postgres, { type Sql } from 'postgres';\nexport const db = postgres(url);",
    type: 'Sql',
    lend: (handle, callback) => `${handle}.begin(${callback})`,
    outer: '«db`INSERT INTO logs VALUES (1)`»',
    inner: 'tx`INSERT INTO logs VALUES (1)`',
  },
  'pg-promise': {
    header: `import pgPromise, { type IDatabase } from 'pg-promise';
export const db = pgPromise()(url);`,
    type: 'IDatabase<{}>',
    lend: (handle, callback) => `${handle}.tx(${callback})`,
    outer: "«db.none('INSERT')»",
    inner: "tx.none('INSERT')",
  },
};
