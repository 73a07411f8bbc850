import { describe } from 'vitest';
import { checkRule, withHeader, type Sample } from '../../support/marked.ts';

interface Library {
  readonly name: string;
  readonly header: string;
  /** What opens the callback, up to its parameter. */
  readonly open: string;
  readonly inner: string;
  /** Statements, with the part that is reported in angle brackets. */
  readonly outer: readonly string[];
  /** Statements that are right inside. */
  readonly right: readonly string[];
}

const libraries: readonly Library[] = [
  {
    name: 'postgres.js',
    header: "import postgres from 'postgres';\nconst sql = postgres(url);",
    open: 'sql.begin(async (',
    inner: 'tx',
    outer: [
      'await «sql`INSERT INTO logs ${sql(data)}`»;',
      'const [first] = await «sql<User[]>`SELECT 1`»;',
      'return «sql`SELECT 1`»;',
      'await Promise.all([tx`SELECT 1`, «sql`SELECT 2`»]);',
      'await Promise.all(ids.map((id) => «sql`SELECT ${id}`»));',
      '«sql`SELECT 1`».then(note, note);',
      'const rows = await «sql`SELECT 1`».values();',
      'for await (const rows of «sql`SELECT 1`».cursor(10)) note(rows);',
      '«sql`SELECT 1`».forEach(note);',
      'void «sql`SELECT 1`».execute();',
      "await «sql.unsafe('SELECT 1')»;",
      "return «sql.unsafe('SELECT 1')»;",
      'const rows = ok ? await «sql`SELECT 1`» : [];',
      'const rows = await (ok ? «sql`SELECT 1`» : none);',
      'const rows = (await («sql`SELECT 1`» as any)) as Row[];',
    ],
    right: [
      'await tx`INSERT INTO logs ${tx(data)}`;',
      'await tx`INSERT INTO logs ${sql(data)}`;',
      'await tx`SELECT * FROM logs ${sql`WHERE id = ${1}`}`;',
      "await tx`SELECT * FROM logs WHERE id IN ${sql(ids)} ORDER BY ${sql('id')}`;",
      'const where = sql`WHERE id = ${1}`;\n    await tx`SELECT * FROM logs ${where}`;',
      'const where = ok ? sql`WHERE true` : sql``;\n    await tx`SELECT * FROM logs ${where}`;',
      'const parts = ids.map((id) => sql`(${id})`);\n    await tx`VALUES ${parts}`;',
      'await tx`VALUES ${ids.map((id) => sql`(${id})`)}`;',
      'const where = () => sql`WHERE true`;\n    await tx`SELECT * FROM logs ${where()}`;',
      'await tx`SELECT ${active()}`;',
      'await tx`SELECT ${both()}`;',
      'sql`SELECT 1`;',
      'await tx`SELECT ${sql.json(data)}, ${sql.array(ids)}`;',
      'await tx.savepoint(async (sql) => { await sql`SELECT 1`; });',
    ],
  },
  {
    name: 'Prisma',
    header:
      "import { Prisma, PrismaClient } from '@prisma/client';\nconst prisma = new PrismaClient();",
    open: 'prisma.$transaction(async (',
    inner: 'tx',
    outer: [
      'await «prisma.$queryRaw`SELECT 1`»;',
      'const rows = await «prisma.$queryRaw<User[]>`SELECT 1`»;',
      'await «prisma.$executeRaw`SELECT 1`»;',
      'await «prisma.$queryRaw(Prisma.sql`SELECT 1`)»;',
      'return «prisma.$executeRaw`SELECT 1`»;',
    ],
    right: [
      'await tx.$queryRaw`SELECT 1`;',
      'const where = Prisma.sql`WHERE true`;\n    await tx.$queryRaw`SELECT 1 ${where}`;',
      'prisma.$queryRaw`SELECT 1`;',
      'await tx.$queryRaw(Prisma.sql`SELECT 1`);',
    ],
  },
  {
    name: 'Kysely',
    header: "import { Kysely, sql } from 'kysely';\nconst db = new Kysely({ dialect });",
    open: 'db.transaction().execute(async (',
    inner: 'trx',
    outer: [
      'await «sql`SELECT 1`.execute(db)»;',
      'const { rows } = await «sql<User>`SELECT 1`.execute(db)»;',
      "await «sql.raw('SELECT 1').execute(db)»;",
      'const q = sql`SELECT 1`;\n    await «q.execute(db)»;',
      'return «sql`SELECT 1`.execute(db)»;',
      "await «db.executeQuery(trx.selectFrom('users').selectAll().compile())»;",
      'await «db.executeQuery(sql`SELECT 1`.compile(db))»;',
    ],
    right: [
      'await sql`SELECT 1`.execute(trx);',
      'await sql`SELECT ${sql.ref(name)} ${sql`FROM users`}`.execute(trx);',
      "await trx.executeQuery(db.selectFrom('users').selectAll().compile());",
      'sql`SELECT 1`.compile(db);',
      "await trx.selectFrom('users').select(sql`now()`.as('now')).execute();",
      'await job.execute(db);',
    ],
  },
];

const postgresJs = libraries.slice(0, 1).map((each) => ({
  ...each,
  outer: each.outer.filter((statement) => !/forEach|cursor/u.test(statement)),
}));
/** It has the same calls, and no cursor. */
const bun = ['sql.begin(async (', 'sql.transaction(async ('].flatMap((open) =>
  postgresJs.flatMap((each) => [
    { ...each, name: 'Bun', header: "import { sql } from 'bun';", open },
    {
      ...each,
      name: 'Bun, made by the program',
      header: "import { SQL } from 'bun';\nconst sql = new SQL(process.env.URL);",
      open,
    },
  ]),
);

const helpers = `
import { job, none, note } from './helpers';
const active = () => sql\`active\`;
const both = () => active();
`;

/** The lines of statements, with a mark under what stands in the brackets. */
function marked(statements: string): string {
  return statements
    .split('\n')
    .flatMap((line) => {
      const text = line.startsWith('    ') ? line : `    ${line}`;
      const start = text.indexOf('«');
      const plain = text.replace(/[«»]/gu, '');
      return start === -1
        ? [plain]
        : [plain, `//${' '.repeat(start - 2)}${'^'.repeat(text.indexOf('»') - start - 1)} outside`];
    })
    .join('\n');
}

function samplesOf({ name, header, open, inner, outer, right }: Library): readonly Sample[] {
  return withHeader(
    header,
    [...outer, ...right].map((statements) => ({
      name: `${name}: ${statements}`,
      code: `${helpers}
export async function run(name, data, ids, ok) {
  await ${open}${inner}) => {
${marked(statements)}
  });
}`,
    })),
  );
}

describe('a statement as the tag of a template', () => {
  for (const library of [...libraries, ...bun]) checkRule('no-nested-checkout', samplesOf(library));

  checkRule('no-nested-checkout', [
    {
      name: "Bun's own pool, which is one for all files",
      header: '',
      files: {
        'log.ts':
          "import { sql } from 'bun';\nexport async function log(name) {\n  await sql`INSERT INTO logs ${sql({ name })}`;\n}\n",
      },
      code: `
import { sql } from 'bun';
import { log } from './log';
export const run = (name) =>
  sql.begin(async (tx) => {
    await log(name);
    //    ^^^^^^^^^ outsideInHelper
  });`,
    },
    ...["new SQL('sqlite://app.db')", "new SQL(':memory:')", "new SQL({ adapter: 'sqlite' })"].map(
      (made) => ({
        name: `Bun over a file: ${made}`,
        header: '',
        code: `
import { SQL } from 'bun';
const sql = ${made};
export const run = () =>
  sql.begin(async (tx) => {
    await sql\`SELECT 1\`;
  });`,
      }),
    ),
    {
      name: 'another pool of Bun',
      header: '',
      code: `
import { SQL, sql } from 'bun';
const audit = new SQL(url);
export const run = () =>
  sql.begin(async (tx) => {
    await audit\`SELECT 1\`;
  });`,
    },
  ]);

  checkRule('no-unreleased-client', [
    {
      name: 'a connection that gives itself back',
      header: '',
      code: `
import { sql } from 'bun';
export async function run() {
  using reserved = await sql.reserve();
  await reserved\`SELECT 1\`;
}`,
    },
  ]);

  checkRule(
    'no-nested-checkout',
    withHeader("import postgres from 'postgres';\nconst sql = postgres(url);", [
      {
        name: 'in a helper that waits for it',
        code: `
async function log(name) {
  await sql\`INSERT INTO logs \${sql({ name })}\`;
}
export const run = (name) =>
  sql.begin(async (tx) => {
    await log(name);
    //    ^^^^^^^^^ outsideInHelper
  });`,
      },
      {
        name: 'in a helper that gives it back to who waits for it',
        code: `
const log = (name) => sql\`INSERT INTO logs \${sql({ name })}\`;
const logged = (name) => log(name);
export const run = (name) =>
  sql.begin(async (tx) => {
    await logged(name);
    //    ^^^^^^^^^^^^ outsideInHelper
  });`,
      },
      {
        name: 'what the callback gives back',
        code: `
export const run = (name) => sql.begin((tx) => sql\`SELECT 1\`);
//                                             ^^^^^^^^^^^^^ outside`,
      },
      {
        name: 'behind the transaction, and before it',
        code: `
export async function run(name) {
  await sql\`SELECT 1\`;
  await sql.begin(async (tx) => { await tx\`SELECT 1\`; });
  await sql\`SELECT 1\`;
}`,
      },
      {
        name: 'the transaction under the name of the handle',
        code: `
export const run = (name) =>
  sql.begin(async (sql) => {
    await sql\`INSERT INTO logs \${sql({ name })}\`;
  });`,
      },
      {
        name: 'in the time of a reserved connection',
        code: `
export async function run() {
  const reserved = await sql.reserve();
  try {
    await reserved\`SELECT 1\`;
    await sql\`SELECT 1\`;
    //    ^^^^^^^^^^^^^ outside
  } finally {
    reserved.release();
  }
}`,
      },
      {
        name: 'a parameter that may be a transaction',
        code: `
import type { Sql } from 'postgres';
export const run = (sql: Sql) =>
  sql.begin(async (tx) => {
    await sql\`SELECT 1\`;
  });`,
      },
    ]),
  );
});
