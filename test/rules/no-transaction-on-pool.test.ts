import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { checkRule } from '../support/marked.ts';

const rule = 'no-transaction-on-pool';

describe('reports a transaction on a pool', () => {
  checkRule(rule, [
    {
      name: 'on a pool of the function that is asked for several at a time, or kept',
      code: `
export async function f(rows) {
  const own = new Pool();
  await own.query('BEGIN');
//      ^^^^^^^^^^^^^^^^^^ begins
  await Promise.all(rows.map((row) => own.query('INSERT INTO a VALUES ($1)', [row])));
  await own.query('COMMIT');
}
export async function g() {
  const own = new Pool();
  own.query('SELECT 1').then(log);
  await own.query('BEGIN');
//      ^^^^^^^^^^^^^^^^^^ begins
}
let kept;
function shared() { kept ??= new Pool(); return kept; }
export async function h() {
  const own = shared();
  await own.query('BEGIN');
//      ^^^^^^^^^^^^^^^^^^ begins
}`,
    },
    {
      name: 'a whole transaction',
      code: `
async function f() {
  try {
    await pool.query('BEGIN');
//        ^^^^^^^^^^^^^^^^^^^ begins
    await pool.query('INSERT INTO a VALUES (1)');
    await pool.query('COMMIT');
  } catch (error) {
    await pool.query('ROLLBACK');
    throw error;
  }
}`,
      paths: [
        [
          "await pool.query('BEGIN');",
          "await pool.query('COMMIT');",
          "await pool.query('ROLLBACK');",
        ],
      ],
    },
    {
      name: 'two transactions of a function, and an end that another function began',
      code: `
async function f() {
  await pool.query('BEGIN');
//      ^^^^^^^^^^^^^^^^^^^ begins
  await pool.query('COMMIT');
  await pool.query('BEGIN').then(() => pool.query('COMMIT'));
//      ^^^^^^^^^^^^^^^^^^^ begins
}
async function g(other) {
  await pool.query('ROLLBACK');
//      ^^^^^^^^^^^^^^^^^^^^^^ ends
  await other.query('COMMIT');
}`,
    },
    {
      name: 'other words',
      code: `
const a = () => pool.query('START TRANSACTION ISOLATION LEVEL SERIALIZABLE');
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ begins
const b = () => pool.query('abort');
//              ^^^^^^^^^^^^^^^^^^^ ends
const c = () => pool.query('END');
//              ^^^^^^^^^^^^^^^^^ ends`,
    },
    {
      name: 'savepoints',
      code: `
const a = () => pool.query('SAVEPOINT a');
//              ^^^^^^^^^^^^^^^^^^^^^^^^^ savepoint
const b = () => pool.query('ROLLBACK TO a');
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ savepoint
const c = () => pool.query('RELEASE SAVEPOINT a');
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ savepoint`,
    },
    {
      name: 'PREPARE TRANSACTION',
      code: 'void pool.query("PREPARE TRANSACTION \'a\'");\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ends',
    },
    {
      name: 'behind a comment',
      code: "void pool.query('-- first\\n/* then */ begin;');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ begins",
    },
    {
      name: 'a constant',
      code: "const start = 'BEGIN';\nvoid pool.query(start);\n//   ^^^^^^^^^^^^^^^^^ begins",
    },
    {
      name: 'a template, and an object',
      code: "const a = () => pool.query(`BEGIN`);\n//              ^^^^^^^^^^^^^^^^^^^ begins\nconst b = () => pool.query({ text: 'COMMIT' });\n//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ends",
    },
    {
      name: 'a text that begins and does not end',
      code: "void pool.query('BEGIN; INSERT INTO a VALUES (1)');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ begins",
    },
    {
      name: 'the pool of another file',
      code: "import { db } from './db';\nvoid db.query('BEGIN');\n//   ^^^^^^^^^^^^^^^^^ begins",
      files: { 'db.ts': "import { Pool } from 'pg';\nexport const db = new Pool();" },
    },
    {
      name: 'a wrapper of another file',
      code: "import * as db from './db';\nvoid db.query('BEGIN');\n//   ^^^^^^^^^^^^^^^^^ begins",
      files: {
        'db.ts':
          "import { Pool } from 'pg';\nconst pool = new Pool();\nexport const query = (text: string, params?: unknown[]) => pool.query(text, params);",
      },
    },
    {
      name: 'a wrapper that logs',
      code: "async function query(text: string, params: unknown[]) { console.log('query', { text }); const result = await pool.query(text, params); return result; }\nvoid query('BEGIN', []);\n//   ^^^^^^^^^^^^^^^^^^ begins",
    },
    {
      name: 'a wrapper of all arguments',
      code: "const db = { query: (...args: any[]) => (pool as any).query(...args) };\nvoid db.query('COMMIT');\n//   ^^^^^^^^^^^^^^^^^^ ends",
    },
    {
      name: 'a bound method',
      code: "const query = pool.query.bind(pool);\nvoid query('BEGIN');\n//   ^^^^^^^^^^^^^^ begins",
    },
    {
      name: 'a pool kept in a class',
      code: "class Repository {\n  constructor(private readonly pool: Pool) {}\n  start() { return this.pool.query('BEGIN'); }\n//                 ^^^^^^^^^^^^^^^^^^^^^^^^ begins\n}\nexport { Repository };",
    },
    {
      name: 'a pool kept across reloads',
      code: "const shared = (globalThis as any).pool ?? new Pool();\nvoid shared.query('BEGIN');\n//   ^^^^^^^^^^^^^^^^^^^^^ begins",
    },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    {
      name: 'on a client',
      code: "async function f() { const client = await pool.connect(); try { await client.query('BEGIN'); await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK'); throw error; } finally { client.release(); } }",
    },
    {
      name: 'about a whole transaction in one text',
      code: "void pool.query('BEGIN; INSERT INTO a VALUES (1); COMMIT');\nvoid pool.query(`\n  BEGIN;\n  DELETE FROM a;\n  END;\n`);",
    },
    {
      name: 'about a text with an unknown statement',
      code: 'export const f = (sql: string) => pool.query(`BEGIN; ${sql} COMMIT;`);\nexport const g = (sql: string) => pool.query(`BEGIN;\n${sql};`);',
    },
    {
      name: 'where a client may be given',
      code: "export async function f(given?: PoolClient) { const db = given ?? pool; await db.query('BEGIN'); await db.query('COMMIT'); }\nexport async function g(db = pool as any) { await db.query('BEGIN'); }\nexport async function h(client: Pool | PoolClient = pool) { await client.query('BEGIN'); }",
    },
    {
      name: 'where the context may have a client',
      code: "import { AsyncLocalStorage } from 'node:async_hooks';\nconst context = new AsyncLocalStorage<any>();\nexport async function f() { const db = context.getStore() ?? pool; await db.query('BEGIN'); }\nfunction getDb() { return context.getStore() || pool; }\nexport async function g() { await getDb().query('COMMIT'); }",
    },
    {
      name: 'about a wrapper that may have a client',
      code: "import { AsyncLocalStorage } from 'node:async_hooks';\nconst context = new AsyncLocalStorage<any>();\nasync function query(text: string) { const store = context.getStore(); if (store) return store.client.query(text); return pool.query(text); }\nexport async function f() { await query('BEGIN'); }",
    },
    {
      name: 'about a wrapper that is given a client',
      code: "async function query(text: string, values: unknown[], client?: PoolClient) { return (client || pool).query(text, values); }\nexport async function f(client: PoolClient) { await query('BEGIN', [], client); }",
    },
    {
      name: 'about a wrapper that checks a client out',
      code: "async function query(text: string) { const client = await pool.connect(); try { return await client.query(text); } finally { client.release(); } }\nexport async function f() { await query('BEGIN'); }",
    },
    {
      name: 'about a pool of one client',
      code: "const single = new Pool({ max: 1 });\nvoid single.query('BEGIN');",
    },
    {
      name: 'about a pool that a function makes for itself and asks in turn',
      code: `
function connect() { const own = new Pool(); own.on('error', log); return own; }
export async function f() {
  const own = connect();
  try {
    await own.query('BEGIN');
    await insert(own);
    await own.query('COMMIT');
  } catch (error) {
    await own.query('ROLLBACK').catch(log);
    throw error;
  } finally {
    await own.end();
  }
}
export async function g() {
  const own = new Pool();
  await own.query('BEGIN');
  await own.query('COMMIT');
}`,
    },
    {
      name: 'about what is no pool',
      code: "import { db } from './somewhere-else';\nvoid db.query('BEGIN');\nvoid (globalThis as any).connection.query('COMMIT');",
    },
    {
      name: 'about transactions that were prepared',
      code: 'void pool.query("COMMIT PREPARED \'a\'");\nvoid pool.query("ROLLBACK PREPARED \'a\'");',
    },
    {
      name: 'about the body of a function',
      code: "void pool.query('CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END');\nvoid pool.query('CREATE FUNCTION g() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$');\nvoid pool.query('DO $$ BEGIN PERFORM 1; END $$');",
    },
    {
      name: 'about words in data',
      code: "void pool.query('SELECT $1', ['BEGIN']);\nvoid pool.query(\"INSERT INTO words VALUES ('COMMIT')\");",
    },
    {
      name: 'about a connection of its own',
      code: "import { Client } from 'pg';\nconst client = new Client();\nvoid client.query('BEGIN');",
    },
    {
      name: 'about a pool whose query is another',
      code: "class TracedPool extends Pool { override async query(text: any): Promise<any> { return (await current()).query(text); } }\ndeclare function current(): Promise<PoolClient>;\nconst traced = new TracedPool();\nvoid traced.query('BEGIN');",
    },
  ]);
});

test.each([
  ["pool.query('BEGIN');", 'later statements may run on another.'],
  ["pool.query('BEGIN');\npool.query('COMMIT');", 'line 4 may run on another.'],
  [
    "pool.query('BEGIN');\npool.query('COMMIT');\npool.query('ROLLBACK'); pool.query('ROLLBACK');",
    'lines 4 and 5 may run on another.',
  ],
])('tells the remedy once, and the lines of a transaction', (steps, rest) => {
  const code = `import { Pool } from 'pg';\nconst pool = new Pool();\n${steps}`;
  const messages = new Linter().verify(code, [
    { plugins: { poolguard: plugin }, rules: { [`poolguard/${rule}`]: 'error' } },
  ]);
  expect(messages.map(({ message }) => message)).toEqual([
    `Begins a transaction on an arbitrary client of \`pool\`: ${rest} Check out one client and run the whole transaction on it.`,
  ]);
});
