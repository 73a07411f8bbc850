import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

const rule = 'no-double-release';

describe('reports the second release', () => {
  checkRule(rule, [
    {
      name: 'an explicit release before a return, and a finally',
      code: `
async function f(id) {
  const c = await pool.connect();
  try {
    const { rows } = await c.query('x', [id]);
    if (rows.length === 0) {
      c.release();
      return null;
    }
    return rows[0];
  } finally {
    c.release();
  //^^^^^^^^^^^ releasedAgain
  }
}`,
    },
    {
      name: 'in one run of a helper that is called under a test',
      code: `
async function f(items, told) {
  const c = await pool.connect();
  for (const item of items) if (item) giveBack(c, told);
  //                                  ^^^^^^^^^^^^^^^^^ releasedInEachRound
}
function giveBack(taken, told) { if (told) taken.release(); taken.release(); }`,
    },
    {
      name: 'one of two releases in a try, behind what may throw',
      code: `
async function f(done) {
  const c = await pool.connect();
  await c.query('x').then(() => {
    try { if (done) { c.release(); } else { c.query('y'); } } finally {}
    switch (pick()) {
      case 0: { c.release(); }
      //        ^^^^^^^^^^^ releasedAgain
    }
  });
}`,
    },
    {
      name: 'two statements in a row',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); } finally { c.release(); c.release(); }
  //                                                 ^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'an await behind the release, in a try whose catch releases',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('x');
    c.release();
    await notify();
  } catch (error) {
    c.release(error);
  //^^^^^^^^^^^^^^^^ releasedAgain
    throw error;
  }
}`,
    },
    {
      name: 'a throw behind the release, in a try whose catch releases',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    const { rows } = await c.query('x');
    c.release();
    if (rows.length === 0) throw new Error('not found');
    return rows[0];
  } catch (error) {
    c.release();
  //^^^^^^^^^^^ releasedAgain
    throw error;
  }
}`,
    },
    {
      name: 'catch and finally',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); } catch (error) { c.release(error); throw error; } finally { c.release(); }
  //                                                                                     ^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'a chain that throws behind its release',
      code: `
function f() {
  return pool.connect().then((c) =>
    c.query('x').then(({ rows }) => {
      c.release();
      if (rows.length === 0) throw new Error('not found');
      return rows[0];
    }).catch((error) => {
      c.release();
    //^^^^^^^^^^^ releasedAgain
      throw error;
    }));
}`,
    },
    {
      name: 'a chain with a release in then and in finally',
      code: `
function f() {
  return pool.connect().then((c) => c.query('x').then((result) => { c.release(); return result; }).finally(() => c.release()));
  //                                                                                                             ^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'done in an error branch without a return',
      code: `
function f(callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    c.query('x', (error, result) => {
      if (error) {
        done(error);
        callback(error);
      }
      done();
    //^^^^^^ releasedAgain
      callback(null, result.rows);
    });
  });
}`,
    },
    {
      name: 'done and client.release',
      code: `
function f(callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    c.query('x', (error, result) => {
      c.release();
      done();
    //^^^^^^ releasedAgain
      callback(error, result);
    });
  });
}`,
    },
    {
      name: 'every round of a loop',
      code: `
async function f(ids) {
  const c = await pool.connect();
  for (const id of ids) {
    await c.query('x', [id]);
    c.release();
  //^^^^^^^^^^^ releasedInEachRound
  }
}`,
    },
    {
      name: 'a failing item releases, and the loop goes on to the end',
      code: `
async function f(ids) {
  const c = await pool.connect();
  for (const id of ids) {
    try { await c.query('x', [id]); } catch { c.release(); }
    //                                        ^^^^^^^^^^^ releasedInEachRound
  }
  c.release();
//^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'a helper of the file that releases, and a finally',
      code: `
async function rollback(c) { await c.query('ROLLBACK'); c.release(); }
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); } catch (error) { await rollback(c); throw error; } finally { c.release(); }
  //                                                                                      ^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'a helper called twice is reported at its call',
      code: `
async function f() {
  const c = await pool.connect();
  const close = () => { c.release(); };
  try { await c.query('x'); close(); await notify(); } catch { close(); }
  //                                                           ^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'a helper called twice with the flag that it tests',
      code: `
const give = (client, isDone) => { if (isDone) client.release(); };
async function f() {
  const c = await pool.connect();
  try { await give(c, true); } finally { await give(c, true); }
  //                                           ^^^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'a release function taken out of the client',
      code: `
async function f() {
  const c = await pool.connect();
  const { release } = c;
  try { await c.query('x'); release(); } finally { c.release(); }
  //                                               ^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'a client that is also kept in a field',
      code: `
class Repository {
  async f() {
    const c = await pool.connect();
    this.current = c;
    try { await c.query('x'); c.release(); } finally { c.release(); }
    //                                                 ^^^^^^^^^^^ releasedAgain
  }
}`,
    },
    {
      name: 'the loop that acquires releases twice in one round',
      code: `
async function f(ids) {
  for (const id of ids) {
    const c = await pool.connect();
    try { await c.query('x', [id]); c.release(); } finally { c.release(); }
    //                                                       ^^^^^^^^^^^ releasedAgain
  }
}`,
    },
  ]);
});

const lender = `async function withClient(work) {
  const c = await pool.connect();
  try { return await work(c); } finally { c.release(); }
}`;

describe('reports the release of the last round where the next checkout fails', () => {
  checkRule(rule, [
    {
      name: 'in a finally around it, in a catch, and behind a flag',
      code: `
async function f() {
  let c;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      c = await pool.connect();
      await c.query('x');
      return;
    } catch (error) {
      log(error);
    } finally {
      if (c) c.release();
      //     ^^^^^^^^^^^ releasedInEachRound
    }
  }
}
async function g(ids) {
  let c = null;
  try {
    for (const id of ids) {
      c = await pool.connect();
      await c.query('x', [id]);
      c.release();
    }
  } catch (error) {
    c?.release();
  //^^^^^^^^^^^^ releasedAgain
    throw error;
  }
}`,
    },
    {
      name: 'and not where the name is empty by then, belongs to the round, or the way leaves',
      code: `
async function f() {
  let c;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      c = await pool.connect();
      await c.query('x');
      return;
    } catch (error) {
      log(error);
    } finally {
      if (c) c.release();
      c = undefined;
    }
  }
}
async function g() {
  for (let attempt = 0; attempt < 3; attempt++) {
    let c;
    try { c = await pool.connect(); return await c.query('x'); }
    catch (error) { log(error); }
    finally { c?.release(); }
  }
}
async function h(ids) {
  for (const id of ids) {
    const c = await pool.connect();
    try { await c.query('x', [id]); } finally { c.release(); }
  }
}
async function i(ids) {
  let c;
  for (const id of ids) {
    c = await pool.connect();
    try { await c.query('x', [id]); } finally { c.release(); }
  }
}`,
    },
  ]);
});

describe('reports a catch that releases once more what a later failure finds released', () => {
  checkRule(rule, [
    {
      name: 'of a function that a handler calls and gives the promise of',
      code: `
async function save(row) { await pool.query('y', [row]); }
function f() {
  return pool.connect().then((c) =>
    c.query('x')
      .then((result) => { c.release(); return save(result.rows[0]); })
      .catch((error) => { c.release(); throw error; }));
  //                      ^^^^^^^^^^^ releasedAgain
}
const log = (row) => pool.query('z', [row]);
function g() {
  let c;
  return pool.connect().then((given) => { c = given; return c.query('x'); })
    .then((result) => { c.release(); return result.rows; })
    .then((rows) => log(rows))
    .catch(() => { c.release(); });
  //               ^^^^^^^^^^^ releasedAgain
}`,
    },
    {
      name: 'of a function that throws by itself',
      code: `
function only(rows) {
  if (rows.length !== 1) throw new Error('not one');
  return rows[0];
}
function f(res) {
  pool.connect().then((c) => {
    c.query('x')
      .then(({ rows }) => { c.release(); res.send(only(rows)); })
      .catch(() => c.release());
    //             ^^^^^^^^^^^ releasedAgain
  });
}
async function g() {
  const c = await pool.connect();
  try {
    const { rows } = await c.query('x');
    c.release();
    return only(rows);
  } catch (error) {
    c.release();
  //^^^^^^^^^^^ releasedAgain
    throw error;
  }
}`,
    },
    {
      name: 'and none whose failure stays inside, depends on a constant, or is not known',
      code: `
async function save(row) { try { await pool.query('y', [row]); } catch { count(row); } }
function only(rows) { try { if (rows.length !== 1) throw new Error('x'); } catch { return null; } }
function check(rows, kind) { if (kind === 'strict') throw new Error('x'); return rows; }
function f(res) {
  return pool.connect().then((c) =>
    c.query('x')
      .then((result) => { c.release(); return save(result.rows[0]); })
      .catch((error) => { c.release(); throw error; }));
}
function g(res) {
  return pool.connect().then((c) =>
    c.query('x')
      .then(({ rows }) => { c.release(); res.send(only(rows)); res.send(check(rows, 'any')); })
      .catch((error) => { c.release(); throw error; }));
}
function h() {
  return pool.connect().then((c) =>
    c.query('x')
      .then(({ rows }) => { c.release(); return imported(rows); })
      .catch((error) => { c.release(); throw error; }));
}`,
    },
  ]);
});

describe('reports a release behind a helper, whoever answers for the client', () => {
  const giveBack = 'function giveBack(client) { client.release(); }';
  const code = (head: string) => `${head}
function sessionOf(client) {
  return { async begin() { await client.query('BEGIN'); } };
}
async function f() {
  const c = await pool.connect();
  const session = sessionOf(c);
  giveBack(c);
  c.release();
//^^^^^^^^^^^ releasedAgain
}`;
  checkRule(rule, [
    { name: 'of its file', code: code(giveBack) },
    {
      name: 'of another file',
      files: { 'give-back.js': `export ${giveBack}` },
      code: code("import { giveBack } from './give-back.js';"),
    },
  ]);
});

describe('reports a release beside the one of who lent the client', () => {
  checkRule(rule, [
    {
      name: 'in the callback of a wrapper',
      code: `${lender}
const f = () => withClient(async (c) => {
  await c.query('x');
  c.release();
//^^^^^^^^^^^ lenderReleases
});`,
    },
    {
      name: 'in a finally, with a wrapper that is a method',
      code: `
class Db {
  async run(work) {
    const c = await pool.connect();
    try { return await work(c); } catch (error) { throw error; } finally { c.release(); }
  }
}
const db = new Db();
async function g() {
  return db.run(async (c) => {
    try { return await c.query('x'); } finally { c.release(); }
    //                                           ^^^^^^^^^^^ lenderReleases
  });
}`,
    },
    {
      name: 'where the wrapper stands on another one',
      code: `${lender}
const inTransaction = (work) => withClient(async (c) => {
  await c.query('BEGIN');
  const result = await work(c);
  await c.query('COMMIT');
  return result;
});
const f = () => inTransaction(async (c) => {
  await c.query('x');
  c.release();
//^^^^^^^^^^^ lenderReleases
});`,
    },
    {
      name: 'in a helper that the callback calls, of another file',
      files: {
        'db.js': `import { Pool } from 'pg';
const pool = new Pool();
export ${lender}`,
      },
      code: `import { withClient } from './db.js';
const end = (c) => { c.release(); };
const f = () => withClient(async (c) => {
  await c.query('x');
  end(c);
//^^^^^^ lenderReleases
});`,
    },
    {
      name: 'on failure only, which the wrapper releases after as well',
      code: `
async function open(work) {
  const c = await pool.connect();
  try { await work(c); } catch (error) { c.release(error); throw error; }
  c.release();
}
const f = () => open(async (c) => {
  try { await c.query('x'); } catch (error) { c.release(error); throw error; }
  //                                          ^^^^^^^^^^^^^^^^ lenderReleases
});`,
    },
  ]);
});

describe('is silent about a callback that releases', () => {
  checkRule(rule, [
    {
      name: 'where the wrapper leaves that to it',
      code: `
async function open(work) { const c = await pool.connect(); return work(c); }
const f = () => open(async (c) => { try { await c.query('x'); } finally { c.release(); } });`,
    },
    {
      name: 'where the wrapper releases after failures only',
      code: `
async function open(work) {
  const c = await pool.connect();
  try { return await work(c); } catch (error) { c.release(error); throw error; }
}
const f = () => open(async (c) => {
  const result = await c.query('x');
  c.release();
  return result;
});`,
    },
    {
      name: 'where the wrapper has made release harmless to repeat',
      code: `
async function withClient(work) {
  const c = await pool.connect();
  const release = c.release;
  let isOut = true;
  c.release = () => { if (isOut) { isOut = false; release.call(c); } };
  try { return await work(c); } finally { c.release(); }
}
const f = () => withClient(async (c) => { await c.query('x'); c.release(); });`,
    },
    {
      name: 'where the callback gets the function that releases and calls it',
      code: `
const lend = (work) => pool.connect((error, c, done) => work(error, c, done));
lend((error, c, done) => { if (error) return; c.query('x', () => done()); });`,
    },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    {
      name: 'where branches release separately',
      code: `
async function f(ok) {
  const c = await pool.connect();
  if (ok) { await c.query('x').catch(() => undefined); c.release(); return; }
  c.release(true);
}`,
    },
    {
      name: 'where the release is the last effect of the try, and the catch rethrows',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    const { rows } = await c.query('x');
    c.release();
    return rows;
  } catch (error) {
    c.release(error);
    throw error;
  }
}`,
    },
    {
      name: 'where only a synchronous call could throw behind the release',
      code: `
async function f(response) {
  const c = await pool.connect();
  try {
    const { rows } = await c.query('x');
    c.release();
    response.json(rows);
  } catch (error) {
    c.release();
    response.status(500).end();
  }
}`,
    },
    {
      name: 'with a flag',
      code: `
async function f() {
  const c = await pool.connect();
  let released = false;
  try {
    await c.query('x');
    c.release();
    released = true;
    await notify();
  } finally {
    if (!released) c.release();
  }
}`,
    },
    {
      name: 'with a flag in a helper',
      code: `
async function f() {
  const c = await pool.connect();
  let released = false;
  const release = () => { if (released) return; released = true; c.release(); };
  try { await c.query('x'); release(); await notify(); } finally { release(); }
}`,
    },
    {
      name: 'with a flag in an object',
      code: `
async function f() {
  const state = { open: true };
  const c = await pool.connect();
  state.open = true;
  try { await c.query('x'); c.release(); state.open = false; await notify(); } finally { if (state.open) c.release(); }
}`,
    },
    {
      name: 'with the variable set to null',
      code: `
async function f() {
  let c = await pool.connect();
  try { await c.query('x'); c.release(); c = null; await notify(); } finally { c?.release(); }
}`,
    },
    {
      name: 'with a question to the client itself',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); c.release(); await notify(); } finally { if (!c.released) c.release(); }
}`,
    },
    {
      name: 'in a loop that acquires anew',
      code: `
async function f(ids) {
  for (const id of ids) {
    const c = await pool.connect();
    try { await c.query('x', [id]); } finally { c.release(); }
  }
}`,
    },
    {
      name: 'where the variable gets another client',
      code: `
async function f() {
  let c = await pool.connect();
  try { await c.query('x'); } finally { c.release(); }
  await notify();
  c = await pool.connect();
  try { await c.query('y'); } finally { c.release(); }
}`,
    },
    {
      name: 'in the last round of a loop only',
      code: `
async function f(ids) {
  const c = await pool.connect();
  for (let i = 0; i < ids.length; i++) {
    await c.query('x', [ids[i]]);
    if (i === ids.length - 1) c.release();
  }
}`,
    },
    {
      name: 'in the round of one element',
      code: `
async function f(ids, last) {
  const c = await pool.connect();
  const give = (id) => { if (id === last) c.release(); };
  for (const id of ids) {
    await c.query('x', [id]);
    give(id);
  }
}`,
    },
    {
      name: 'at the end of a countdown',
      code: `
function f(ids, callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    let pending = 2;
    c.query('x', (error) => { if (--pending === 0) { done(); callback(); } });
    c.query('y', (error) => { if (--pending === 0) { done(); callback(); } });
  });
}`,
    },
    {
      name: 'at the end of a countdown in a helper',
      code: `
function f(ids, callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    let pending = 2;
    function finish() { pending -= 1; if (pending === 0) done(); }
    c.query('x', (error) => finish());
    c.query('y', (error) => finish());
  });
}`,
    },
    {
      name: 'where the catch hands the release on behind an awaited helper that releases',
      code: `
async function commit(c) { await c.query('COMMIT'); c.release(); }
async function rollback(c) { await c.query('ROLLBACK'); c.release(); }
async function f() {
  const c = await pool.connect();
  try { await c.query('BEGIN'); await commit(c); } catch (error) { await rollback(c); throw error; }
}`,
    },
    {
      name: 'in chains that release once on each way',
      code: `
function f() {
  return pool.connect().then((c) => c.query('x').then((result) => { c.release(); return result; }).catch((error) => { c.release(); throw error; }));
}
function g() {
  return pool.connect().then((c) => c.query('x').then((result) => { c.release(); return format(result); }, (error) => { c.release(); throw error; }));
}
function h(done) {
  return pool.connect().then((c) => c.query('x').then(c.release).catch(c.release));
}`,
    },
    {
      name: 'in callbacks that return behind each release',
      code: `
function f(callback) {
  pool.connect((error, c, done) => {
    if (error) { done(); return callback(error); }
    c.query('x', (error, result) => {
      if (error) { done(error); return callback(error); }
      done();
      callback(null, result.rows);
    });
  });
}`,
    },
    {
      name: 'with a listener that releases elsewhere',
      code: `
async function f(response) {
  const c = await pool.connect();
  response.on('close', () => c.release());
  await c.query('x').catch(() => c.release());
}`,
    },
    {
      name: 'with locks and semaphores',
      filename: 'lock.js',
      code: `
import { Pool } from 'pg';
import { Semaphore } from 'semaphore';
const pool = new Pool();
const gate = new Semaphore(2);
export async function f() {
  const permit = await gate.acquire();
  try { await pool.query('x'); permit.release(); } finally { permit.release(); }
}`,
    },
    {
      name: 'behind a switch that returns',
      code: `
async function f(kind) {
  const c = await pool.connect();
  switch (kind) {
    case 'a': c.release(); return 1;
    case 'b': c.release(); break;
    default: c.release();
  }
  return 2;
}`,
    },
  ]);
});
