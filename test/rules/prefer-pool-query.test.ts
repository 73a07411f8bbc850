import { describe } from 'vitest';
import { checkRule, leaking } from '../support/marked.ts';

const rule = 'prefer-pool-query';

describe('reports a checkout for one statement', () => {
  checkRule(rule, [
    {
      name: 'that is returned',
      code: leaking(
        'single',
        `
async function f(id) {
  const client = await pool.connect();
  try { return await client.query('SELECT $1', [id]); } finally { client.release(); }
}`,
      ),
    },
    {
      name: 'whose rows are worked with',
      code: leaking(
        'single',
        `
async function f(id) {
  const client = await pool.connect();
  try {
    const { rows } = await client.query({ text: 'UPDATE t SET a = $1 RETURNING *', values: [id] });
    for (const row of rows) console.log(row);
    return rows[0] ?? null;
  } catch (error) {
    throw new Error('not updated', { cause: error });
  } finally {
    client.release();
  }
}`,
      ),
    },
    {
      name: 'of any text',
      code: leaking(
        'single',
        `
export async function query(text, values) {
  const client = await pool.connect();
  try { const result = await client.query(text, values); return result.rows; } finally { client.release(); }
}`,
      ),
    },
    {
      name: 'in a chain',
      code: leaking(
        'single',
        `
export function f(text) {
  return pool.connect().then((client) => client.query(text).finally(() => client.release()));
}`,
      ),
    },
    {
      name: 'in a chain that releases in two handlers',
      code: leaking(
        'single',
        `
export function f(text) {
  return pool.connect().then((client) => {
    return client.query(text).then(
      (result) => { client.release(); return result.rows; },
      (error) => { client.release(); throw error; },
    );
  });
}`,
      ),
    },
    {
      name: 'in an async handler of a chain',
      code: leaking(
        'single',
        `
export const f = (text) =>
  pool.connect().then(async (client) => { try { return await client.query(text); } finally { client.release(); } });`,
      ),
    },
    {
      name: 'by callbacks',
      code: `
export function f(text, callback) {
  pool.connect((error, client, done) => {
//^… single
    if (error) return callback(error);
    client.query(text, (failure, result) => { done(failure); callback(failure, result); });
  });
}`,
    },
  ]);
});

describe('stays silent', () => {
  checkRule(rule, [
    {
      name: 'about chains and callbacks with more than one statement, a cursor, or a loop',
      code: `
const a = (text) => pool.connect().then((c) => c.query('BEGIN').then(() => c.query(text)).finally(() => c.release()));
const b = (texts) => pool.connect().then((c) => Promise.all(texts.map((text) => c.query(text))).finally(() => c.release()));
const d = (text) => pool.connect().then((c) => c.query('SET ROLE reader').finally(() => c.release()));
const e = (work) => pool.connect().then((c) => work(c).finally(() => c.release()));
function f(text, callback) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    client.query('SELECT 1', () => client.query(text, (failure, result) => { done(); callback(failure, result); }));
  });
}
function g(text, callback) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    const cursor = client.query(new Cursor(text));
    cursor.read(10, (failure, rows) => { cursor.close(() => { done(); callback(failure, rows); }); });
  });
}
function h(texts, callback) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    let left = texts.length;
    for (const text of texts) client.query(text, () => { if (--left === 0) { done(); callback(); } });
  });
}`,
    },
    {
      name: 'about several statements, one after the other, in branches or in a loop',
      code: `
async function f(ids) {
  const a = await pool.connect();
  try { await a.query('SELECT 1'); await a.query('SELECT 2'); } finally { a.release(); }
  const b = await pool.connect();
  try { for (const id of ids) await b.query('SELECT $1', [id]); } finally { b.release(); }
  const c = await pool.connect();
  try { await Promise.all(ids.map(async (id) => { await c.query('SELECT $1', [id]); })); } finally { c.release(); }
}`,
    },
    {
      name: 'about transactions and session state',
      code: `
async function f() {
  const a = await pool.connect();
  try { await a.query('BEGIN'); } finally { a.release(); }
  const b = await pool.connect();
  try { await b.query('SET search_path = x'); } finally { b.release(); }
  const c = await pool.connect();
  try { await c.query('SELECT pg_advisory_lock(1)'); } finally { c.release(); }
}`,
    },
    {
      name: 'about cursors and streams',
      code: `
async function f(text) {
  const a = await pool.connect();
  try { const cursor = a.query(new Cursor(text)); await cursor.read(10); await cursor.close(); } finally { a.release(); }
  const stream = new QueryStream(text);
  const b = await pool.connect();
  try { await b.query(stream); } finally { b.release(); }
}`,
    },
    {
      name: 'about clients that are lent, kept, listened to or closed',
      code: `
async function f() {
  const a = await pool.connect();
  try { await prepare(a); await a.query('SELECT 1'); } finally { a.release(); }
  const b = await pool.connect();
  b.on('notice', console.log);
  try { await b.query('SELECT 1'); } finally { b.release(); }
  const c = await pool.connect();
  try { await c.query('SELECT 1'); } finally { c.release(true); }
  const d = await pool.connect();
  await d.query('SELECT 1');
  return d;
}`,
    },
    {
      name: 'about a client that gets lost, of which more has to be said',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('SELECT 1');
  client.release();
}`,
    },
    {
      name: 'about pools that are known by their use only, and connections',
      code: `
import { Client } from 'pg';
async function f(db) {
  const client = await db.connect();
  try { return await client.query('SELECT 1'); } finally { client.release(); }
}
async function g() { const client = await new Client().connect(); try { await client.query('SELECT 1'); } finally { await client.end(); } }
async function withClient(work) { const client = await pool.connect(); try { return await work(client); } finally { client.release(); } }`,
    },
  ]);
});
