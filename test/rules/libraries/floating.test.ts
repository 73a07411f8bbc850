import { describe } from 'vitest';
import { checkRule, withHeader, type Sample } from '../../support/marked.ts';

const rule = 'no-use-after-release';

interface Library {
  readonly name: string;
  readonly header: string;
  /** What opens the callback, up to its parameter. */
  readonly open: string;
  /** A query over `tx` that is sent where it is asked. */
  readonly query: string;
  /** One that is not sent unless somebody waits. */
  readonly built?: string;
  /** One that does no harm alone. */
  readonly isHarmless?: true;
}

const libraries: readonly Library[] = [
  {
    name: 'Drizzle',
    header: "import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);",
    open: 'db.transaction(async (',
    query: 'tx.insert(users).values({ id }).execute()',
    built: 'tx.insert(users).values({ id })',
  },
  {
    name: 'Drizzle over Bun',
    header: "import { drizzle } from 'drizzle-orm/bun-sql';\nconst db = drizzle(url);",
    open: 'db.transaction(async (',
    query: 'tx.insert(users).values({ id }).execute()',
    built: 'tx.insert(users).values({ id })',
    isHarmless: true,
  },
  {
    name: 'Prisma',
    header: "import { PrismaClient } from '@prisma/client';\nconst db = new PrismaClient();",
    open: 'db.$transaction(async (',
    query: 'tx.user.create({ data: { id } }).catch(report)',
    built: 'tx.user.create({ data: { id } })',
  },
  {
    name: 'Kysely',
    header: "import { Kysely, sql } from 'kysely';\nconst db = new Kysely({ dialect });",
    open: 'db.transaction().execute(async (',
    query: "tx.insertInto('user').values({ id }).execute()",
    built: "tx.insertInto('user').values({ id })",
  },
  {
    name: 'raw Kysely',
    header: "import { Kysely, sql } from 'kysely';\nconst db = new Kysely({ dialect });",
    open: 'db.transaction().execute(async (',
    query: 'sql`SELECT 1`.execute(tx)',
  },
  {
    name: 'Knex',
    header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    open: 'db.transaction(async (',
    query: "tx('users').insert({ id }).then(noted)",
    built: "tx('users').insert({ id })",
  },
  {
    name: 'Knex that is told',
    header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    open: 'db.transaction(async (',
    query: "db('users').insert({ id }).transacting(tx).then(noted)",
    built: "db('users').insert({ id }).transacting(tx)",
  },
  {
    name: 'Objection',
    header: "import { Model } from 'objection';\nclass User extends Model {}",
    open: 'User.transaction(async (',
    query: 'User.query(tx).insert({ id }).then(noted)',
    built: 'User.query(tx).insert({ id })',
  },
  {
    name: 'postgres.js',
    header: "import postgres from 'postgres';\nconst sql = postgres(url);",
    open: 'sql.begin(async (',
    query: 'tx`INSERT INTO users VALUES (${id})`.execute()',
    built: 'tx`INSERT INTO users VALUES (${id})`',
  },
  {
    name: 'Slonik',
    header: "import { createPool, sql } from 'slonik';\nconst pool = await createPool(url);",
    open: 'pool.transaction(async (',
    query: 'tx.query(sql.unsafe`SELECT ${id}`)',
  },
  {
    name: 'pg-promise',
    header: "import pgPromise from 'pg-promise';\nconst db = pgPromise()(url);",
    open: 'db.tx(async (',
    query: "tx.none('INSERT INTO users VALUES ($1)', [id])",
  },
  {
    name: '@databases/pg',
    header: "import connect, { sql } from '@databases/pg';\nconst db = connect(url);",
    open: 'db.tx(async (',
    query: 'tx.query(sql`SELECT ${id}`)',
  },
  {
    name: 'Sequelize',
    header:
      "import { Model, Sequelize } from 'sequelize';\nconst db = new Sequelize(url);\nclass User extends Model {}",
    open: 'db.transaction(async (',
    query: 'User.create({ id }, { transaction: tx })',
  },
  {
    name: 'TypeORM',
    header: "import { DataSource } from 'typeorm';\nconst db = new DataSource(options);",
    open: 'db.transaction(async (',
    query: 'tx.save(User, { id })',
  },
  {
    name: 'MikroORM',
    header:
      "import { MikroORM } from '@mikro-orm/postgresql';\nconst orm = await MikroORM.init(options);",
    open: 'orm.em.transactional(async (',
    query: 'tx.insert(User, { id })',
  },
  {
    name: 'repositories of TypeORM',
    header: "import { DataSource } from 'typeorm';\nconst db = new DataSource(options);",
    open: 'db.transaction(async (',
    query: 'tx.getRepository(User).save({ id })',
  },
];

/** What stands in the callback; QUERY is a query, BUILT one that is not sent, and what «…» encloses is reported. */
interface Program {
  readonly name: string;
  readonly body: string;
  readonly messageId?: 'unawaited' | 'floating' | 'deferred';
}

const alone: readonly Program[] = [
  { name: 'a query', messageId: 'unawaited', body: '«QUERY»;' },
  { name: 'a query that is void', messageId: 'unawaited', body: 'void «QUERY»;' },
  { name: 'a query on a branch', messageId: 'unawaited', body: 'if (id) «QUERY»;' },
  { name: 'a query behind others', messageId: 'unawaited', body: 'await QUERY;\n    «QUERY»;' },
  { name: 'a query in a loop', messageId: 'unawaited', body: 'for (id of ids) «QUERY»;' },
  { name: 'a query under a name', messageId: 'unawaited', body: 'const saved = «QUERY»;' },
  { name: 'a helper', messageId: 'unawaited', body: '«save(tx, id)»;' },
  {
    name: 'rounds',
    messageId: 'unawaited',
    body: 'ids.forEach(async (id) => { await «QUERY»; });',
  },
  {
    name: 'rounds that give something',
    messageId: 'unawaited',
    body: 'ids.map(async (id) => { await «QUERY»; });',
  },
  {
    name: 'short rounds',
    messageId: 'unawaited',
    body: 'ids.forEach((id) => «save(tx, id)»);',
  },
];

const late: readonly Program[] = [
  { name: 'a helper of several queries', messageId: 'floating', body: 'void «saveBoth(tx, id)»;' },
  {
    name: 'a function in place',
    messageId: 'floating',
    body: '(async () => { await fetch(url); await «QUERY»; })();',
  },
  {
    name: 'rounds of several queries',
    messageId: 'floating',
    body: 'ids.forEach(async (id) => { await QUERY; await «QUERY»; });',
  },
  {
    name: 'a query behind a request',
    messageId: 'floating',
    body: 'fetch(url).then(() => «save(tx, id)»);',
  },
  {
    name: 'a timer',
    messageId: 'deferred',
    body: 'setTimeout(async () => { await «QUERY»; }, 10);',
  },
  {
    name: 'a timer, whatever is awaited',
    messageId: 'deferred',
    body: 'setImmediate(() => { «save(tx, id)»; });\n    await QUERY;',
  },
  {
    name: 'an event',
    messageId: 'deferred',
    body: "await QUERY;\n    bus.on('saved', async (id) => { await «QUERY»; });",
  },
];

const right: readonly Program[] = [
  { name: 'awaited', body: 'await QUERY;' },
  { name: 'returned', body: 'return QUERY;' },
  { name: 'a helper that is returned', body: 'return saveBoth(tx, id);' },
  {
    name: 'awaited later',
    body: 'const saved = saveBoth(tx, id);\n    await other();\n    await saved;',
  },
  { name: 'returned later', body: 'const saved = saveBoth(tx, id);\n    return saved;' },
  { name: 'one of several', body: 'await Promise.all([saveBoth(tx, id), other()]);' },
  {
    name: 'rounds that are awaited',
    body: 'await Promise.all(ids.map((id) => saveBoth(tx, id)));',
  },
  {
    name: 'kept in a list',
    body: 'const all = [];\n    ids.forEach((id) => all.push(saveBoth(tx, id)));\n    await Promise.all(all);',
  },
  {
    name: 'rounds kept in a list',
    body: 'const all = ids.map(async (id) => { await QUERY; await QUERY; });\n    await Promise.all(all);',
  },
  { name: 'given to somebody', body: 'background.add(saveBoth(tx, id));' },
  { name: 'something is awaited behind it', body: 'void saveBoth(tx, id);\n    await other();' },
  { name: 'something is returned behind it', body: 'void save(tx, id);\n    return other();' },
  {
    name: 'a pause',
    body: 'await new Promise((resolve) => setTimeout(async () => { await QUERY; resolve(); }, 10));',
  },
  {
    name: 'a timer that is cleared',
    body: 'const timer = setTimeout(() => { saveBoth(tx, id); }, 10);\n    await other();\n    clearTimeout(timer);',
  },
  {
    name: 'an event that is waited for',
    body: "stream.on('data', async (id) => { await QUERY; });\n    await finished(stream);",
  },
  { name: 'a helper that does not query', body: 'void other(tx);' },
  { name: 'a helper of its own handle', body: 'void elsewhere(id);' },
  { name: 'asked behind the end', body: 'onCommit(() => other());' },
  { name: 'built only', body: 'BUILT;' },
  { name: 'built in rounds', body: 'ids.forEach((id) => BUILT);' },
  { name: 'built by a timer', body: 'setTimeout(() => BUILT);' },
];

function samplesOf(library: Library, programs: readonly Program[]): readonly Sample[] {
  const { query, built = 'other()' } = library;
  const header = `${library.header}
async function save(tx, id) { await ${query}; }
async function saveBoth(tx, id) { await ${query}; await ${query}; }
async function other() { await null; }
async function elsewhere(id) { await null; }`;
  return withHeader(
    header,
    programs.map(({ name, body, messageId }) => ({
      name: `${library.name}: ${name}`,
      code: marked(
        `
export async function run(ids, id) {
  await ${library.open}tx) => {
    ${body.replaceAll('QUERY', query).replaceAll('BUILT', built)}
  });
}`,
        messageId,
      ),
    })),
  );
}

/** A mark under what stands between «…». */
function marked(code: string, messageId: string | undefined): string {
  return code
    .split('\n')
    .flatMap((line) => {
      const plain = line.replaceAll(/[«»]/gu, '');
      // What a chain or builder begins with is what is asked.
      const [start, end] = [line.indexOf('«'), line.indexOf('»') - 1];
      return messageId === undefined || start === -1
        ? [plain]
        : [plain, `//${' '.repeat(start - 2)}${'^'.repeat(end - start)} ${messageId}`];
    })
    .join('\n');
}

describe.for(libraries)('queries of $name that nobody waits for', (library) => {
  const programs = [
    ...alone.map((program) =>
      library.isHarmless === true
        ? { name: program.name, body: program.body.replaceAll(/[«»]/gu, '') }
        : program,
    ),
    ...late,
    ...right,
  ];
  checkRule(rule, samplesOf(library, programs));
});

describe('queries that nobody waits for, in other company', () => {
  checkRule(rule, [
    {
      name: 'a transaction of Knex whose callback ends it',
      header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });\n",
      code: `
export function run(id) {
  db.transaction((trx) => {
    trx('users').insert({ id }).then(() => trx('logs').insert({ id })).then(trx.commit).catch(trx.rollback);
  });
}`,
    },
    {
      name: 'a callback of pg-promise that gives nothing',
      header: "import pgPromise from 'pg-promise';\nconst db = pgPromise()(url);\n",
      code: `
export function run(id) {
  return db.tx((t) => {
    t.none('DELETE FROM users WHERE id = $1', [id]);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unawaited
  });
}`,
    },
    {
      name: 'a task, which is no transaction',
      header: "import pgPromise from 'pg-promise';\nconst db = pgPromise()(url);\n",
      code: `
export function run(id) {
  return db.task(async (t) => {
    t.none('DELETE FROM users WHERE id = $1', [id]);
  });
}
async function both(t) { await t.none('a'); await t.none('b'); }
export function runBoth(id) {
  return db.task(async (t) => {
    both(t);
//  ^^^^^^^ floating
  });
}`,
    },
    {
      name: 'a transaction that is ended by hand',
      header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });\n",
      code: `
async function both(trx) { await trx('a').insert({}); await trx('b').insert({}); }
export async function run() {
  const trx = await db.transaction();
  try {
    both(trx);
//  ^^^^^^^^^ floating
    await trx.commit();
  } catch (error) {
    await trx.rollback(error);
    throw error;
  }
}
export async function right() {
  const trx = await db.transaction();
  try {
    await both(trx);
    await trx.commit();
  } catch (error) {
    await trx.rollback(error);
    throw error;
  }
}`,
    },
    {
      name: 'a handle of the rounds themselves',
      header: "import { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(url);\n",
      code: `
export async function run(rows) {
  await db.transaction(async (tx) => {
    rows.forEach(async (tx) => { await tx.insert(users).values({}).execute(); });
  });
}`,
    },
  ]);
});

describe('of a query runner', () => {
  checkRule(
    rule,
    withHeader(
      "import { DataSource } from 'typeorm';\nimport { readFile } from 'node:fs/promises';\nconst source = new DataSource({ type: 'postgres' });",
      [
        {
          name: 'what comes behind a wait is too late',
          code: `
export async function run(ids) {
  const runner = source.createQueryRunner();
  try {
    ids.forEach(async (id) => {
      const found = await runner.manager.findOneBy(User, { id });
      await runner.manager.save(User, found);
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ floating
    });
  } finally {
    await runner.release();
  }
}`,
        },
        {
          name: 'in a timer',
          code: `
export async function run(id) {
  const runner = source.createQueryRunner();
  try {
    await runner.query('SELECT 1');
    setTimeout(() => runner.manager.save(User, { id }), 100);
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deferred
  } finally {
    await runner.release();
  }
}`,
        },
        {
          name: 'what is waited for',
          code: `
export async function run(ids) {
  const runner = source.createQueryRunner();
  try {
    for (const id of ids) {
      const found = await runner.manager.findOneBy(User, { id });
      await runner.manager.save(User, found);
    }
    await Promise.all(
      ids.map(async (id) => {
        const found = await runner.manager.findOneBy(User, { id });
        await runner.manager.save(User, found);
      }),
    );
  } finally {
    await runner.release();
  }
}`,
        },
        {
          name: 'a runner that nobody releases here',
          code: `
export function run(ids, runner) {
  ids.forEach(async (id) => {
    const found = await runner.manager.findOneBy(User, { id });
    await runner.manager.save(User, found);
  });
}`,
        },
      ],
    ),
  );
});

describe('of a manager of MikroORM that has begun', () => {
  checkRule(
    rule,
    withHeader(
      "import { MikroORM } from '@mikro-orm/postgresql';\nconst orm = await MikroORM.init(options);",
      [
        {
          name: 'what comes behind a wait is outside of the transaction',
          code: `
export async function run(ids) {
  const em = orm.em.fork();
  await em.begin();
  try {
    ids.forEach(async (id) => {
      const found = await em.findOne(User, { id });
      await em.upsert(User, found);
//          ^^^^^^^^^^^^^^^^^^^^^^ floating
    });
    await em.commit();
  } catch (error) {
    await em.rollback();
    throw error;
  }
}`,
        },
      ],
    ),
  );
});
