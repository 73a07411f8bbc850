import { describe } from 'vitest';
import { checkRule, leaking } from '../support/marked.ts';

const rule = 'no-unreleased-client';

describe('reports a client that no path releases', () => {
  checkRule(rule, [
    {
      name: 'queried and forgotten',
      code: `
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  return await client.query('SELECT 1');
}`,
    },
    {
      name: 'connected for the side effect',
      code: `
function check() {
  void pool.connect().then(() => console.log('connected'));
  //   ^^^^^^^^^^^^^^ neverReleased
}`,
    },
    {
      name: 'used without a name',
      code: `
async function find() {
  return (await pool.connect()).query('SELECT 1');
  //            ^^^^^^^^^^^^^^ neverReleased
}`,
    },
    {
      name: 'in a callback that ignores `done`',
      code: `
function find(callback) {
  void pool.connect((error, client, done) => {
  //   ^… neverReleased
    if (error) return callback(error);
    client.query('SELECT 1', callback);
  });
}`,
    },
  ]);
});

describe('reports a normal path without a release', () => {
  checkRule(rule, [
    {
      name: 'behind a function of another file that may return before it ends the process',
      files: {
        'exit.ts':
          'export function exit(error: Error) { if (isKnown(error)) return; process.exit(1); }',
      },
      code: leaking(
        'notReleasedOnSomePath',
        "import { exit } from './exit.ts';\nasync function f() {\n  const c = await pool.connect();\n  try { await c.query('x'); } catch (error) { exit(error); return; }\n  c.release();\n}",
      ),
    },
    {
      name: 'in a round of a function that calls itself',
      code: `
function f(queries, callback) {
  pool.connect((error, c, done) => {
//^… notReleasedOnSomePath
    if (error) return callback(error);
    const next = (index) => {
      if (index < queries.length) {
        c.query(queries[index], (error) => {
          if (error) return callback(error);
          next(++index);
        });
      } else { done(); callback(); }
    };
    next(0);
  });
}`,
    },
    {
      name: 'an early return',
      code: `
async function find(id) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  if (!id) return null;
  const { rows } = await client.query('SELECT 1');
  client.release();
  return rows;
}`,
    },
    {
      name: 'a catch that swallows',
      code: `
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  try {
    await client.query('SELECT 1');
    client.release();
  } catch (error) {
    console.error(error);
  }
}`,
    },
    {
      name: 'the error branch of an inner callback',
      code: `
function find(callback) {
  return pool.connect((error, client, done) => {
    //   ^… notReleasedOnSomePath
    if (error) return callback(error);
    client.query('SELECT 1', (failure, result) => {
      if (failure) return callback(failure);
      done();
      callback(null, result.rows);
    });
  });
}`,
    },
    {
      name: 'a break out of a loop',
      code: `
async function drain(ids) {
  for (const id of ids) {
    const client = await pool.connect();
    //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
    try {
      if (id === 0) break;
      await client.query('SELECT 1');
    } catch { client.release(); throw new Error('failed'); }
    client.release();
  }
}`,
    },
    {
      name: 'another round of a loop',
      code: `
async function drain(ids) {
  let client;
  while (ids.length > 0) {
    client = await pool.connect();
    //             ^^^^^^^^^^^^^^ acquiredAgain
    await client.query('SELECT 1').catch(() => null);
  }
  client.release();
}`,
    },
    {
      name: 'a condition that is not about the client',
      code: `
async function find(verbose) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  try { return await client.query('SELECT 1'); } finally { if (verbose) client.release(); }
}`,
    },
  ]);
});

describe('reports an exception that leaves without a release', () => {
  checkRule(rule, [
    {
      name: 'a handler whose own work may fail',
      code: `
async function f(notify) {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await c.query('SELECT 1'); } finally {
    await c.query('RESET ALL').catch((error) => notify.send(error));
    c.release();
  }
}`,
    },
    {
      name: 'straight-line code',
      code: `
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  const { rows } = await client.query('SELECT 1');
  client.release();
  return rows;
}`,
    },
    {
      name: 'BEGIN between the checkout and its try',
      code: `
async function move() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await client.query('BEGIN');
  try { await client.query('COMMIT'); } finally { client.release(); }
}`,
    },
    {
      name: 'a ROLLBACK that fails before the release',
      code: `
async function move() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await client.query('COMMIT'); } catch (error) { await client.query('ROLLBACK'); client.release(); throw error; }
  client.release();
}`,
    },
    {
      name: 'an await in the finally before the release',
      code: `
async function move() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await client.query('SELECT 1'); } finally { await client.query('RESET ALL'); client.release(); }
}`,
    },
    {
      name: 'a chain that releases only where it fulfils',
      code: `
function find() {
  return pool.connect().then((client) => client.query('SELECT 1').then((result) => {
    //   ^^^^^^^^^^^^^^ notReleasedOnThrow
    client.release();
    return result.rows;
  }));
}`,
    },
  ]);
});

describe('is silent where every path releases', () => {
  checkRule(rule, [
    {
      name: 'a handler of a failed reset that only logs',
      code: "async function f(log) { const c = await pool.connect(); try { await c.query('SELECT 1'); } finally { await c.query('RESET ALL').catch((error) => log.error(error)); c.release(); } }",
    },
    {
      name: 'a handler that puts the error away',
      code: "async function f(errors) { const c = await pool.connect(); try { await c.query('SELECT 1'); } finally { await c.query('RESET ALL').catch((error) => errors.push(error)); c.release(); } }",
    },
    {
      name: 'in a helper that says whether it released',
      code: `
function f(work, callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    const failed = (error) => {
      if (error) c.query('ROLLBACK', done);
      return !!error;
    };
    const finish = (error, result) => {
      if (failed(error)) return callback(error);
      c.query('COMMIT', (error) => { done(); callback(error, result); });
    };
    c.query('BEGIN', (error) => {
      if (failed(error)) return callback(error);
      const promise = work(c, finish);
      if (promise && typeof promise.then === 'function') promise.then((result) => finish(null, result), (error) => finish(error));
    });
  });
}`,
    },
    {
      name: 'in the last round of a function that calls itself',
      code: `
function f(queries, callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    const next = (index) => {
      if (index < queries.length) {
        c.query(queries[index], (error) => {
          if (error) { done(); return callback(error); }
          next(++index);
        });
      } else { done(); callback(); }
    };
    next(0);
  });
}`,
    },
    {
      name: 'in a helper, under a test that its caller has made',
      code: `
function run(that, c, sql, resolve, reject, done) {
  c.query(sql, (error, data) => {
    if (that.kind && that.kind === 'pool') done(c);
    if (error) reject(error); else resolve(data);
  });
}
function f(that, sql) {
  return new Promise((resolve, reject) => {
    if (that && that.kind && that.kind === 'client') run(that, that.client, sql, resolve, reject);
    else if (that && that.kind && that.kind === 'pool') {
      pool.connect((error, c, done) => {
        if (error) { done(c); reject(error); }
        else run(that, c, sql, resolve, reject, done);
      });
    } else throw new Error('neither');
  });
}`,
    },
    {
      name: 'before a callback of a query throws',
      code: `
function f() {
  pool.connect((error, c, release) => {
    if (error) return;
    c.query('a', (error, result) => { if (error) throw error; console.log(result.rows); });
    release();
  });
}`,
    },
    {
      name: 'finally',
      code: "async function f() { const c = await pool.connect(); try { return await c.query('x'); } finally { c.release(); } }",
    },
    {
      name: 'declared outside of the try',
      code: "async function f() { let c; try { c = await pool.connect(); await c.query('x'); } finally { if (c) c.release(); } }",
    },
    {
      name: 'optional call in finally',
      code: "async function f() { let c: PoolClient | undefined; try { c = await pool.connect(); await c.query('x'); } finally { c?.release(); } }",
    },
    {
      name: 'released in catch and behind the try',
      code: "async function f() { const c = await pool.connect(); try { await c.query('x'); } catch (e) { c.release(e); throw e; } c.release(); }",
    },
    {
      name: 'released in every branch',
      code: 'async function f(a) { const c = await pool.connect(); if (a) { c.release(); return 1; } else if (a === 0) { c.release(); return 2; } c.release(); }',
    },
    {
      name: 'a flag that says whether it was released',
      code: "async function f() { const c = await pool.connect(); let isOut = true; try { await c.query('x'); c.release(); isOut = false; await c2(); } finally { if (isOut) c.release(); } }",
    },
    {
      name: 'owned only when none was given',
      code: "async function f(given) { const c = given ?? (await pool.connect()); try { return await c.query('x'); } finally { if (!given) c.release(); } }",
    },
    {
      name: 'a ternary with the same test',
      code: "async function f(tx) { const c = tx.client ? tx.client : await pool.connect(); try { await c.query('x'); } finally { if (!tx.client) c.release(); } }",
    },
    {
      name: 'a chain with finally',
      code: "const f = () => pool.connect().then((c) => c.query('x').finally(() => c.release()));",
    },
    {
      name: 'a chain that releases on both sides',
      code: "const f = () => pool.connect().then((c) => c.query('x').then((r) => { c.release(); return r; }, (e) => { c.release(); throw e; }));",
    },
    {
      name: 'done in every branch',
      code: "function f(cb) { pool.connect((err, c, done) => { if (err) return cb(err); c.query('x', (e, r) => { done(); if (e) return cb(e); cb(null, r); }); }); }",
    },
    {
      name: 'a helper of the same file releases',
      code: "function giveBack(c) { c.release(); }\nasync function f() { const c = await pool.connect(); try { await c.query('x'); } finally { giveBack(c); } }",
    },
    {
      name: 'a local function releases',
      code: "async function f() { const c = await pool.connect(); const finish = () => c.release(); try { await c.query('x'); } finally { finish(); } }",
    },
    {
      name: 'the process ends',
      code: "async function f() { const c = await pool.connect(); try { await c.query('x'); } catch { process.exit(1); } c.release(); }",
    },
    {
      name: 'a function of another file ends the process',
      files: {
        'exit.ts':
          'export function exit(error: Error): never { const text = String(error); console.error(text); process.exit(1); }',
      },
      code: "import { exit } from './exit.ts';\nasync function f() { const c = await pool.connect(); try { await c.query('x'); } catch (error) { exit(error); } c.release(); }",
    },
    {
      name: 'synchronous code before the try',
      code: 'async function f(x) { const c = await pool.connect(); const y = String(x) + parse(x); try { await c.query(y); } finally { c.release(); } }',
    },
    {
      name: 'a labelled continue through finally',
      code: "async function f(xs) { outer: for (const x of xs) { const c = await pool.connect(); try { for (;;) { await c.query('x'); continue outer; } } finally { c.release(); } } }",
    },
    {
      name: 'a switch in which each case leaves',
      code: "async function f(k) { const c = await pool.connect(); try { switch (k) { case 1: return 1; default: throw new Error('k'); } } finally { c.release(); } }",
    },
    {
      name: 'an object around the client decides with it',
      code: 'async function f() { let c, t; try { c = await pool.connect(); t = new Tracker(c); return await run(c); } catch (e) { if (!c) throw e; throw wrap(e); } finally { if (c && t) c.release(t.error); } }',
    },
    {
      name: 'cleaning up with the client first',
      code: 'async function f() { const c = await pool.connect(); try { await cleanupOld(c); } finally { c.release(); } }',
    },
    {
      name: 'a failing checkout',
      code: 'async function f() { try { const c = await pool.connect(); c.release(); } catch { return null; } }',
    },
  ]);
});

describe('is silent where somebody else answers for the client', () => {
  checkRule(rule, [
    { name: 'returned', code: 'async function f() { const c = await pool.connect(); return c; }' },
    {
      name: 'returned in an object',
      code: 'async function f() { const client = await pool.connect(); return { client, release: () => client.release() }; }',
    },
    {
      name: 'stored in a field',
      code: 'class A { client; async start() { this.client = await pool.connect(); } }',
    },
    {
      name: 'stored outside',
      code: 'let shared; export async function start() { shared = await pool.connect(); }',
    },
    {
      name: 'released by an event',
      code: "async function f(res) { const c = await pool.connect(); res.on('finish', () => c.release()); }",
    },
    {
      name: '`done` passed on',
      code: 'function f(cb) { pool.connect((err, c, done) => { if (err) return cb(err); cb(null, c, done); }); }',
    },
    {
      name: 'resolved',
      code: 'const f = () => new Promise((resolve, reject) => pool.connect((err, c) => (err ? reject(err) : resolve(c))));',
    },
    {
      name: 'given to a transaction object',
      code: 'async function f() { const c = await pool.connect(); return new Transaction(c); }',
    },
    {
      name: 'kept by a transaction that is returned',
      code: 'async function f() { const c = await pool.connect(); const t = new Transaction(c); try { await t.begin(); return t; } catch (e) { if (!t.isDone()) c.release(e); throw e; } }',
    },
    {
      name: 'lent to an unknown function on one way, given by a handler that returns it',
      code: `
async function f(p) {
  const c = await pool.connect().then((raw) => {
    return raw;
  });
  if (p) log(c);
}`,
    },
    {
      name: 'lent to an unknown function only',
      code: 'async function f() { const c = await pool.connect(); await work(c); }',
    },
    {
      name: 'an outer variable of a test',
      code: 'let c; beforeEach(async () => { c = await pool.connect(); }); afterEach(() => c.release());',
    },
  ]);
});

describe('knows what is a pool', () => {
  const leak = (pool: string, from: number): string =>
    `async function f() {\n  const client = await ${pool}.connect();\n  //${' '.repeat(from - 13)}${'^'.repeat(pool.length + 10)} neverReleased\n  await client.query('x');\n}`;
  checkRule(rule, [
    {
      name: 'imported from a module',
      filename: 'a.ts',
      files: { 'db.ts': "import pg from 'pg';\nexport const pool = new pg.Pool();" },
      code: `import { pool } from './db.js';\n${leak('pool', 32)}`,
    },
    {
      name: 'a default export',
      filename: 'a.mjs',
      files: { 'db.mjs': "import pg from 'pg';\nexport default new pg.Pool();" },
      code: `import db from './db.mjs';\n${leak('db', 32)}`,
    },
    {
      name: 're-exported',
      filename: 'a.ts',
      files: {
        'index.ts': "export * from './db';",
        'db.ts': "import { Pool } from 'pg';\nexport const p = new Pool();",
      },
      code: `import { p } from './index';\n${leak('p', 32)}`,
    },
    {
      name: 'module.exports',
      filename: 'a.cjs',
      files: {
        'db.cjs':
          "const { Pool } = require('pg');\nconst pool = new Pool();\nmodule.exports = { pool };",
      },
      code: `const db = require('./db.cjs');\n${leak('db.pool', 32)}`,
    },
    {
      name: 'taken apart from require',
      filename: 'a.cjs',
      files: { 'db.cjs': "const pg = require('pg');\nexports.pool = new pg.Pool();" },
      code: `const { pool } = require('./db.cjs');\n${leak('pool', 32)}`,
    },
    { name: 'typed as a parameter', code: leak('db', 32).replace('f()', 'f(db: Pool)') },
    {
      name: 'injected through a constructor',
      code: `class A {\n  constructor(private readonly db: Pool) {}\n${leak('this.db', 32).replace('async function', 'async')}\n}`,
    },
    {
      name: 'assigned in a constructor',
      code: `class A {\n  db;\n  constructor(db: Pool) { this.db = db; }\n${leak('this.db', 32).replace('async function', 'async')}\n}`,
    },
    {
      name: 'a member of a typed argument',
      code: `interface Deps { readonly db: Pool }\n${leak('deps.db', 32).replace('f()', 'f(deps: Deps)')}`,
    },
    {
      name: 'made by a factory',
      code: `function makePool() { return new Pool({ max: 5 }); }\nconst made = makePool();\n${leak('made', 32)}`,
    },
    {
      name: 'kept on globalThis',
      code: `const kept = globalThis.pool ?? (globalThis.pool = new Pool());\n${leak('kept', 32)}`,
    },
    {
      name: 'an alias of tsconfig.json',
      filename: 'src/a.ts',
      files: {
        'tsconfig.json':
          '{ // aliases\n "compilerOptions": { "paths": { "@/*": ["./src/*"], }, } }',
        'src/lib/db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool();",
      },
      code: `import { pool } from '@/lib/db';\n${leak('pool', 32)}`,
    },
    {
      name: 'below baseUrl of an inherited configuration',
      filename: 'src/a.ts',
      files: {
        'tsconfig.json': '{ "extends": "./tsconfig.base" }',
        'tsconfig.base.json': '{ "compilerOptions": { "baseUrl": "src" } }',
        'src/lib/db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool();",
      },
      code: `import { pool } from 'lib/db';\n${leak('pool', 32)}`,
    },
    {
      name: 'a member of what another package made, by use',
      filename: 'a.ts',
      code: `
import fastify from 'fastify';
const app = fastify();
app.get('/sum', async () => {
  const client = await app.pg.connect();
  //                   ^^^^^^^^^^^^^^^^ notReleasedOnThrow
  const { rows } = await client.query('SELECT 1 + 1');
  client.release();
  return rows;
});`,
    },
    {
      name: 'a wrapper of another package, by use',
      filename: 'a.cjs',
      code: `
const Wrapper = require('some-postgres-wrapper');
function f(next) {
  const db = new Wrapper({});
    db.connect((err, client, done) => {
  //^^^^^^^^^^… notReleasedOnSomePath
      if (err) return next(err);
      client.query('SELECT 1', (error) => {
        if (error) return next(error);
        done();
        next();
      });
    });
}`,
    },
    {
      name: 'a class of the project whose parent nobody knows, by use',
      filename: 'a.ts',
      code: `
import pg from 'dep:pg';
class AppPool extends pg.Pool {}
class Connection { private pool = new AppPool(); getClient(): AppPool { return this.pool; } }
class Repository {
  constructor(private readonly connection: Connection) {}
  async save() {
    const conn = await this.connection.getClient().connect();
    //                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    await conn.query('BEGIN');
    try { await conn.query('INSERT'); } finally { conn.release(); }
  }
}`,
    },
    {
      name: 'in the last round of a loop, where a helper releases under a test of the loop',
      code: `
async function f(given, items) {
  const client = given ?? (await pool.connect());
  //                             ^^^^^^^^^^^^^^ notReleasedOnSomePath
  await client.query('SELECT 1');
  for (const item of items) { if (!given) giveBack(client); }
}
function giveBack(taken) { taken.release(); }`,
    },
    {
      name: 'in the last round of a loop, where a helper of a helper releases under a test of the helper',
      code: `
async function f(items, keep) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  for (const item of items) giveBackUnless(client, keep);
}
function giveBackUnless(taken, keep) { if (!keep) giveBack(taken); }
function giveBack(taken) { taken.release(); }`,
    },
    {
      name: 'a helper that calls itself, and never releases what it is given',
      code: `
async function f(depth) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  await walk(client, false, depth);
}
async function walk(taken, isLast, depth) {
  if (depth > 0) await walk(taken, isLast, depth - 1);
  if (isLast) taken.release();
}`,
    },
    {
      name: 'in the last round of a loop, where a helper releases what the loop queries',
      code: `
async function f(items, isLast) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  for (const item of items) { client.query('x'); if (isLast(item)) giveBack(client); }
}
function giveBack(taken) { taken.release(); }`,
    },
    {
      name: 'an object whose method releases in a helper of the file',
      code: `
async function open() {
  const client = await pool.connect();
  return { begin: () => client.query('BEGIN'), end: () => { giveBack(client); }, abort: () => { client.release(true); } };
}
async function f() {
  const session = await open();
  try { await session.begin(); } finally { session.end(); }
}
function giveBack(taken) { taken.release(); }`,
    },
    {
      name: 'an object with the client, in a helper of another file that releases on some of its ways',
      files: {
        'give-back.js': 'export function giveBack(tx, told) { if (told) tx.client.release(); }',
      },
      code: `
import { giveBack } from './give-back.js';
async function f(told) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  const tx = { client };
  giveBack(tx, told);
}`,
    },
    {
      name: 'what nobody knows, by use in a function of the file',
      code: `
import { pool } from './elsewhere.js';
async function save() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await client.query('INSERT');
  giveBack(client);
}
const giveBack = (taken) => taken.release();
async function look() {
  const socket = await pool.connect();
  await socket.query('SELECT 1');
  leave(socket);
}
function leave(socket) { return socket ? leave(socket.next) : undefined; }`,
    },
    {
      name: 'the pool behind pg.connect',
      filename: 'a.cjs',
      code: `
const pg = require('pg');
function find(url, callback) {
    pg.connect(url, (error, client, done) => {
  //^^^^^^^^^^… notReleasedOnSomePath
      if (error) return callback(error);
      client.query('SELECT 1', (failure, result) => {
        if (failure) return callback(failure);
        done();
        callback(null, result.rows);
      });
    });
}`,
    },
    {
      name: 'asked by instanceof',
      code: `
class Session {
  constructor(private readonly db: Pool | PoolClient) {}
  async transaction(work) {
    const session = this.db instanceof Pool ? new Session(await this.db.connect()) : this;
    //                                                          ^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    await session.run('begin');
    try { return await work(session); } finally { if (this.db instanceof Pool) (session.db as PoolClient).release(); }
  }
}`,
    },
    {
      name: 'a pool of another database, by its package',
      filename: 'a.ts',
      code: "import duck from 'mysql2/promise';\nconst pool = duck.createPool({});\nasync function f() { const c = await pool.connect(); await c.query('x'); c.release(); }",
    },
    {
      name: 'a class of the project with a connect of its own',
      filename: 'a.ts',
      code: "import { Base } from 'somewhere';\nclass Socket extends Base { async connect() { return { query() {}, release() {} }; } }\nasync function f() { const c = await new Socket().connect(); await c.query('x'); c.release(); }",
    },
    {
      name: 'a client of its own is no pool',
      code: "import { Client } from 'pg';\nasync function f() { const c = new Client(); await c.connect(); await c.query('x'); }",
      filename: 'a.ts',
    },
    {
      name: 'another driver is no pool',
      code: "import sql from 'mssql';\nasync function f() { const pool = await sql.connect('x'); const c = await pool.connect(); await c.query('x'); }",
      filename: 'a.ts',
    },
  ]);
});

describe('follows objects that are made with the client', () => {
  checkRule(rule, [
    {
      name: 'BEGIN through an object before the try',
      code: `
async function transaction(work) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  const session = new Session(client);
  const tx = new Transaction(session);
  await tx.execute('begin');
  try { return await work(tx); } finally { client.release(); }
}`,
    },
    {
      name: 'a client that is only reached through its object',
      code: `
class Session {
  constructor(private readonly client) {}
  async transaction(work) {
    const isPool = this.client instanceof Pool;
    const session = isPool ? new Session(await (this.client as Pool).connect()) : this;
    //                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    const tx = new Transaction(session);
    await tx.execute('begin');
    try { return await work(tx); } finally { if (isPool) (session.client as PoolClient).release(); }
  }
}`,
    },
    {
      name: 'released through its object',
      code: "async function f() { const session = new Session(await pool.connect()); try { await session.run('x'); } finally { session.client.release(); } }",
    },
    {
      name: 'an object that ends with the client',
      code: "async function f() { const c = await pool.connect(); const t = new Transaction(c); try { await t.run('x'); await t.commit(); } catch (e) { c.release(e); throw e; } }",
    },
    {
      name: 'an object with a method that releases',
      code: "class Session { constructor(client) { this.client = client; } async run() { await this.client.query('x'); } async leave() { this.client.release(); } }\nasync function f() { const c = await pool.connect(); const s = new Session(c); try { await s.run(); } catch (e) { c.release(e); throw e; } await s.leave(); }",
    },
    {
      name: 'an object with a method that leaves the release to another',
      code: "class Session { constructor(client) { this.client = client; } async leave() { await this.#finish(); } async #finish() { this.give(); } give() { this.client.release(); } async stop() { this.give(); } }\nasync function f() { const c = await pool.connect(); const s = new Session(c); try { await c.query('x'); } catch (e) { c.release(e); throw e; } await s.stop(); }",
    },
    {
      name: 'a static method that releases what its object carries',
      code: "class Session { constructor(client) { this.client = client; } static async leave(session) { session.client.release(); } }\nasync function f() { const c = await pool.connect(); const s = new Session(c); try { await c.query('x'); } catch (e) { c.release(e); throw e; } await Session.leave(s); }",
    },
    {
      name: 'a return that the exception of a finally replaces',
      code: `
async function f() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { return c; } finally { await audit(); }
}`,
    },
    {
      name: 'a return that is replaced, and a handler around it that releases',
      code: 'async function f() { const c = await pool.connect(); try { try { return c; } finally { await audit(); } } catch (e) { c.release(); throw e; } }',
    },
    {
      name: 'a return that is replaced in a finally that releases',
      code: 'async function f() { const c = await pool.connect(); try { return c; } finally { c.release(); await audit(); } }',
    },
    {
      name: 'an object that is stored',
      code: 'class A { async open() { const c = await pool.connect(); const t = new Transaction(c); this.current = t; } }',
    },
    {
      name: 'an object in an object that is returned',
      code: 'async function open() { const c = await pool.connect(); const t = new Transaction(c); try { await t.begin(); } catch (e) { c.release(); throw e; } return { t }; }',
    },
  ]);
});

describe('follows an object with functions that give the client back, which a name stands for', () => {
  checkRule(rule, [
    {
      name: 'between its making and where it is handed on',
      code: `
async function begin() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  const tx = {
    query: c.query.bind(c),
    commit: async () => { await c.query('COMMIT'); c.release(); },
    async rollback() { await c.query('ROLLBACK'); c.release(); },
  };
  await c.query('BEGIN');
  return tx;
}
async function open(id) {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnSomePath
  const close = () => c.release();
  const session = { close, load: (sql) => c.query(sql) };
  const { rows } = await session.load('x').catch(() => ({ rows: [] }));
  if (rows.length === 0) return null;
  return session;
}`,
    },
    {
      name: 'and whoever gets it from a function',
      code: `
async function begin() {
  const c = await pool.connect();
  const tx = { query: (sql) => c.query(sql), end: () => c.release() };
  try { await tx.query('BEGIN'); } catch (error) { c.release(); throw error; }
  return tx;
}
async function f() {
  const tx = await begin();
  //               ^^^^^^^ notReleasedOnSomePath
  const { rows } = await tx.query('x').catch(() => ({ rows: [] }));
  if (rows.length === 0) return null;
  tx.end();
}
async function g() {
  const tx = await begin();
  try { await tx.query('x'); } finally { tx.end(); }
}`,
    },
    {
      name: 'which answers for the client once it is given away, read, called or changed',
      code: `
async function f() {
  const c = await pool.connect();
  const tx = { query: (sql) => c.query(sql), end: () => c.release() };
  registry.add(tx);
  await c.query('BEGIN');
}
async function g(stream) {
  const c = await pool.connect();
  const handlers = { row: (row) => c.query('x', [row]), end: () => c.release() };
  stream.on('row', handlers.row);
  stream.on('end', handlers.end);
  await stream.begin();
}
async function h() {
  const c = await pool.connect();
  const tx = { end: () => c.release() };
  try { await c.query('x'); } finally { tx.end(); }
}
async function i() {
  const c = await pool.connect();
  const tx = { end: () => c.release() };
  process.once('exit', () => tx.end());
  await c.query('x');
}
async function k() {
  const c = await pool.connect();
  const tx = { end: () => c.release() };
  tx.query = (sql) => c.query(sql);
  await c.query('x');
  return tx;
}`,
    },
    {
      name: 'and a query that is bound to its own client only borrows',
      code: `
async function begin(wrap) {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  const query = wrap(c.query.bind(c));
  await query('BEGIN');
  const commit = async () => { await query('COMMIT'); c.release(); };
  return { query, commit };
}
async function lent(wrap) {
  const c = await pool.connect();
  const give = wrap(c.release.bind(c));
  await c.query('x');
  give();
}
async function other(keeper) {
  const c = await pool.connect();
  const keep = keeper.add.bind(c);
  await keep('x');
}`,
    },
  ]);
});

describe('follows getters', () => {
  const getter = 'async function getClient() { const c = await pool.connect(); return c; }';
  checkRule(rule, [
    {
      name: 'a function of the file that gives its client back',
      code: `${getter}
async function f() {
  const c = await getClient();
  //              ^^^^^^^^^^^ notReleasedOnThrow
  await c.query('x');
  c.release();
}`,
    },
    {
      name: 'a function of another file',
      filename: 'a.ts',
      files: { 'db.ts': `import { Pool } from 'pg';\nconst pool = new Pool();\nexport ${getter}` },
      code: `
import { getClient } from './db';
async function f() {
  const c = await getClient();
  //              ^^^^^^^^^^^ neverReleased
  await c.query('x');
}`,
    },
    {
      name: 'a method that hands on the promise',
      code: `
class Database {
  connect() { return pool.connect(); }
}
const db = new Database();
async function f() {
  const c = await db.connect();
  //              ^^^^^^^^^^^^ neverReleased
  await c.query('x');
}`,
    },
    {
      name: 'a getter that keeps its client is the owner',
      code: "let kept;\nasync function getClient() { if (!kept) kept = await pool.connect(); return kept; }\nasync function f() { const c = await getClient(); await c.query('x'); }",
    },
    {
      name: "a getter that may give somebody else's client",
      code: "async function getClient(tx) { if (tx) return tx; return pool.connect(); }\nasync function f() { const c = await getClient(); await c.query('x'); }",
    },
    {
      name: 'lent on one path, not released on another',
      code: 'async function f(xs) { const c = await pool.connect(); for (const x of xs) await insert(x).execute(c); }',
    },
    {
      name: 'beside a chain that nobody waits for',
      code: `
import { report } from './report.js';
async function close(id) {
  const client = await pool.connect();
  try {
    await client.query('COMMIT');
    report(id).then(() => console.log('done')).catch((error) => console.error('failed', error));
    report(id).then((rows) => rows.map(String));
  } finally { client.release(); }
}`,
    },
    {
      name: 'a test of the same words in a helper, about another variable',
      code: `
function giveBack(connection) { if (connection instanceof Pool) return; connection.release(); }
async function run(connection, sql) {
  if (connection instanceof Pool) connection = await connection.connect();
  try { return await connection.query(sql); } finally { giveBack(connection); }
}`,
    },
    {
      name: 'the same, where the class has another name',
      header: "import { Pool as Connections } from 'pg';\n",
      code: `
function giveBack(connection) { if (connection instanceof Connections) return; connection.release(); }
async function run(connection, sql) {
  if (connection instanceof Connections) connection = await connection.connect();
  try { return await connection.query(sql); } finally { giveBack(connection); }
}`,
    },
  ]);
});

describe('a function that nothing is known of', () => {
  const left = (call: string): string => `
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  if (x) { ${call}(client); return; }
  client.release();
}`;
  const passed = (call: string): string => left(call).replace(/\n *\/\/.*/u, '');
  checkRule(rule, [
    {
      name: 'only borrows where it is a package’s or everybody’s, whatever it is called',
      code: `
import { log as work, releaseLater } from 'world';
async function f(x) {${left('work')}
async function g(x) {${left('releaseLater')}
async function h(x) {${left('giveBack')}
async function i(x) {${left('releaseClient')}`,
    },
    {
      name: 'may take the client over where its code is not here, whatever it is called',
      code: `
import { log as work, releaseLater } from './world';
import keep from './keep';
async function f(x) {${passed('work')}
async function g(x) {${passed('releaseLater')}
async function h(x) {${passed('keep')}
async function i(x, { store }) {${passed('store')}
async function j(x, send) {${passed('send')}`,
    },
  ]);
});

describe('a function that is passed on may release by another that captured the client', () => {
  checkRule(rule, [
    {
      name: 'once, whichever event comes first',
      code: `
export async function send(query, response) {
  const client = await pool.connect();
  let released = false;
  const release = (error?: Error) => {
    if (released) return;
    released = true;
    client.release(error);
  };
  try {
    const stream = client.query(query);
    stream.once('end', () => release());
    stream.once('error', (error) => release(error));
    stream.pipe(response);
  } catch (error) {
    release(error);
    throw error;
  }
}`,
    },
    {
      name: 'under a name of its own',
      code: `
export async function later(run) {
  const client = await pool.connect();
  await run(async () => { const own = client; own.release(); });
}`,
    },
    {
      name: 'which it takes out of the client',
      code: `
export async function later(run) {
  const client = await pool.connect();
  await run(() => { const { release } = client; release(); });
}`,
    },
    {
      name: 'but not by one that queries under a name of its own',
      code: `
export async function later(run) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ keptForAll
  await run(async () => { const own = client; await own.query('SELECT 1'); });
}`,
    },
    {
      name: 'but not in a round that is given on what forbids it',
      code: `
export async function later(depth) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  await first(client, false, depth);
}
async function first(taken, isLast, depth) {
  await second(taken, isLast, depth);
  if (isLast) taken.release();
}
async function second(taken, isLast, depth) {
  try { await pool.query('SELECT 1'); } finally { if (depth > 0) await first(taken, isLast, depth - 1); }
}`,
    },
    {
      name: 'but not by a new call of the function that acquires',
      code: leaking(
        'notReleasedOnThrow',
        `
async function poll() {
  const client = await pool.connect();
  setTimeout(() => poll(), 1000);
  await client.query('SELECT 1');
  client.release();
}`,
      ),
    },
    {
      name: 'and not by one that only queries',
      code: leaking(
        'notReleasedOnThrow',
        `
async function poll(events) {
  const client = await pool.connect();
  const ping = () => client.query('SELECT 1');
  events.on('tick', () => ping());
  await client.query('SELECT 1');
  client.release();
}`,
      ),
    },
  ]);
});

describe('a way to release that a getter gives', () => {
  const getter = `
async function take() {
  const client = await pool.connect();
  return { client, release: () => client.release() };
}`;
  checkRule(rule, [
    {
      name: 'releases where it is called by its name',
      code: `${getter}
export async function find() {
  const { client, release } = await take();
  try { return (await client.query('SELECT 1')).rows; } finally { release(); }
}`,
    },
    {
      name: 'as one of a pair',
      code: `
async function take() {
  const client = await pool.connect();
  return [client, () => client.release()];
}
export async function find() {
  const [client, done] = await take();
  try { return (await client.query('SELECT 1')).rows; } finally { done(); }
}`,
    },
    {
      name: 'does so only where it is reached',
      code: `${getter}
export async function find() {
  const { client, release } = await take();
  //                                ^^^^^^ notReleasedOnThrow
  await client.query('SELECT 1');
  release();
}`,
    },
  ]);
});

describe('guards that always hold of a client of a pool', () => {
  checkRule(rule, [
    {
      name: 'are no way past the release: predicates of the program',
      code: `
const hasRelease = (x) => typeof x.release === 'function';
const isPool = (x) => x instanceof Pool;
function isPgPool(x) { return 'totalCount' in x && typeof x.connect === 'function'; }
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); } finally { if (isPool(pool) && hasRelease(c)) c.release(); }
}
async function g(given: Pool) {
  const c = await given.connect();
  try { await c.query('x'); } finally { if (isPgPool(given)) c.release(); }
}`,
    },
    {
      name: 'are no way past the release: tests in place',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); } finally { if ('release' in c) c.release(); }
}
async function g() {
  const c = await pool.connect();
  try { await c.query('x'); } finally { if (pool instanceof Pool && c.release) c.release(); }
}`,
    },
    {
      name: 'are one where the predicate asks something else',
      code: `
const isIdle = (x) => x.idleCount > 0;
const isOther = (x) => typeof x.end === 'number';
async function f() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnSomePath
  try { await c.query('x'); } finally { if (isIdle(pool)) c.release(); }
}
async function g() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnSomePath
  try { await c.query('x'); } finally { if (isOther(c)) c.release(); }
}`,
    },
  ]);
});

describe('a release that comes too early', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'is another mistake than what throws in front of its `try`',
      code: `
async function f() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  await c.query('BEGIN');
  try {
    await c.query('COMMIT');
    c.release();
    await notify();
  } catch (error) {
    await c.query('ROLLBACK');
    c.release();
    throw error;
  }
}`,
    },
    {
      name: 'is the same mistake as what throws beside it',
      code: `
async function f() {
  const c = await pool.connect();
  await c.query('x');
  c.release();
  await c.query('y');
}
async function g() {
  const c = await pool.connect();
  try {
    await c.query('x');
    c.release();
    await notify();
  } catch (error) {
    await c.query('ROLLBACK');
    throw error;
  }
}`,
    },
  ]);
});

describe('helpers that release beside their own work', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'are not called again behind one another',
      code: `
const commit = async (client) => {
  await client.query('COMMIT');
  client.release();
};
const rollback = async (client) => {
  await client.query('ROLLBACK');
  client.release();
};
async function f() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  await c.query('BEGIN');
  try {
    await c.query('x');
    await commit(c);
  } catch (error) {
    await rollback(c);
    throw error;
  }
}`,
      cures: ['Wrap line 15 in `try … catch (error) { await rollback(c); throw error; }`.'],
    },
    {
      name: 'release in a `finally` of their own where they may throw themselves',
      code: `
const commit = async (client) => { await client.query('COMMIT'); client.release(); };
async function rollback(client) { await client.query('ROLLBACK'); client.release(); }
async function f() {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await c.query('BEGIN'); } catch (error) { await rollback(c); throw error; }
  await commit(c);
}`,
      cures: ['Release it in a `finally` of `commit()`.'],
    },
  ]);
});

describe('an object that has the client among its members', () => {
  const header =
    "import { Pool } from 'pg';\nimport { giveBack, keep, use } from './clients.js';\nconst pool = new Pool();\nasync function checkOut() { const client = await pool.connect(); return { client, since: Date.now() }; }\n";
  const files = {
    'clients.js':
      "const list = [];\nexport function giveBack({ client }) { client.release(); }\nexport function keep(taken) { list.push(taken); }\nexport async function use({ client, since = 0 }) { await client.query('x', [since]); }",
  };
  checkRule('no-unreleased-client', [
    {
      name: 'is given to a function of another file, which releases it',
      header,
      files,
      code: 'async function f() { const taken = await checkOut(); giveBack(taken); }',
    },
    {
      name: 'is given to one that keeps it',
      header,
      files,
      code: 'async function f() { const taken = await checkOut(); keep(taken); }',
    },
    {
      name: 'is given to one that only queries',
      header,
      files,
      code: `
async function f() {
  const taken = await checkOut();
  //                  ^^^^^^^^^^ neverReleased
  await use(taken);
}`,
    },
  ]);
});
