import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

const listeners: readonly string[] = [
  "client.on('error', (err) => client.release(err));",
  "client.once('error', (err) => { console.error(err); client.release(err); });",
  "client.addListener('error', client.release);",
  "client.on('error', function (err) { return client.release(err); });",
  "const lost = function (err) { client.release(err); };\n  client.on('error', lost);",
];

const inAll = (code: string): readonly Sample[] =>
  listeners.map((listener) => ({
    name: listener,
    code: code.replaceAll('LISTENER', listener),
  }));

describe('a listener that releases a client that is lost owns it on no other way: reports', () => {
  checkRule('no-unreleased-client', [
    ...inAll(`
async function f(id) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  LISTENER
  if (!id) return null;
  const { rows } = await client.query('x');
  client.release();
  return rows;
}`),
    {
      name: 'a client that only the listener releases',
      code: `
async function f() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ neverReleased
  client.on('error', (err) => client.release(err));
  return await client.query('x');
}`,
    },
    {
      name: 'a query that fails',
      code: `
async function f() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  client.on('error', (err) => client.release(err));
  const { rows } = await client.query('x');
  client.release();
  return rows;
}`,
    },
    {
      name: 'a branch of a callback',
      code: `
function f(callback) {
  pool.connect((error, client, done) => {
//^… notReleasedOnSomePath
    if (error) return callback(error);
    client.on('error', done);
    client.query('x', (failure, result) => {
      if (failure) return callback(failure);
      done();
      callback(null, result);
    });
  });
}`,
    },
  ]);
});

describe('is silent where the client comes back, or somebody else has it', () => {
  checkRule('no-unreleased-client', [
    ...inAll(`
async function f() {
  const client = await pool.connect();
  LISTENER
  try { return await client.query('x'); } finally { client.release(); }
}
async function get() {
  const client = await pool.connect();
  LISTENER
  return client;
}`),
    {
      name: 'a flag of the listener decides',
      code: `
async function f() {
  const client = await pool.connect();
  let isBroken = false;
  client.on('error', (err) => { isBroken = true; client.release(err); });
  try { return await client.query('x'); } finally { if (!isBroken) client.release(); }
}
async function g() {
  const client = await pool.connect();
  let isReleased = false;
  const release = (err?: Error) => { if (!isReleased) { isReleased = true; client.release(err); } };
  client.on('error', release);
  try { return await client.query('x'); } finally { release(); }
}
async function h(id) {
  const client = await pool.connect();
  let isBroken = false;
  client.on('error', (err) => { isBroken = true; client.release(err); });
  const { rows } = await client.query('x').catch(() => ({ rows: [] }));
  if (isBroken) return rows;
  client.release();
  return rows;
}
class Store {
  isBroken = false;
  fail() { this.isBroken = true; }
  async find() {
    const client = await pool.connect();
    client.on('error', (err) => { this.fail(); client.release(err); });
    try { return await client.query('x'); } finally { if (!this.isBroken) client.release(); }
  }
}
async function i() {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
  try { return await client.query('x'); } finally { if (isConnected(client)) client.release(); }
}`,
    },
    {
      name: 'it listens, holds a lock, or is given away',
      code: `
async function listen(onMessage) {
  const client = await pool.connect();
  client.on('error', (err) => { client.release(err); setTimeout(() => listen(onMessage), 1000); });
  client.on('notification', onMessage);
  try { await client.query('LISTEN jobs'); } catch (error) { client.release(error); throw error; }
}
async function subscribe(text, onMessage) {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
  client.on('notification', onMessage);
  client.query(text).catch(onMessage);
}
async function lead() {
  const client = await pool.connect();
  client.on('error', (err) => { client.release(err); setTimeout(lead, 1000); });
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock(1) AS is_leader');
    if (rows[0].is_leader) return true;
  } catch (error) { client.release(error); throw error; }
  client.release();
  return false;
}
async function start(sessions) {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
  sessions.add(client);
}
class Session {
  async open() {
    this.client = await pool.connect();
    this.client.on('error', (err) => this.client.release(err));
  }
}
async function stream(res, Stream) {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
  const rows = client.query(new Stream('SELECT 1'));
  rows.on('end', () => client.release());
  rows.on('error', (err) => client.release(err));
  rows.pipe(res);
}`,
    },
  ]);
});

describe('a listener and the code around it that both release are two owners: reports', () => {
  checkRule('no-double-release', [
    {
      name: 'the listener that stays at the release',
      code: `
async function f() {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ listenerReleases
  try { return await client.query('x'); } finally { client.release(); }
}
async function g() {
  let client;
  try {
    client = await pool.connect();
    client.once('error', client.release);
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ listenerReleases
    return await client.query('x');
  } finally { if (client) client.release(); }
}
async function h(id) {
  const client = await pool.connect();
  const lost = (err) => { console.error(err); client.release(err); };
  client.on('error', lost);
//^^^^^^^^^^^^^^^^^^^^^^^^ listenerReleases
  if (!id) return null;
  const { rows } = await client.query('x');
  client.release();
  return rows;
}`,
    },
    {
      name: 'one in a callback',
      code: `
function f(callback) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    client.on('error', (err) => { done(err); callback(err); });
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ listenerReleases
    client.query('x', (failure, result) => {
      done();
      callback(failure, result);
    });
  });
}`,
    },
  ]);
});

describe('is silent where one of them releases', () => {
  checkRule('no-double-release', [
    {
      name: 'the listener is taken off before, or the connection is closed',
      code: `
async function f() {
  const client = await pool.connect();
  const lost = (err) => client.release(err);
  client.on('error', lost);
  try { return await client.query('x'); } finally { client.off('error', lost); client.release(); }
}
async function g() {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
  try { return await client.query('x'); } finally { client.removeAllListeners(); client.release(); }
}
async function h() {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
  try { return await client.query('x'); } finally { client.release(true); }
}`,
    },
    {
      name: 'a flag, or a question to the client, decides',
      code: `
async function f() {
  const client = await pool.connect();
  let isBroken = false;
  client.on('error', (err) => { isBroken = true; client.release(err); });
  try { return await client.query('x'); } finally { if (!isBroken) client.release(); }
}
async function g() {
  const client = await pool.connect();
  client.on('error', (err) => client.release(err));
  try { return await client.query('x'); } finally { if (isConnected(client)) client.release(); }
}
async function h() {
  const client = await pool.connect();
  client.on('error', (err) => { if (isFatal(err)) client.release(err); });
  try { return await client.query('x'); } finally { client.release(); }
}
async function i() {
  const client = await pool.connect();
  const { release } = client;
  client.release = (err) => { client.release = () => {}; release(err); };
  client.on('error', (err) => client.release(err));
  try { return await client.query('x'); } finally { client.release(); }
}`,
    },
    {
      name: 'the listener does not release, or hears of something else',
      code: `
async function f() {
  const client = await pool.connect();
  client.on('error', (err) => console.error(err));
  client.on('notice', () => client.release());
  client.on('end', () => client.release());
  try { return await client.query('x'); } finally { client.release(); }
}`,
    },
  ]);
});
