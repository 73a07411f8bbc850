import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

describe('takes a `connect()` for an acquire', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'of what is asked by instanceof',
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
      name: 'that shows by use, in a file that speaks to another database as well',
      filename: 'a.ts',
      code: `
import pg from 'pg';
import { MongoClient } from 'mongodb';
export async function find(pools, id) {
  const client = await pools.get(id).connect();
  //                   ^^^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
  const { rows } = await client.query('SELECT 1');
  client.release();
  return rows;
}
export async function ping(url) {
  const mongo = await new MongoClient(url).connect();
  await mongo.db().command({ ping: 1 });
}`,
    },
    {
      name: 'whose promise is kept, and awaited later',
      filename: 'a.js',
      code: `
module.exports = function (db) {
  async function now(id) {
    const pending = db.connect();
    //              ^^^^^^^^^^^^ notReleasedOnThrow
    console.log('waiting');
    const client = await pending;
    const { rows } = await client.query('SELECT 1', [id]);
    client.release();
    return rows;
  }
  function chained() {
    const pending = db.connect();
    return pending.then(async (client) => {
      try { return await client.query('SELECT 1'); } finally { client.release(); }
    });
  }
  async function assigned() {
    const pending = db.connect();
    //              ^^^^^^^^^^^^ notReleasedOnThrow
    let client;
    client = await pending;
    await client.query('SELECT 1');
    client.release();
  }
  async function other() {
    const pending = db.connect();
    const socket = await pending;
    await socket.query('SELECT 1');
    socket.close();
  }
};`,
    },
    {
      name: 'of a pool out of a map that holds pools of two databases',
      filename: 'a.js',
      code: `
import pg from 'pg';
const pools = new Map();
async function poolOf(id, mysql2) {
  if (pools.has(id)) return pools.get(id);
  const mysql = await import('mysql2/promise');
  if (id.startsWith('my')) { const other = mysql.createPool({}); pools.set(id, other); return other; }
  const pool = new pg.Pool();
  pools.set(id, pool);
  return pool;
}
export async function find(id) {
  const pool = await poolOf(id);
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  const { rows } = await client.query('SELECT 1');
  client.release();
  return rows;
}`,
    },
    {
      name: 'of a function of this file whose result nobody uses',
      code: `
const fetch1 = () => pool.connect();
async function warm() {
  await fetch1();
  //    ^^^^^^^^ neverReleased
  const idle = await fetch1();
  //                 ^^^^^^^^ neverReleased
}`,
    },
  ]);
});

describe('takes an interface for a pool', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'whose connect() promises something with a release()',
      filename: 'driver.ts',
      code: `
interface AnyClient { query(text: string): Promise<unknown>; release(): void }
interface AnyPool { connect(): Promise<AnyClient>; end(): Promise<void> }
export class Driver {
  #pool?: AnyPool;
  async acquire(hook) {
    const client = await this.#pool!.connect();
    //                   ^^^^^^^^^^^^^^^^^^^^^ notReleasedOnThrow
    const connection = new Connection(client);
    if (hook) await hook(connection);
    return connection;
  }
}`,
    },
    {
      name: 'but not one whose connect() promises something else',
      filename: 'driver.ts',
      code: `
interface AnyServer { connect(): Promise<{ close(): void }> }
export async function ping(server: AnyServer) {
  const session = await server.connect();
  await session.send('ping');
}`,
    },
  ]);
});

describe('follows an async callback of a query', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'that awaits before it releases',
      code: `
function save(name, response) {
  void pool.connect((error, client, release) => {
  //   ^… notReleasedOnThrow
    if (error) return console.error(error);
    client.query('SELECT 1', [name], async (error, result) => {
      await response.json(result);
      release();
    });
  });
}`,
    },
    {
      name: 'that returns before it releases',
      code: `
function save(name) {
  void pool.connect((error, client, release) => {
  //   ^… neverReleased
    if (error) return console.error(error);
    client.query('SELECT 1', [name], async (error, result) => {
      console.log(result);
      return name;
      release();
    });
  });
}`,
    },
    {
      name: 'that releases first',
      code: `
function save(name, response) {
  pool.connect((error, client, release) => {
    if (error) return console.error(error);
    client.query('SELECT 1', [name], async (error, result) => {
      release();
      await response.json(result);
    });
  });
}`,
    },
    {
      name: 'that releases whatever its own awaits come to',
      code: `
function save(name, response) {
  pool.connect((error, client, release) => {
    if (error) return console.error(error);
    client.query('SELECT 1', [name], async (error, result) => {
      try { await response.json(result); } catch (failure) { console.error(failure); } finally { release(); }
    });
  });
}`,
    },
  ]);
});

describe('a function that captured the client and is called at once borrows it', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'before the release',
      code: `
const find = (client) => async (id) => { const { rows } = await client.query('SELECT $1', [id]); return rows; };
class Seasons {
  private async fetch(client: PoolClient) { return find(client)(1); }
  async start() {
    const client = await pool.connect();
    //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
    this.rows = await this.fetch(client).then((rows) => { client.release(); return rows; });
  }
}`,
    },
    {
      name: 'unless it releases',
      code: `
const runAndRelease = (client) => async (text) => { try { return await client.query(text); } finally { client.release(); } };
async function find() {
  const client = await pool.connect();
  return await runAndRelease(client)('SELECT 1');
}`,
    },
    {
      name: 'unless it is kept',
      code: `
const finder = (client) => async (text) => client.query(text);
async function find(finders) {
  const client = await pool.connect();
  finders.current = finder(client);
}`,
    },
  ]);
});

describe('a client that is given back in the end was only lent before', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'inside of what was made with it, behind the hooks of somebody else',
      code: `
class Driver {
  constructor(readonly hooks: Hooks) {}
  async acquireConnection() {
    const client = await pool.connect();
    //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
    const connection = new Connection(client);
    if (this.hooks.onReserve) await this.hooks.onReserve(connection);
    return connection;
  }
}`,
    },
    {
      name: 'as it is',
      code: `
import { prepare } from 'elsewhere';
async function getClient() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await prepare(client);
  return client;
}`,
    },
    {
      name: 'and is released where the preparation fails',
      code: `
import { prepare } from 'elsewhere';
async function getClient() {
  const client = await pool.connect();
  try { await prepare(client); } catch (error) { client.release(error); throw error; }
  return client;
}`,
    },
    {
      name: 'or inside of what was made with it earlier',
      code: `
async function acquire(wrappers) {
  const client = await pool.connect();
  let wrapper = wrappers.get(client);
  if (!wrapper) { wrapper = new Wrapper(client); }
  return wrapper;
}`,
    },
    {
      name: 'or by what was made with it, which is asked whether it did',
      code: `
async function begin() {
  const client = await pool.connect();
  const tracker = new Tracker(client);
  const transaction = new Transaction(client, tracker);
  try {
    await transaction.setUp('BEGIN');
    return transaction;
  } catch (error) {
    if (!transaction.isCompleted()) {
      const failure = tracker.releaseErrorFor(error);
      try { client.release(failure); } finally { tracker.detach(); }
    }
    throw error;
  }
}`,
    },
  ]);
});

describe('follows the callback of a `connect()` that is given more', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'and does not call it back on some path',
      code: `
function find(pool: any, answer: any) {
  pool.connect((error: any, client: any, done: any) => {
    if (error) return answer(error);
    client.query('SELECT 1', (failure: any, result: any) => { done(); answer(failure, result); });
  }, 500);
}
function first(answer) {
  void pool.connect((error, client, done) => {
  //   ^… notReleasedOnSomePath
    if (error) return answer(error);
    client.query('SELECT 1', (failure, result) => { if (failure) return answer(failure); done(); answer(null, result); });
  }, 500);
}`,
    },
    {
      name: 'and releases on each path',
      code: `
function find(answer) {
  pool.connect(function (error, client, done) {
    if (error) return answer(error);
    client.query('SELECT 1', (failure, result) => { done(); answer(failure, result); });
  }, { timeout: 500 });
}`,
    },
  ]);
});
