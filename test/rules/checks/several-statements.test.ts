import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('names all that one text leaves', () => {
  checkRule('no-session-state', [
    {
      name: 'three kinds in one finding',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query("SET work_mem = '1GB'; LISTEN jobs; SELECT pg_advisory_lock(1)"); } finally { c.release(); }
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
}`,
    },
    {
      name: 'what a later statement takes back leaves the rest',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query("SET work_mem = '1GB'; SELECT pg_advisory_lock(1)");
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
    await c.query('SELECT pg_advisory_unlock(1)');
  } finally { c.release(); }
}`,
    },
    {
      name: 'all of it taken back',
      code: `
async function f() {
  const c = await pool.connect();
  await c.query("SET work_mem = '1GB'; SELECT pg_advisory_lock(1)");
  await c.query('RESET work_mem; SELECT pg_advisory_unlock(1)');
  c.release();
}`,
    },
  ]);
});

describe('reads the texts of a list one behind the other', () => {
  checkRule('no-session-state', [
    {
      name: 'of a loop, of all rounds at once and by index',
      code: `
const settings = ["SET work_mem = '1GB'", 'SET ROLE app'];
async function f() {
  const c = await pool.connect();
  try { for (const text of settings) await c.query(text); } finally { c.release(); }
//                                         ^^^^^^^^^^^^^ atRelease
}
async function g() {
  const c = await pool.connect();
  try { await Promise.all(settings.map((text) => c.query(text))); } finally { c.release(); }
//                                               ^^^^^^^^^^^^^ atRelease
}
async function h() {
  const c = await pool.connect();
  try { for (let i = 0; i < settings.length; i++) await c.query(settings[i]); } finally { c.release(); }
//                                                      ^^^^^^^^^^^^^^^^^^^^ atRelease
}
async function k() {
  const c = await pool.connect();
  try { await Promise.all(['app', 'web'].map(async (role) => { await c.query('SET ROLE ' + role); })); } finally { c.release(); }
//                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
}`,
    },
    {
      name: 'which takes back what it has set',
      code: `
const undone = ["SET work_mem = '1GB'"];
undone.push('RESET work_mem');
async function f() {
  const c = await pool.connect();
  try { for (const text of ['SET ROLE app', 'SELECT 1', 'RESET ROLE']) await c.query(text); } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  try { await Promise.all(['SET ROLE app', 'DISCARD ALL'].map((text) => c.query(text))); } finally { c.release(); }
}
async function h() {
  const c = await pool.connect();
  try { for (const text of undone) await c.query(text); } finally { c.release(); }
}
async function k(texts: string[]) {
  const c = await pool.connect();
  try { for (const text of texts) await c.query(text); } finally { c.release(); }
}`,
    },
  ]);
});

describe('reads what a function sends over the client of the code around it', () => {
  checkRule('no-session-state', [
    {
      name: 'a text that it is given, and one of its own',
      code: `
async function f() {
  const c = await pool.connect();
  const run = (text: string) => c.query(text);
  try { await run("SET work_mem = '1GB'"); await run('SELECT 1'); } finally { c.release(); }
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
}
async function g() {
  const c = await pool.connect();
  async function setUp() { await c.query('SET ROLE app'); }
  try { await setUp(); } finally { c.release(); }
//            ^^^^^^^ atRelease
}
async function h() {
  const c = await pool.connect();
  const send = (text: string) => c.query(text);
  const run = async (text: string) => { await send(text); };
  try { await run('LISTEN jobs'); } finally { c.release(); }
//            ^^^^^^^^^^^^^^^^^^ atRelease
}`,
    },
    {
      name: 'that takes it back, or speaks to somebody else',
      code: `
async function f() {
  const c = await pool.connect();
  const run = (text: string) => c.query(text);
  await run('SET ROLE app');
  await run('RESET ROLE');
  c.release();
}
async function g(other: { query(text: string): Promise<void> }) {
  const c = await pool.connect();
  const run = (text: string) => other.query(text);
  try { await c.query('SELECT 1'); await run('SET ROLE app'); } finally { c.release(); }
}`,
    },
  ]);
});

describe('follows transactions through lists and functions around a client', () => {
  checkRule('no-open-transaction-release', [
    {
      name: 'a list that commits',
      code: `
async function f() {
  const c = await pool.connect();
  try { for (const text of ['BEGIN', 'UPDATE t SET a = 1', 'COMMIT']) await c.query(text); } catch (error) { await c.query('ROLLBACK'); throw error; } finally { c.release(); }
}`,
    },
    {
      name: 'a function that begins',
      code: `
async function f() {
  const c = await pool.connect();
  const run = (text: string) => c.query(text);
  try { await run('BEGIN'); await run('UPDATE t SET a = 1'); } finally { c.release(); }
//                                                                       ^^^^^^^^^^^ open
}
async function g() {
  const c = await pool.connect();
  const run = (text: string) => c.query(text);
  try { await run('BEGIN'); await run('UPDATE t SET a = 1'); await run('COMMIT'); } catch (error) { await run('ROLLBACK'); throw error; } finally { c.release(); }
}`,
    },
  ]);
});

describe('judges what sets the connections of a pool up', () => {
  checkRule('no-session-state', [
    {
      name: 'by the pooler behind it',
      settings: { poolguard: { pooler: 'pgbouncer:transaction' } },
      code: `
pool.on('connect', (client) => { client.query('SET search_path TO a'); });
//                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks
pool.on('connect', setUp);
function setUp(client) { client.query("SET statement_timeout = '5s'").catch(() => {}); }
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks
const other = new Pool({ onConnect: async (client) => { await client.query('LISTEN jobs'); await client.query('SET ROLE a'); } });
//                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks
//                                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks
pool.on('acquire', async (client) => { await client.query('SELECT pg_advisory_lock(1)'); await client.query('SET ROLE a'); });
//                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks
//                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks`,
    },
    {
      name: 'which keeps some settings, and does not stand before each pool',
      settings: { poolguard: { pooler: 'pgbouncer:transaction' } },
      code: `
pool.on('connect', (client) => { client.query("SET timezone = 'UTC'"); });
const direct = new Pool({ connectionString: process.env.DIRECT_URL });
direct.on('connect', (client) => { client.query('SET search_path TO a'); });
socket.on('connect', (client) => { client.query('SET search_path TO a'); });`,
    },
    {
      name: 'without one it is what each borrower expects',
      code: `
pool.on('connect', setUp);
function setUp(client: PoolClient) { client.query("SET statement_timeout = '5s'").catch(() => {}); }
const prepare = async (client: PoolClient) => { await client.query('SET ROLE a'); };
const other = new Pool({ onConnect: prepare });`,
    },
  ]);
});
