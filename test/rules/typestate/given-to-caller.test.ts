import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

const rule = 'no-unreleased-client';

/** Functions that give their caller the client by a promise made by hand, or by what stands in its place. */
const ways: Readonly<Record<string, string>> = {
  'a callback with a conditional':
    'function get() { return new Promise((resolve, reject) => { pool.connect((err, client) => (err ? reject(err) : resolve(client))); }); }',
  'a callback with if and else':
    'function get() { return new Promise((resolve, reject) => { pool.connect((err, client) => { if (err) reject(err); else resolve(client); }); }); }',
  'a callback with an early return':
    'function get() { return new Promise((resolve, reject) => { pool.connect((err, client) => { if (err) return reject(err); resolve(client); }); }); }',
  'functions, with done':
    'function get() { return new Promise(function (resolve, reject) { pool.connect(function (err, client, done) { if (err) { reject(err); return; } resolve(client); }); }); }',
  'the body of an arrow function':
    'const get = () => new Promise((resolve, reject) => pool.connect((err, client) => (err ? reject(err) : resolve(client))));',
  'an async function':
    'async function get() { return new Promise((resolve, reject) => { pool.connect((err, client) => (err ? reject(err) : resolve(client))); }); }',
  'an async function that waits':
    'async function get() { const client = await new Promise((resolve, reject) => { pool.connect((err, c) => (err ? reject(err) : resolve(c))); }); return client; }',
  'then with both functions':
    'function get() { return new Promise((resolve, reject) => { pool.connect().then(resolve, reject); }); }',
  'then and catch':
    'function get() { return new Promise((resolve, reject) => { pool.connect().then(resolve).catch(reject); }); }',
  'then and catch with handlers':
    'function get() { return new Promise((resolve, reject) => { pool.connect().then((c) => resolve(c)).catch(reject); }); }',
  'an async executor':
    'function get() { return new Promise(async (resolve, reject) => { try { resolve(await pool.connect()); } catch (error) { reject(error); } }); }',
  'a chain that hands on':
    'function get() { return pool.connect().then((c) => c).catch((error) => { throw new Error("busy", { cause: error }); }); }',
  'promisify and bind':
    "import { promisify } from 'node:util';\nconst get = promisify(pool.connect).bind(pool);",
  'promisify of what is bound':
    "import util from 'util';\nconst get = util.promisify(pool.connect.bind(pool));",
};

const silent = Object.entries(ways).map(([name, code]) => ({ name, code }));

describe('hands the client to the caller: a function', () => {
  checkRule(rule, silent);
});

describe('a caller that releases is right: with', () => {
  checkRule(
    rule,
    silent.map(({ name, code }) => ({
      name,
      code: `${code}\nasync function f() { const c = await get(); try { return await c.query('x'); } finally { c.release(); } }`,
    })),
  );
});

describe('a caller that never releases leaks: with', () => {
  checkRule(
    rule,
    silent.map(({ name, code }) => ({
      name,
      code: `${code}
async function f() { const c = await get(); return await c.query('x'); }
//                                   ^^^^^ neverReleased`,
    })),
  );
});

describe('methods and other files', () => {
  checkRule(rule, [
    {
      name: 'a method, and its caller',
      code: `
class Db {
  get() { return new Promise((resolve, reject) => { pool.connect((err, client, done) => { if (err) { reject(err); } else { resolve(client); } }); }); }
  static async make() { return new Promise((resolve, reject) => { pool.connect().then(resolve, reject); }); }
  async right() { const c = await this.get(); try { await c.query('x'); } finally { c.release(); } }
  async wrong() { const c = await this.get(); await c.query('x'); c.release(); }
  //                              ^^^^^^^^^^ notReleasedOnThrow
}`,
    },
    {
      name: 'of another file',
      files: {
        'db.js':
          "import { promisify } from 'node:util';\nimport { Pool } from 'pg';\nconst pool = new Pool();\nexport function byHand() { return new Promise((resolve, reject) => { pool.connect((err, client) => (err ? reject(err) : resolve(client))); }); }\nexport const bound = promisify(pool.connect).bind(pool);",
      },
      code: `import { bound, byHand } from './db.js';
async function f() { const c = await byHand(); return await c.query('x'); }
//                                   ^^^^^^^^ neverReleased
async function g() { const c = await bound(); return await c.query('x'); }
//                                   ^^^^^^^ neverReleased`,
    },
  ]);
});

const stored = `
import { AsyncLocalStorage } from 'node:async_hooks';
const storage = new AsyncLocalStorage<PoolClient>();
const boxes = new AsyncLocalStorage<{ client: PoolClient }>();
async function byChoice() { return storage.getStore() ?? (await pool.connect()); }
function byPromise() { return storage.getStore() ?? pool.connect(); }
async function byReturn() { const kept = boxes.getStore(); if (kept) return kept.client; return await pool.connect(); }
async function byVariable() { const client = boxes.getStore()?.client ?? (await pool.connect()); return client; }
async function given(client?: PoolClient) { return client ?? (await pool.connect()); }`;

describe('what may be the client that the calls around keep', () => {
  checkRule(rule, [
    {
      name: 'leaks where its caller never releases',
      code: `${stored}
async function f() { const c = await byChoice(); return await c.query('x'); }
//                                   ^^^^^^^^^^ connectionNeverReleased
async function g() { const c = await byPromise(); return await c.query('x'); }
//                                   ^^^^^^^^^^^ connectionNeverReleased
async function h() { const c = await byReturn(); return await c.query('x'); }
//                                   ^^^^^^^^^^ connectionNeverReleased
async function i() { const c = await byVariable(); return await c.query('x'); }
//                                   ^^^^^^^^^^^^ connectionNeverReleased
async function j() { const c = await pass(); return await c.query('x'); }
//                                   ^^^^^^ connectionNeverReleased
async function pass() { return await byChoice(); }`,
    },
    {
      name: 'is right where its caller releases what is its own',
      code: `${stored}
async function f() { const c = await byChoice(); try { return await c.query('x'); } finally { if (!storage.getStore()) c.release(); } }
async function g() { const isOwn = storage.getStore() === undefined; const c = await byPromise(); const r = await c.query('x'); if (isOwn) c.release(); return r; }
async function h() { const c = await byReturn(); try { return await c.query('x'); } finally { giveBack(c); } }
function giveBack(c: PoolClient) { if (c !== boxes.getStore()?.client) c.release(); }`,
    },
    {
      name: 'is not known where an argument decides',
      code: `${stored}
async function outer() { const c = await pool.connect(); try { await inner(c); } finally { c.release(); } }
async function inner(client: PoolClient) { const c = await given(client); return await c.query('x'); }`,
    },
  ]);
  checkRule('no-nested-checkout', [
    {
      name: 'is no second client',
      code: `${stored}
async function f() { const c = await byChoice(); try { await g(); } finally { if (!storage.getStore()) c.release(); } }
async function g() { const c = await byChoice(); try { return await c.query('x'); } finally { if (!storage.getStore()) c.release(); } }
async function h() { const c = await pool.connect(); try { await storage.run(c, g); } finally { c.release(); } }`,
    },
  ]);
});

describe('a client that is given to a handler which is called with it', () => {
  checkRule(rule, [
    {
      name: 'is the matter of one that cannot be seen into',
      code: `import { handle } from 'elsewhere';
function f(callback, fail) { pool.connect().then(callback, fail); }
function g(callback, fail) { return pool.connect().then(callback, fail); }
function h() { return pool.connect().then(handle); }
class Session { keep(c) { this.c = c; } open() { return pool.connect().then(this.keep.bind(this)); } }`,
    },
    {
      name: 'is the matter of whoever settles a promise from outside',
      code: `
function f() { let resolve, reject; const given = new Promise((a, b) => { resolve = a; reject = b; }); pool.connect().then(resolve, reject); return given; }
function g() { const { promise, resolve, reject } = Promise.withResolvers(); pool.connect().then(resolve, reject); return promise; }`,
    },
    {
      name: 'is followed into one that is known',
      files: {
        'use.js':
          'export async function use(c) { try { return await c.query("x"); } finally { c.release(); } }\nexport const query = (c) => c.query("x");\nexport async function prepare(c) { await c.query("SET x"); return c; }',
      },
      code: `import { prepare, query, use } from './use.js';
const f = () => pool.connect().then(use);
const g = () => pool.connect().then(query);
//              ^^^^^^^^^^^^^^ neverReleased
async function h() { const c = await pool.connect().then(prepare); try { return await c.query('x'); } finally { c.release(); } }
//                                   ^^^^^^^^^^^^^^ notReleasedOnThrow`,
    },
  ]);
});
