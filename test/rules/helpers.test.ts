import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

/** Helpers of another file that get a client: what they do with it is followed, whatever they are called. */
const transaction = `
export async function begin(connection) { await connection.query('BEGIN'); connection.inTransaction = true; }
export async function finish(connection) { await connection.query('COMMIT'); connection.inTransaction = false; giveUp(connection); }
export async function undo(connection) { await connection.query('ROLLBACK'); connection.inTransaction = false; connection.release(); }
export function giveUp(connection) { if (connection.inTransaction === true) return; connection.release(); }
export async function run(connection, sql, doRelease = true) { const { rows } = await connection.query(sql); if (doRelease) giveUp(connection); return rows; }
export async function runSafely(connection, sql, { keep = false } = {}) { try { return await connection.query(sql); } finally { if (!keep) connection.release(); } }
export async function prepare(connection) { await connection.query('SET LOCAL ROLE app'); return connection; }
export function withTimeout(connection) { return connection.query('SELECT 1'); }
export class Select { from(table) { this.table = table; return this; } async load(connection, doRelease = true) { return await run(connection, this.table, doRelease); } }
export function select() { return new Select(); }
`;
const files = { 'transaction.js': transaction };
const imports = "import { begin, finish, giveUp, prepare, run, runSafely, select, undo, withTimeout } from './transaction.js';";

describe('follows helpers of other files', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'commit and rollback that release',
      files,
      code: `${imports}
async function save(work) {
  const client = await pool.connect();
  try { await begin(client); await work(); await finish(client); } catch (error) { await undo(client); throw error; }
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
      files: { 'loop.js': 'export async function walk(client, depth) { await client.query(String(depth)); if (depth > 0) return walk(client, depth - 1); client.release(); }' },
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
