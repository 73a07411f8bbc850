import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const rule = 'no-session-state';

interface Library {
  readonly name: string;
  readonly header: string;
  /** What opens the callback, up to its parameter. */
  readonly open: string;
  /** What sends a text over `tx`; TEXT stands for it. */
  readonly send: string;
  /** A header that does not tell the database. */
  readonly unknown?: string;
}

const libraries: readonly Library[] = [
  {
    name: 'Drizzle',
    header:
      "import { drizzle } from 'drizzle-orm/node-postgres';\nimport { sql } from 'drizzle-orm';\nconst db = drizzle(url);",
    open: 'db.transaction(async (',
    send: 'tx.execute(sql`TEXT`)',
    unknown:
      "import { drizzle } from 'drizzle-orm/mysql2';\nimport { sql } from 'drizzle-orm';\nconst db = drizzle(url);",
  },
  {
    name: 'Prisma',
    header:
      "import { PrismaClient } from '@prisma/client';\nimport { PrismaPg } from '@prisma/adapter-pg';\nconst db = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });",
    open: 'db.$transaction(async (',
    send: 'tx.$executeRawUnsafe(`TEXT`)',
    unknown: "import { PrismaClient } from '@prisma/client';\nconst db = new PrismaClient();",
  },
  {
    name: 'tags of Prisma',
    header:
      "import { PrismaClient } from '@prisma/client';\nimport { PrismaPg } from '@prisma/adapter-pg';\nconst adapter = new PrismaPg({ connectionString });\nconst db = new PrismaClient({ adapter });",
    open: 'db.$transaction(async (',
    send: 'tx.$executeRaw`TEXT`',
  },
  {
    name: 'Kysely',
    header:
      "import { Kysely, PostgresDialect, sql } from 'kysely';\nconst db = new Kysely({ dialect: new PostgresDialect({ pool }) });",
    open: 'db.transaction().execute(async (',
    send: 'sql`TEXT`.execute(tx)',
    unknown:
      "import { Kysely, MysqlDialect, sql } from 'kysely';\nconst db = new Kysely({ dialect: new MysqlDialect({ pool }) });",
  },
  {
    name: 'Knex',
    header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    open: 'db.transaction(async (',
    send: 'tx.raw(`TEXT`)',
    unknown: "import knex from 'knex';\nconst db = knex(config);",
  },
  {
    name: 'Sequelize',
    header:
      "import { Sequelize } from 'sequelize';\nconst db = new Sequelize({ dialect: 'postgres' });",
    open: 'db.transaction(async (',
    send: 'db.query(`TEXT`, { transaction: tx })',
    unknown: "import { Sequelize } from 'sequelize';\nconst db = new Sequelize(url);",
  },
  {
    name: 'TypeORM',
    header:
      "import { DataSource } from 'typeorm';\nconst db = new DataSource({ type: 'postgres' });",
    open: 'db.transaction(async (',
    send: 'tx.query(`TEXT`)',
    unknown: "import { DataSource } from 'typeorm';\nconst db = new DataSource(options);",
  },
  {
    name: 'postgres.js',
    header: "import postgres from 'postgres';\nconst sql = postgres(url);",
    open: 'sql.begin(async (',
    send: 'tx`TEXT`',
  },
  {
    name: 'pg-promise',
    header: "import pgPromise from 'pg-promise';\nconst db = pgPromise()(url);",
    open: 'db.tx(async (',
    send: 'tx.none(`TEXT`)',
  },
  {
    name: '@databases/pg',
    header: "import connect, { sql } from '@databases/pg';\nconst db = connect(url);",
    open: 'db.tx(async (',
    send: 'tx.query(sql`TEXT`)',
  },
];

const inCallback = (open: string, ...lines: readonly string[]): string =>
  `\nexport async function run() {\n  await ${open}tx) => {\n${lines.join('\n')}\n  });\n}`;

const reported = (send: string, text: string): string => {
  const call = send.replace('TEXT', text);
  return `    await ${call};\n//        ${'^'.repeat(call.length)} atRelease`;
};

const silent = (send: string, text: string): string => `    await ${send.replace('TEXT', text)};`;

const lasting = ["SET app.tenant = 'a'", 'CREATE TEMP TABLE found (id int)'];
const unmistakable = [
  'SET search_path TO app',
  "SELECT set_config('app.tenant', 'a', false)",
  'SELECT pg_advisory_lock(1)',
  'LISTEN jobs',
];
const harmless = [
  'SET LOCAL search_path TO app',
  'SET TRANSACTION READ ONLY',
  "SELECT set_config('app.tenant', 'a', true)",
  'SELECT pg_advisory_xact_lock(1)',
  'CREATE TEMP TABLE found (id int) ON COMMIT DROP',
  'SELECT 1',
];

describe.for(libraries)(
  'session state over a transaction of $name',
  ({ name, header, open, send, unknown }) => {
    checkRule(
      rule,
      withHeader(header, [
        ...[...lasting, ...unmistakable].map((text) => ({
          name: `${name}: ${text}`,
          code: inCallback(open, reported(send, text)),
        })),
        ...harmless.map((text) => ({
          name: `${name}: ${text}`,
          code: inCallback(open, silent(send, text)),
        })),
        {
          name: `${name}: taken back`,
          code: inCallback(
            open,
            silent(send, 'SET search_path TO app'),
            silent(send, 'SELECT 1'),
            silent(send, 'RESET search_path'),
          ),
        },
      ]),
    );
    if (unknown !== undefined)
      checkRule(
        rule,
        withHeader(unknown, [
          ...unmistakable.map((text) => ({
            name: `${name}, of any database: ${text}`,
            code: inCallback(open, reported(send, text)),
          })),
          ...lasting.map((text) => ({
            name: `${name}, of any database: ${text}`,
            code: inCallback(open, silent(send, text)),
          })),
        ]).filter(
          ({ header: given = '', code }) => !given.includes('mysql2') || !code.includes('^'),
        ),
      );
  },
);

describe('session state over other connections', () => {
  checkRule(rule, [
    {
      name: 'of Slonik, which discards it',
      header: "import { createPool, sql } from 'slonik';\nconst pool = await createPool(url);\n",
      code: `
export async function run() {
  await pool.transaction(async (t) => { await t.query(sql.unsafe\`SET search_path TO app\`); });
}`,
    },
    {
      name: 'that are reserved',
      header: "import postgres from 'postgres';\nconst sql = postgres(url);\n",
      code: `
export async function run() {
  const reserved = await sql.reserve();
  try {
    await reserved\`SET search_path TO app\`;
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
  } finally {
    reserved.release();
  }
}`,
    },
    {
      name: 'of a query runner',
      header:
        "import { DataSource } from 'typeorm';\nconst db = new DataSource({ type: 'postgres' });\n",
      code: `
export async function run() {
  const runner = db.createQueryRunner();
  try {
    await runner.query("SET app.tenant = 'a'");
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
    await runner.manager.query('SELECT 1');
  } finally {
    await runner.release();
  }
}`,
    },
  ]);
});

describe('session state that a helper leaves on the handle that it is given', () => {
  checkRule(
    rule,
    withHeader("import knex from 'knex';\nconst db = knex({ client: 'pg' });", [
      {
        name: 'of this file, itself or through another',
        code: `
async function setTenant(tx, id) {
  await tx.raw("SELECT set_config('app.tenant', ?, false)", [id]);
}
async function prepare({ tx }, id) {
  await setTenant(tx, id);
}
export async function run(id) {
  await db.transaction(async (tx) => {
    await setTenant(tx, id);
//        ^^^^^^^^^^^^^^^^^ atRelease
    await prepare({ tx }, id);
//        ^^^^^^^^^^^^^^^^^^^ atRelease
    await tx('users').select();
  });
}`,
      },
      {
        name: 'of another file',
        code: `
import { setPath } from './tenant';
export async function run(id) {
  const tx = await db.transaction();
  try {
    await setPath(tx, id);
//        ^^^^^^^^^^^^^^^ atRelease
    await tx.commit();
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}`,
        files: {
          'tenant.ts':
            'export async function setPath(tx, id) {\n  await tx.raw(`SET search_path TO ${id}`);\n}\n',
        },
      },
      {
        name: 'for the transaction only, taken back, or over another handle',
        code: `
import { setPath, setOrLocal, setAndReset } from './tenant';
export async function run(id) {
  await db.transaction(async (tx) => {
    await setPath(tx, id);
    await setOrLocal(tx, true);
    await setAndReset(tx, id);
    await elsewhere(id);
  });
}
async function elsewhere(id) {
  await db.raw("SELECT set_config('app.tenant', ?, false)", [id]);
}`,
        files: {
          'tenant.ts': `
export async function setPath(tx, id) {
  await tx.raw(\`SET LOCAL search_path TO \${id}\`);
}
export async function setOrLocal(tx, isLocal) {
  await tx.raw(isLocal ? 'SET LOCAL search_path TO app' : 'SET search_path TO app');
}
export async function setAndReset(tx, id) {
  await tx.raw('SET search_path TO app');
  await tx('users').where({ id });
  await tx.raw('RESET search_path');
}
`,
        },
      },
      {
        name: 'where it is asked for it',
        code: `
async function prepare(tx, { path }) {
  if (path) await tx.raw('SET search_path TO app');
  await tx.raw('SET LOCAL statement_timeout TO 1000');
}
export async function run(id) {
  await db.transaction(async (tx) => {
    await prepare(tx, {});
  });
}`,
      },
      {
        name: 'taken back by another helper',
        code: `
const set = (tx) => tx.raw('SET search_path TO app');
const reset = (tx) => tx.raw('RESET search_path');
export async function run(id) {
  await db.transaction(async (tx) => {
    await set(tx);
    await tx('users').where({ id });
    await reset(tx);
  });
}`,
      },
    ]),
  );
  checkRule(
    rule,
    withHeader(
      "import { DataSource } from 'typeorm';\nconst db = new DataSource({ type: 'postgres' });",
      [
        {
          name: 'a query runner',
          code: `
async function setTenant(runner, id) {
  await runner.query(\`SET app.tenant = '\${id}'\`);
}
export async function run(id) {
  const runner = db.createQueryRunner();
  try {
    await setTenant(runner, id);
//        ^^^^^^^^^^^^^^^^^^^^^ atRelease
    await runner.manager.query('SELECT 1');
  } finally {
    await runner.release();
  }
}`,
        },
        {
          name: 'a manager',
          code: `
export async function run(id) {
  await db.transaction(async (manager) => {
    await new Tenants(manager).enter(id);
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
  });
}
class Tenants {
  constructor(private readonly manager) {}
  async enter(id) {
    await this.manager.query("SET app.tenant = 'a'");
  }
}`,
        },
      ],
    ),
  );
});
