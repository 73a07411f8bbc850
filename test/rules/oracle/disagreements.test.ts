import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

/** The smallest programs on which the analysis and the truth once differed. */
describe('agrees where it did not', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'a client compared with false',
      code: `
async function f(p) {
  const client = p && (await pool.connect());
  if (client !== false) client.release();
}`,
    },
    {
      name: 'a query callback that throws while the function around it releases',
      code: `
async function f() {
  const client = await pool.connect();
  client.query('x', (error, result) => {
    throw new Error('thrown');
  });
  client.release();
}`,
    },
    {
      name: 'a chain that nobody waits for rejects while the callback around it releases',
      code: `
function f(callback) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    client.query('x').then((result) => log(result));
    done();
  });
}`,
    },
    {
      name: 'an inner callback throws while the one around it releases',
      code: `
function f(callback) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    client.query('x', (failure) => {
      if (failure) throw failure;
    });
    done();
  });
}`,
    },
    {
      name: 'an inner callback throws before it releases',
      code: `
function f(callback) {
  pool.connect((error, client, done) => {
//^… notReleasedOnThrow
    if (error) return callback(error);
    client.query('x', (failure) => {
      if (failure) throw failure;
      done();
    });
  });
}`,
    },
    {
      name: 'a chain that nobody waits for releases only when it fulfils',
      code: `
async function f() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  void client.query('x').then(() => client.release());
}`,
    },
    {
      name: 'a handler that hands on what it was called with',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x').catch(() => null).then((result) => {
    return result;
  });
  client.release();
}`,
    },
    {
      name: 'a helper that fails before it releases',
      code: `
async function giveBack(client) { await client.query('ROLLBACK'); client.release(); }
async function f() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await giveBack(client);
}`,
    },
    {
      name: 'lent on the way to a helper that releases',
      code: `
function giveBack(client) { client.release(); }
async function f(p) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnSomePath
  if (p) {
    await stranger(client);
    giveBack(client);
  }
}`,
    },
    {
      name: 'a handler that gives its client to the chain',
      code: `
async function f() {
  const client = await pool.connect().then((raw) => raw);
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await client.query('x');
  client.release();
}`,
    },
    {
      name: 'a chain around the checkout in a loop',
      code: `
async function f(items) {
  for (const item of items) {
    const client = await pool.connect().then(async (raw) => { try { await raw.query('x'); } catch (error) { raw.release(); throw error; } return raw; });
    client.release();
  }
}`,
    },
    {
      name: 'a flag that is also set where control never comes',
      code: `
async function f() {
  const client = await pool.connect();
  let isReleased = false;
  try {
    throw new Error('thrown');
    await client.query('x').then(() => { isReleased = true; });
  } finally { if (!isReleased) client.release(); }
}`,
    },
    {
      name: 'more things to remember than a point may have',
      code: `
async function giveBack(client) { try { await client.query('ROLLBACK'); } finally { client.release(); } }
async function f() {
  const first = await pool.connect();
  first.query('x', (error) => { if (error) log(error); });
  try { await giveBack(first); }
  catch (error) {
    try {
      const second = await pool.connect();
      //                   ^^^^^^^^^^^^^^ neverReleased
      first?.release();
    } catch (error) {
      first.query('x', (error) => { if (error) log(error); });
      if (first) log(first);
    }
    await first.query('x').then((result) => { return result; });
  }
  finally { await first.query('x').then((result) => { return result; }); }
}`,
    },
  ]);
  checkRule('no-use-after-release', [
    {
      name: 'a query that is sent before the callback of the one above it releases',
      code: `
async function f() {
  const client = await pool.connect();
  client.query('x', () => {
    client.release();
  });
  await client.query('y');
}`,
    },
    {
      name: 'a query behind a release in the same callback',
      code: `
async function f() {
  const client = await pool.connect();
  client.query('x', () => {
    client.release();
    client.query('y');
//  ^^^^^^^^^^^^^^^^^ used
  });
}`,
    },
  ]);
  checkRule('no-open-transaction-release', [
    {
      name: 'a BEGIN in a callback that runs behind the release',
      code: `
async function f() {
  const client = await pool.connect();
  client.query('SELECT 1', () => { client.query('BEGIN'); });
  client.release();
}`,
    },
  ]);
  checkRule('no-double-release', [
    {
      name: 'a release in a callback and one behind it, whatever they are called',
      code: `
function f(callback) {
  pool.connect((a, b, c) => {
    if (a) return callback(a);
    b.query('x', () => { c(); });
    //                   ^^^ releasedAgain
    c();
  });
}`,
    },
    {
      name: 'a chain that is returned in a try whose catch releases',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    client.release();
    return stranger().then((result) => result);
  } catch (error) {
    client.release();
  }
}`,
    },
    {
      name: 'a loop in which a later round may check nothing out',
      code: `
async function f(p, items) {
  for (const item of items) {
    const client = p ? await pool.connect() : null;
    try {
      if (client) await client.query('x');
    } finally {
      if (client) client.release();
    }
  }
}`,
    },
    {
      name: 'a loop that asks for the client itself before each release',
      code: `
async function f() {
  const client = await pool.connect();
  while (more()) {
    if (client) client.release();
    //          ^^^^^^^^^^^^^^^^ releasedInEachRound
  }
}`,
    },
  ]);
});
