import { describe } from 'vitest';
import { checkRule, leaking, withHeader } from '../../support/marked.ts';

const rule = 'no-unreleased-client';
const onThrow = (code: string): string => leaking('notReleasedOnThrow', code);
const onPath = (code: string): string => leaking('notReleasedOnSomePath', code);
const untilLine = (line: number): string =>
  `Wrap the code up to line ${line}, which hands the client on, in \`try … catch (error) { client.release(error); throw error; }\`.`;
const onlyLine = (line: number, code = 'client.release()'): string =>
  `Call \`${code}\` on this path: only line ${line} hands the client on.`;

describe('keeps the client of whoever has it after the function', () => {
  checkRule(rule, [
    {
      name: 'the request, in middleware',
      code: onThrow(`
app.use(async (request, response, next) => {
  const client = await pool.connect();
  await client.query('BEGIN');
  request.db = client;
  response.on('close', () => client.release());
  next();
});`),
      cures: [untilLine(8)],
    },
    {
      name: 'the request, where middleware answers it early',
      code: onPath(`
app.use(async (request, response, next) => {
  const client = await pool.connect();
  if (!request.headers.tenant) return response.status(400).end();
  request.db = client;
  response.on('close', () => client.release());
  return next();
});`),
      cures: [onlyLine(8)],
    },
    {
      name: 'the request, in a hook whose other hook releases',
      code: onThrow(`
app.addHook('onRequest', async (request) => {
  const client = await pool.connect();
  await client.query('BEGIN');
  request.db = client;
});
app.addHook('onResponse', async (request) => { request.db.release(); });`),
      cures: [untilLine(8)],
    },
    {
      name: 'the request, in a `catch` that hands the failure on',
      code: onPath(`
app.use(async (request, response, next) => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    request.db = client;
    response.once('close', () => client.release());
    next();
  } catch (error) { next(error); }
});`),
      cures: [
        'Call `client.release()` first in the `catch`, unless line 9 has handed the client on.',
      ],
    },
    {
      name: 'the request, in callbacks',
      code: `
app.use((request, response, next) => {
  pool.connect((error, client, done) => {
//^… notReleasedOnSomePath
    if (error) return next(error);
    client.query('BEGIN', (failure) => {
      if (failure) return next(failure);
      request.db = client;
      response.on('close', done);
      next();
    });
  });
});`,
      cures: [onlyLine(10, 'done()')],
    },
    {
      name: 'an asynchronous scope',
      code: onThrow(`
import { AsyncLocalStorage } from 'node:async_hooks';
const storage = new AsyncLocalStorage();
app.use(async (request, response, next) => {
  const client = await pool.connect();
  await client.query('BEGIN');
  storage.run(client, next);
});`),
      cures: [untilLine(10)],
    },
    {
      name: 'the caller',
      code: onThrow(`
export async function open() {
  const client = await pool.connect();
  await client.query('SELECT 1');
  return client;
}`),
      cures: [untilLine(8)],
    },
    {
      name: 'the caller, by a chain',
      code: onThrow(`
export function open() {
  return pool.connect().then((client) =>
    client.query('SELECT 1').then(() => client));
}`),
      cures: [
        'End the chain in that handler with `.catch((error) => { client.release(error); throw error; })`: line 5 hands the client on.',
      ],
    },
    {
      name: 'the caller, by a promise made by hand',
      code: `
export function open() {
  return new Promise((resolve, reject) => {
    pool.connect((error, client, done) => {
  //^… notReleasedOnSomePath
      if (error) return reject(error);
      client.query('SELECT 1', (failure) => {
        if (failure) return reject(failure);
        resolve(client);
      });
    });
  });
}`,
      cures: [onlyLine(11, 'done()')],
    },
    {
      name: 'the object',
      code: onThrow(`
export class Repository {
  async open() {
    const client = await pool.connect();
    await client.query('BEGIN');
    this.client = client;
  }
  async close() { this.client.release(); }
}`),
      cures: [untilLine(9)],
    },
    {
      name: 'but a function that only lends it releases it itself',
      code: onThrow(`
app.use(async (context, next) => {
  const client = await pool.connect();
  await client.query('SELECT 1');
  context.db = client;
  await next();
  client.release();
});`),
      cures: ['Wrap the code after `connect()` in `try … finally { client.release() }`.'],
    },
  ]);
});

const callback = (head: string, code: string): string => `
function f(callback) {
  pool.connect(${head} => {
//^… notReleasedOnSomePath
    if (error) return callback(error);
    c.query('SELECT 1', (failure, result) => {
      if (failure) return callback(failure);
      ${code}
      callback(null, result);
    });
  });
}`;

describe('calls what the callback has', () => {
  checkRule(rule, [
    {
      name: 'its third parameter by its name',
      code: callback('(error, c, giveBack)', 'giveBack();'),
      cures: ['Call `giveBack()` on every path of the callback, error branches included.'],
    },
    {
      name: 'the client, which is not there after an error',
      code: callback('(error, c)', 'c.release();'),
      cures: [
        'Call `c.release()` on every path of the callback that has a client, error branches included.',
      ],
    },
    {
      name: 'the third parameter of a function with a name',
      code: `
function onClient(error, c, finished) {
  if (error) throw error;
  c.query('SELECT 1', (failure, result) => console.log(failure, result));
}
const f = () => { pool.connect(onClient); };
//                ^^^^^^^^^^^^^^^^^^^^^^ neverReleased`,
      cures: [
        'Call `finished()` on every path of the callback, error branches included, or use `pool.query()` for a single statement.',
      ],
    },
    {
      name: 'nothing where it takes nothing',
      code: `
const f = (callback) => { pool.connect(() => callback()); };
//                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ neverReleased`,
      cures: [
        'Let the callback take `(error, client, done)`, and call `done()` on every path of it, or use `pool.query()` for a single statement.',
      ],
    },
    {
      name: 'in a `finally` where the callback is asynchronous',
      code: `
function f(callback) {
  pool.connect(async (error, c, done) => {
//^… notReleasedOnThrow
    if (error) return callback(error);
    await c.query('SELECT 1');
    done();
  });
}`,
      cures: ['Wrap the code after the error check in `try … finally { done() }`.'],
    },
    {
      name: 'the client of a promise in the callback of a query, for which no `finally` waits',
      code: onPath(`
async function f(callback) {
  const c = await pool.connect();
  c.query('SELECT 1', (error, result) => {
    if (error) return callback(error);
    c.release();
    callback(null, result);
  });
}`),
      cures: ['Call `c.release()` on every path of the callback, error branches included.'],
    },
    {
      name: 'the client where a promise made by hand rejects',
      code: onPath(`
const f = () => new Promise((resolve, reject) => {
  pool.connect().then((c) => {
    c.query('SELECT 1').then((result) => { c.release(); resolve(result); }, reject);
  }, reject);
});`),
      cures: ['Call `c.release()` on this path, too.'],
    },
    {
      name: 'the client where a stream ends, for which no `finally` waits either',
      code: leaking(
        'neverReleased',
        `
async function f(Stream, to) {
  const c = await pool.connect();
  const stream = c.query(new Stream('SELECT 1'));
  stream.pipe(to);
}`,
      ),
      cures: ["Call `c.release()` when the stream emits 'close', which comes last in every case."],
    },
  ]);
});

const giveBack =
  "async function giveBack(client) {\n  try { await client.query('RESET ROLE'); } finally { client.release(); }\n}\n";
const take =
  "async function take() {\n  const client = await pool.connect();\n  try { await client.query('SET ROLE app'); } catch (error) { client.release(error); throw error; }\n  return client;\n}\n";

describe('names the helper that releases, which may reset a setting first', () => {
  checkRule(rule, [
    {
      name: 'of the function itself',
      code: `${giveBack}${onPath(`
async function f(id) {
  const c = await pool.connect();
  if (!id) return null;
  await c.query('SET ROLE app');
  try { return await c.query('SELECT 1'); } finally { await giveBack(c); }
}`)}`,
      cures: ['Wrap the code after `connect()` in `try … finally { await giveBack(c) }`.'],
    },
    {
      name: 'of others whose client comes from the same function, in another file',
      files: {
        'db.ts': `import { Pool } from 'pg';\nconst pool = new Pool();\nexport ${take}export ${giveBack}`,
      },
      filename: 'sample.ts',
      code: `import { take, giveBack } from './db.ts';
async function f() {
  const client = await take();
  try { return await client.query('SELECT 1'); } finally { await giveBack(client); }
}
async function g() {
  const c = await take();
  //              ^^^^^^ neverReleased
  return await c.query('SELECT 1');
}`,
      cures: ['Wrap the code after `take()` in `try … finally { await giveBack(c) }`.'],
    },
    {
      name: 'a method of the same object',
      code: `
class Database {
  async take() { return pool.connect(); }
  async done(client) { await client.query('DISCARD ALL'); client.release(); }
  async f() {
    const c = await this.take();
    //              ^^^^^^^^^^^ notReleasedOnThrow
    await c.query('SELECT 1');
    await this.done(c);
  }
}`,
      cures: ['Wrap the code after `take()` in `try … finally { await this.done(c) }`.'],
    },
    {
      name: 'and no function that does more than that',
      code: onThrow(`
async function work(client) { await client.query('SELECT 1'); client.release(); }
async function f(audit) {
  const c = await pool.connect();
  await audit();
  await work(c);
}`),
      cures: [
        'Wrap the code after `connect()` in `try … finally { c.release() }`, and release no longer in `work()`.',
      ],
    },
    {
      name: 'and asks no function that gives a client for a query',
      code: `${take}
async function f() {
  const c = await take();
  //              ^^^^^^ neverReleased
  return await c.query('SELECT 1');
}`,
      cures: ['Wrap the code after `take()` in `try … finally { c.release() }`.'],
    },
  ]);
});

describe('ends a transaction where it is left', () => {
  checkRule(
    rule,
    withHeader("import knex from 'knex';\nconst db = knex({ client: 'pg' });", [
      {
        name: 'by a return',
        code: `
async function f(id) {
  const trx = await db.transaction();
  //                ^^^^^^^^^^^^^^^^ notEndedOnSomePath
  if (!id) return;
  await trx.commit();
}`,
        cures: ['Commit or roll back before this exit.'],
      },
      {
        name: 'on no way at all',
        code: `
async function f(id) {
  const trx = await db.transaction();
  //                ^^^^^^^^^^^^^^^^ neverEnded
  await trx('a').insert({ id });
}`,
        cures: ['Commit it at its end, and roll back in a `catch`.'],
      },
    ]),
  );
});
