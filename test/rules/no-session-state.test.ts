import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { checkRule } from '../support/marked.ts';

const rule = 'no-session-state';
const behind = (kind: string): object => ({ poolguard: { pooler: { kind, mode: 'transaction' } } });
const held = (body: string): string => `async function f() { const c = await pool.connect(); try { ${body} } finally { c.release(); } }`;

describe('reports state that reaches the next borrower', () => {
  checkRule(rule, [
    { name: 'SET on the pool', code: `void pool.query('SET search_path TO a');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool` },
    { name: 'LISTEN on the pool', code: `void pool.query('LISTEN orders');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool` },
    { name: 'behind a comment, in a template', code: `void pool.query(\`/* lock */ SELECT pg_advisory_lock(\${id})\`);\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool` },
    { name: 'set_config that is not local', code: `void pool.query("SELECT set_config('a.b', $1, false)", [1]);\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool` },
    {
      name: 'SET on a client that goes back',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('SET ROLE app'); } finally { c.release(); }
  //          ^^^^^^^^^^^^^^^^^^^^^^^ atRelease
}`,
    },
    {
      name: 'SET inside a transaction survives its COMMIT',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('BEGIN');
    await c.query('SET statement_timeout = 0');
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
    await c.query('COMMIT');
  } finally { c.release(); }
}`,
    },
  ]);
});

describe('follows state along paths', () => {
  checkRule(rule, [
    {
      name: 'a RESET that an exception passes by',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('SET ROLE app');
    //    ^^^^^^^^^^^^^^^^^^^^^^^ atRelease
    await c.query('SELECT 1');
    await c.query('RESET ROLE');
  } finally { c.release(); }
}`,
    },
    { name: 'a RESET in the finally', code: "async function f() { const c = await pool.connect(); try { await c.query('SET ROLE app'); await c.query('SELECT 1'); } finally { try { await c.query('RESET ROLE'); } finally { c.release(); } } }" },
  ]);
});

describe('judges by the pooler', () => {
  checkRule(rule, [
    { name: 'PgBouncer hands a setting to others', settings: behind('pgbouncer'), code: `void pool.query('SET ROLE app');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks` },
    { name: 'LISTEN breaks', settings: behind('pgbouncer'), code: `void pool.query('LISTEN orders');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks` },
    { name: 'RDS Proxy pins', settings: behind('rds-proxy'), code: `void pool.query('SET ROLE app');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ pins` },
    { name: 'the short form', settings: { poolguard: { pooler: 'rds-proxy:transaction' } }, code: `void pool.query('SET ROLE app');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ pins` },
    { name: 'PgDog restores settings', settings: behind('pgdog'), code: "void pool.query('SET ROLE app');" },
    { name: 'even where the state is taken back', settings: behind('pgbouncer'), code: `async function f(c: PoolClient) {\n  await c.query('SET ROLE app');\n  //    ^^^^^^^^^^^^^^^^^^^^^^^ leaks\n  await c.query('RESET ROLE');\n}` },
    { name: 'session mode is like no pooler', settings: { poolguard: { pooler: { kind: 'pgbouncer', mode: 'session' } } }, code: held("await c.query('SET ROLE app'); await c.query('RESET ROLE');") },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    { name: 'SET LOCAL', code: held("await c.query('SET LOCAL ROLE app');") },
    { name: 'set_config that is local', code: held("await c.query(\"SELECT set_config('a.b', $1, true)\", [1]);") },
    { name: 'a transaction advisory lock', code: held("await c.query('SELECT pg_advisory_xact_lock(1)');") },
    { name: 'SET and RESET', code: held("await c.query('SET ROLE app'); await c.query('RESET ROLE');") },
    { name: 'a lock and its unlock', code: held("await c.query('SELECT pg_advisory_lock(1)'); await c.query('SELECT pg_advisory_unlock(1)');") },
    { name: 'a destroyed connection', code: "async function f() { const c = await pool.connect(); try { await c.query('SET ROLE app'); } finally { c.release(true); } }" },
    { name: 'a client of its own', filename: 'a.ts', code: "import { Client } from 'pg';\nasync function f() { const c = new Client(); await c.connect(); await c.query('LISTEN a'); }" },
    { name: 'a temporary table that ends with the transaction', code: held("await c.query('CREATE TEMP TABLE t (a int) ON COMMIT DROP');") },
    { name: 'words inside a string', code: "void pool.query(\"UPDATE t SET a = 'SET ROLE x; LISTEN y'\");" },
    { name: 'a text that is not known', code: 'async function f(sql) { await pool.query(sql); await pool.query(sql + "SET ROLE a"); }' },
  ]);
});

test.each(['pgbuoncer', { kind: 'pgbouncer', mode: 'transactional' }])('says that it does not know the pooler %j', (pooler) => {
  const messages = new Linter().verify('export {};', [{ plugins: { poolguard: plugin }, rules: { [`poolguard/${rule}`]: 'error' }, settings: { poolguard: { pooler } } }]);
  expect(messages.map(({ messageId, line }) => `${messageId} ${line}`)).toEqual(['unknownPooler 1']);
});
