import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

/** Helpers of another file that get a client: what they do with it is followed, whatever they are called. */
const transaction = `
export async function begin(connection) { await connection.query('BEGIN'); connection.inTransaction = true; }
export async function finish(connection) { await connection.query('COMMIT'); connection.inTransaction = false; giveUp(connection); }
export async function undo(connection) { await connection.query('ROLLBACK'); connection.inTransaction = false; connection.release(); }
export async function sendRollback(connection) { await connection.query('ROLLBACK'); }
export async function undoAtLast(connection) { try { await connection.query('ROLLBACK'); } finally { connection.release(); } }
export function giveUp(connection) { if (connection.inTransaction === true) return; connection.release(); }
export async function run(connection, sql, doRelease = true) { const { rows } = await connection.query(sql); if (doRelease) giveUp(connection); return rows; }
export async function runSafely(connection, sql, { keep = false } = {}) { try { return await connection.query(sql); } finally { if (!keep) connection.release(); } }
export async function prepare(connection) { await connection.query('SET LOCAL ROLE app'); return connection; }
export function withTimeout(connection) { return connection.query('SELECT 1'); }
export class Select { from(table) { this.table = table; return this; } async load(connection, doRelease = true) { return await run(connection, this.table, doRelease); } }
export function select() { return new Select(); }
`;
const files = { 'transaction.js': transaction };
const imports =
  "import { begin, finish, giveUp, prepare, run, runSafely, select, sendRollback, undo, undoAtLast, withTimeout } from './transaction.js';";

describe('follows helpers of other files', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'commit and rollback that release, unless the rollback fails',
      files,
      code: `${imports}
async function save(work) {
  const client = await pool.connect();
  try { await begin(client); await work(); await finish(client); } catch (error) { await undo(client); throw error; }
}`,
    },
    {
      name: 'commit and rollback that release, also when the rollback fails',
      files,
      code: `${imports}
async function save(work) {
  const client = await pool.connect();
  try { await begin(client); await work(); await finish(client); } catch (error) { await undoAtLast(client); throw error; }
}`,
    },
    {
      name: 'a rollback that only sends the ROLLBACK',
      files,
      code: `${imports}
async function save(work) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await work(); } catch (error) { await sendRollback(client); client.release(); throw error; }
  client.release();
}`,
    },
    {
      name: 'a helper that is awaited before the try',
      files,
      code: `${imports}
async function save(work) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await begin(client);
  try { await work(); await finish(client); } catch (error) { await undo(client); throw error; }
}`,
    },
    {
      name: 'an early return without commit or rollback',
      files,
      code: `${imports}
async function save(id) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  try {
    await begin(client);
    const rows = await run(client, 'SELECT 1', false);
    if (rows.length === 0) return;
    await finish(client);
  } catch (error) { await undo(client); throw error; }
}`,
    },
    {
      name: 'a helper that releases unless it is told not to, told not to',
      files,
      code: `${imports}
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  return await run(client, 'SELECT 1', false);
}`,
    },
    {
      name: 'a helper that releases only when its query succeeds',
      files,
      code: `${imports}
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  return await run(client, 'SELECT 1');
}`,
    },
    {
      name: 'a helper that releases in a finally',
      files,
      code: `${imports}
async function find() {
  const client = await pool.connect();
  return await runSafely(client, 'SELECT 1');
}
async function findAndKeep() {
  const client = await pool.connect();
  try { return await runSafely(client, 'SELECT 1', { keep: true }); } finally { giveUp(client); }
}`,
    },
    {
      name: 'a helper that is told to keep the client in an options object',
      files,
      code: `${imports}
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  return await runSafely(client, 'SELECT 1', { keep: true });
}`,
    },
    {
      name: 'a helper that only borrows, in a function that never releases',
      files,
      code: `${imports}
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  await withTimeout(client);
}`,
    },
    {
      name: 'a helper that gives the client back',
      files,
      code: `${imports}
async function find() {
  const client = await prepare(await pool.connect());
  //                                 ^^^^^^^^^^^^^^ notReleasedOnThrow
  try { await client.query('SELECT 1'); } finally { client.release(); }
}
async function findAll() {
  const raw = await pool.connect();
  try { const client = await prepare(raw); await client.query('SELECT 1'); } finally { raw.release(); }
}`,
    },
    {
      name: 'a builder whose method releases unless told not to',
      files,
      code: `${imports}
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  await select().from('t').load(client, false);
}
async function findWell() {
  const client = await pool.connect();
  try { await select().from('t').load(client, false); } finally { client.release(); }
}`,
    },
    {
      name: 'helpers that call each other',
      files: {
        'loop.js':
          'export async function walk(client, depth) { await client.query(String(depth)); if (depth > 0) return walk(client, depth - 1); client.release(); }',
      },
      code: `import { walk } from './loop.js';
async function go(depth) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await walk(client, depth);
}`,
    },
  ]);
});

describe('follows clients that are lent to callbacks', () => {
  const wrappers = {
    'db.js': `import { Pool } from 'pg';
const pool = new Pool();
export async function withClient(work) { const client = await pool.connect(); try { return await work(client); } finally { client.release(); } }
export function inTransaction(work) {
  return withClient(async (client) => {
    await client.query('BEGIN');
    try { const result = await work(client, 1); await client.query('COMMIT'); return result; } catch (error) { await client.query('ROLLBACK'); throw error; }
  });
}
export class Database { async transaction(work) { const client = await pool.connect(); try { return await work({ query: (sql) => client.query(sql) }); } finally { client.release(); } } }
export const database = new Database();
`,
  };
  checkRule('no-double-release', [
    {
      name: 'a helper that releases though its ROLLBACK fails',
      files: {
        'undo.js':
          "export async function undo(client) { try { await client.query('ROLLBACK'); } finally { client.release(); } }",
      },
      code: `import { undo } from './undo.js';
async function save() {
  const client = await pool.connect();
  try { await undo(client); } catch (error) { client.release(); }
  //                                          ^^^^^^^^^^^^^^^^ releasedAgain
}`,
    },
  ]);
  checkRule('no-external-await-while-holding', [
    {
      name: 'slow work in a callback',
      files: wrappers,
      code: `import { withClient, inTransaction, database } from './db.js';
export const a = () => withClient(async (client) => {
  await fetch('https://example.org');
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
});`,
    },
    {
      name: 'slow work in a transaction two wrappers away, and beside a wrapped client',
      files: wrappers,
      code: `import { inTransaction, database } from './db.js';
export const a = () => inTransaction(async (client) => {
  const answer = await fetch('https://example.org');
  //             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ heldInTransaction
  return client.query('SELECT 1', [answer]);
});
export const b = () => database.transaction(async (tx) => {
  await fetch('https://example.org');
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
});`,
    },
    {
      name: 'slow work beside the callback',
      files: wrappers,
      code: `import { withClient } from './db.js';
export async function a() {
  const answer = await fetch('https://example.org');
  return withClient((client) => client.query('SELECT 1', [answer]));
}`,
    },
  ]);
});

describe('follows what getters give', () => {
  const getters = {
    'db.js': `import { Pool } from 'pg';
const pool = new Pool();
export async function pair() { const client = await pool.connect(); const release = () => client.release(); return [client, release]; }
export async function connection() { const client = await pool.connect(); return { client, release: () => client.release() }; }
export async function wrapped() { const client = await pool.connect(); return { query: (sql) => client.query(sql), release: () => { client.release(); } }; }
export async function perhaps() { try { return await pool.connect(); } catch (error) { console.error(error); return null; } }
export async function readOnly() { const client = await pool.connect(); try { await client.query('SET TRANSACTION READ ONLY'); } catch (error) { client.release(); throw error; } return client; }
export function withCallback(callback) { pool.connect((error, client, done) => { if (error) return callback(error); callback(null, client, done); }); }
export function passedOn(callback) { pool.connect(callback); }
`,
  };
  const imports =
    "import { connection, pair, passedOn, perhaps, readOnly, withCallback, wrapped } from './db.js';";
  checkRule('no-unreleased-client', [
    {
      name: 'a pair',
      files: getters,
      code: `${imports}
async function a() { const [client, release] = await pair(); try { await client.query('x'); } finally { release(); } }
async function b() {
  const [client, release] = await pair();
  //                              ^^^^^^ notReleasedOnThrow
  await client.query('x');
  release();
}`,
    },
    {
      name: 'an object with the client and its release',
      files: getters,
      code: `${imports}
async function a() { const { client, release } = await connection(); try { await client.query('x'); } finally { release(); } }
async function b() { const held = await connection(); try { await held.client.query('x'); } finally { held.release(); } }
async function c() {
  const held = await connection();
  //                 ^^^^^^^^^^^^ notReleasedOnThrow
  await held.client.query('x');
  held.client.release();
}`,
    },
    {
      name: 'an object that queries and releases',
      files: getters,
      code: `${imports}
async function a() { const db = await wrapped(); try { await db.query('x'); } finally { db.release(); } }
async function b() {
  const db = await wrapped();
  //               ^^^^^^^^^ notReleasedOnThrow
  await db.query('x');
  db.release();
}`,
    },
    {
      name: 'a getter that may fail, or prepares the client',
      files: getters,
      code: `${imports}
async function a() { const client = await perhaps(); if (!client) return; try { await client.query('x'); } finally { client.release(); } }
async function b() {
  const client = await perhaps();
  //                   ^^^^^^^^^ notReleasedOnSomePath
  if (client === null) return;
  const { rows } = await client.query('x');
  if (rows.length === 0) return;
  client.release();
}
async function c() {
  const client = await readOnly();
  //                   ^^^^^^^^^^ notReleasedOnThrow
  await client.query('x');
  client.release();
}`,
    },
    {
      name: 'a getter that calls back',
      files: getters,
      code: `${imports}
function a(res) { withCallback((error, client, done) => { if (error) return res.fail(error); client.query('x', (failed, rows) => { done(); res.send(rows); }); }); }
function b(res) {
  withCallback((error, client, done) => {
//^^… notReleasedOnSomePath
    if (error) return res.fail(error);
    client.query('x', (failed, rows) => { if (failed) return res.fail(failed); done(); res.send(rows); });
  });
}
function c(res) {
  passedOn((error, client, done) => {
//^^… neverReleased
    client.query('x', (failed, rows) => res.send(rows));
  });
}`,
    },
  ]);
});

describe('knows helpers that close the connection', () => {
  const helpers = {
    'ending.js':
      'export function drop(client) { client.release(true); }\nexport function giveBack(client) { client.release(); }',
  };
  checkRule('no-session-state', [
    {
      name: 'what was set goes with it',
      files: helpers,
      code: `import { drop } from './ending.js';
async function f() { const client = await pool.connect(); try { await client.query("SET search_path TO 'a'"); } finally { drop(client); } }`,
    },
    {
      name: 'one that keeps it',
      files: helpers,
      code: `import { giveBack } from './ending.js';
async function f() {
  const client = await pool.connect();
  try {
    await client.query("SET search_path TO 'a'");
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
  } finally { giveBack(client); }
}`,
    },
  ]);
});

describe('knows helpers that release behind a release', () => {
  const files = {
    'release.js': `export async function giveUp(client) { await client.query('ROLLBACK'); client.release(); }
export function giveBack(client) { client.release(); }
export function perhaps(client) { if (!client.isBack) client.release(); }`,
  };
  checkRule('no-double-release', [
    {
      name: 'in another file',
      files,
      code: `import { giveBack } from './release.js';
async function f() {
  const client = await pool.connect();
  client.release();
  giveBack(client);
//^^^^^^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'said as a use where the helper works on the client as well',
      files,
      code: `import { giveUp } from './release.js';
async function f() {
  const client = await pool.connect();
  client.release();
  await giveUp(client);
}`,
    },
    {
      name: 'in each round',
      files,
      code: `import { giveBack } from './release.js';
async function f(ids) {
  const client = await pool.connect();
  for (const id of ids) {
    await client.query('x', [id]);
    giveBack(client);
  //^^^^^^^^^^^^^^^^ releasedInEachRound
  }
}`,
    },
    {
      name: 'on one of its paths: it may know why',
      files,
      code: `import { perhaps } from './release.js';
async function f() {
  const client = await pool.connect();
  client.release();
  perhaps(client);
}`,
    },
  ]);
  checkRule('no-use-after-release', [
    {
      name: 'said once, where the helper is called',
      code: `async function f() {
  const client = await pool.connect();
  client.release();
  await giveUp(client);
  //    ^^^^^^^^^^^^^^ handedOn
}
async function giveUp(client) { await client.query('ROLLBACK'); client.release(); }`,
    },
  ]);
});

describe('takes `this` of TypeScript for no argument', () => {
  const typed = `
function finish(this: Service, connection: any, doRelease = true) { if (doRelease) connection.release(); }
function borrow(this: Service, connection: any) { return connection.query('SELECT 1'); }
async function lend(this: Service, work: (client: any) => Promise<void>) {
  const client = await pool.connect();
  try { await work(client); } finally { client.release(); }
}`;
  checkRule('no-unreleased-client', [
    {
      name: 'a helper that releases',
      code: `${typed}
async function save() {
  const client = await pool.connect();
  finish(client);
}`,
    },
    {
      name: 'a helper that is told not to release',
      code: `${typed}
async function save() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  finish(client, false);
  await borrow(client);
  client.release();
}`,
    },
  ]);
  checkRule('no-nested-checkout', [
    {
      name: 'a helper that lends a client',
      code: `${typed}
export const save = () => lend(async (client) => { await client.query('SELECT 1'); await pool.query('SELECT 1'); });
//                                                                                       ^^^^^^^^^^^^^^^^^^^^^^ query`,
    },
  ]);
});

/** A helper that gives the client back on its early return, in the sample's own file and in another one. */
const early = `
export async function find(client, id) {
  const { rows } = await client.query('x', [id]).catch(() => ({ rows: [] }));
  if (rows.length === 0) { client.release(); return null; }
  return rows[0];
}
export async function take(client) {
  const row = await client.query('y').catch(() => null);
  if (!row) { client.release(); return; }
  return row;
}`;
const inOtherFile = {
  files: { 'early.js': early },
  imports: "import { find, take } from './early.js';\n",
};

describe('a helper that releases on its early return', () => {
  for (const [where, { files, imports: head }] of [
    ['in another file', inOtherFile],
    ['in the same file', { files: {}, imports: early }],
  ] as const) {
    checkRule('no-double-release', [
      {
        name: `releases what the caller's finally releases again, ${where}`,
        files,
        code: `${head}
async function f(id) {
  const c = await pool.connect();
  try { return await find(c, id); } finally { c.release(); }
  //                                          ^^^^^^^^^^^ releasedAgain
}
async function g(id) {
  const c = await pool.connect();
  try {
    const row = await take(c);
    if (row) await c.query('z', [row]);
  } finally {
    c.release();
  //^^^^^^^^^^^ releasedAgain
  }
}`,
      },
      {
        name: `and tells a caller that asks, ${where}`,
        files,
        code: `${head}
async function f(id) {
  const c = await pool.connect();
  const row = await find(c, id);
  if (row === null) return null;
  c.release();
  return row;
}
async function g(id) {
  const c = await pool.connect();
  const row = await take(c);
  if (row) c.release();
}
async function h(id) {
  const c = await pool.connect();
  const row = await find(c, id);
  if (row == null) return;
  await c.query('z', [row]).finally(() => c.release());
}`,
      },
    ]);
    checkRule('no-unreleased-client', [
      {
        name: `so that nothing leaks where the caller asks, ${where}`,
        files,
        code: `${head}
async function f(id) {
  const c = await pool.connect();
  let row;
  try { row = await find(c, id); } catch (error) { c.release(); throw error; }
  if (row === null) return null;
  c.release();
  return row;
}
async function g(id) {
  const c = await pool.connect();
  let row;
  try { row = await take(c); } catch (error) { c.release(); throw error; }
  if (!row) return;
  c.release();
}`,
      },
      {
        name: `and leaks where it goes the other way, ${where}`,
        files,
        code: `${head}
async function f(id) {
  const c = await pool.connect();
  //              ^^^^^^^^^^^^^^ notReleasedOnSomePath
  const row = await find(c, id);
  if (row !== null) return row;
  return undefined;
}`,
      },
    ]);
  }
});
