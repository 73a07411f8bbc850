import { parser as typescriptParser } from 'typescript-eslint';
import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { checkRule } from '../support/marked.ts';

const rule = 'no-use-after-release';

describe('reports work behind the release', () => {
  checkRule(rule, [
    {
      name: 'a query',
      code: `
async function f() {
  const c = await pool.connect();
  await c.query('x').finally(() => c.release());
  await c.query('y');
  //    ^^^^^^^^^^^^ used
}`,
    },
    {
      name: 'a query, where a helper that calls itself has released before it fails',
      files: {
        'walk.js': `export async function walk(taken, depth) {
          await taken.query('x');
          if (depth > 0) { await walk(taken, depth - 1); await work(); return; }
          taken.release();
        }`,
      },
      code: `
import { walk } from './walk.js';
async function f(depth) {
  const client = await pool.connect();
  await walk(client, depth);
  await client.query('y');
  //    ^^^^^^^^^^^^^^^^^ used
}`,
    },
    {
      name: 'in the callback of a query behind which a helper of a helper releases',
      code: `
function f() {
  pool.connect((error, client) => {
    if (error) return;
    client.query('x', () => { client.query('y'); });
    //                        ^^^^^^^^^^^^^^^^^ used
    giveBackUnless(client, keep);
  });
}
function giveBackUnless(taken, isKept) { if (!isKept) giveBack(taken); }
function giveBack(taken) { taken.release(); }`,
    },
    {
      name: 'ROLLBACK in a catch that sees failures behind the release',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('COMMIT');
    c.release();
    await notify();
  } catch (error) {
    await c.query('ROLLBACK');
    //    ^^^^^^^^^^^^^^^^^^^ used
    throw error;
  }
}`,
    },
    {
      name: 'a branch that releases and goes on',
      code: `
async function f(id) {
  const c = await pool.connect();
  const { rows } = await c.query('x', [id]);
  if (rows.length === 0) c.release();
  await c.query('y', [id]);
  //    ^^^^^^^^^^^^^^^^^^ used
}`,
    },
    {
      name: 'the next round of a loop',
      code: `
async function f(ids) {
  const c = await pool.connect();
  for (const id of ids) {
    await c.query('x', [id]);
    //    ^^^^^^^^^^^^^^^^^^ used
    c.release();
  }
}`,
    },
    {
      name: 'the next round behind a continue',
      code: `
async function f(ids) {
  const c = await pool.connect();
  for (const id of ids) {
    const { rows } = await c.query('x', [id]);
    //                     ^^^^^^^^^^^^^^^^^^ used
    if (rows.length === 0) { c.release(); continue; }
    await notify(rows);
  }
}`,
    },
    {
      name: 'a helper that queries',
      code: `
async function insert(c, row) { await c.query('INSERT', [row]); }
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); } finally { c.release(); }
  await insert(c, 1);
  //    ^^^^^^^^^^^^ handedOn
}`,
    },
    {
      name: 'a callback that gets it',
      code: `
function connect(callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    done();
    callback(null, c);
  //^^^^^^^^^^^^^^^^^ handedOn
  });
}`,
    },
    {
      name: 'a callback that gets it before the next tick releases it',
      code: `
function Connector() {}
Connector.prototype.connect = function (callback) {
  const self = this;
  pool.connect(function (error, c, done) {
    self.client = c;
    process.nextTick(done);
    callback && callback(error, c);
    //          ^^^^^^^^^^^^^^^^^^ handedOn
  });
};`,
    },
    {
      name: 'end() behind the release',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); } finally { c.release(); await c.end(); }
  //                                                       ^^^^^^^ used
}`,
    },
    {
      name: 'a query in the callback of one that still runs at the release',
      code: `
function f(res) {
  pool.connect(async (error, c, release) => {
    if (error) return console.error(error);
    c.query('x', (error, result) => {
      if (error) throw error;
      if (result.rows.length > 0) res.render('known');
      else c.query('y', (error) => { if (error) throw error; res.redirect('/'); });
      //   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ used
    });
    release();
    if (error) return console.error(error.message);
  });
}`,
    },
    {
      name: 'a query in a callback that a branch started before the release',
      code: `
function f(id, isKnown) {
  return pool.connect().then((c) => {
    c.query('x', [id]);
    if (isKnown) {
      c.query('y', [id], (error, { rows }) => {
        c.query('z', [rows[0].n]);
      //^^^^^^^^^^^^^^^^^^^^^^^^^ used
      });
    }
    c.release();
  });
}`,
    },
    {
      name: 'a query in a callback that a loop, a switch, a condition started before the release',
      code: `
async function f(ids) {
  const c = await pool.connect();
  for (const id of ids) c.query('x', [id], () => { c.query('z'); });
  //                                               ^^^^^^^^^^^^ used
  c.release();
}
async function g(kind) {
  const c = await pool.connect();
  switch (kind) {
    case 'a': c.query('x', () => { c.query('y'); }); break;
    //                             ^^^^^^^^^^^^ used
    default: log(kind);
  }
  c.release();
}
async function h(isKnown) {
  const c = await pool.connect();
  isKnown && c.query('x', () => { c.query('y'); });
  //                              ^^^^^^^^^^^^ used
  c.release();
}`,
    },
    {
      name: 'a query in a callback that the `finally` around its start does not wait for',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    c.query('x', (error, result) => { if (!error) c.query('y', [result]); });
    //                                            ^^^^^^^^^^^^^^^^^^^^^^ used
  } finally {
    c.release();
  }
}
async function g() {
  const c = await pool.connect();
  try {
    return new Promise((resolve) => {
      c.query('x', (error, result) => { resolve(c.query('y', [result])); });
      //                                        ^^^^^^^^^^^^^^^^^^^^^^ used
    });
  } finally {
    c.release();
  }
}`,
    },
    {
      name: 'a callback query behind done',
      code: `
function f(callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    c.query('x', (error, result) => {
      done();
      c.query('y', [result], callback);
    //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ used
    });
  });
}`,
    },
  ]);
});

describe('takes a callback for later than the release only where the way leads over its call', () => {
  checkRule(rule, [
    {
      name: 'which another branch makes',
      code: `
async function f(isKnown) {
  const c = await pool.connect();
  if (isKnown) c.query('x', () => { c.query('y', () => c.release()); });
  else c.release();
}
async function g(isKnown) {
  const c = await pool.connect();
  if (isKnown) {
    c.query('x', () => { c.query('y', () => c.release()); });
    return;
  }
  c.release();
}`,
    },
    {
      name: 'and nothing is waited for before the release',
      code: `
async function f(isKnown) {
  const c = await pool.connect();
  if (isKnown) c.query('x', () => { c.query('y'); });
  await c.query('z');
  c.release();
}
async function g(ids) {
  const c = await pool.connect();
  for (const id of ids) {
    await c.query('x', [id]);
    c.query('x', () => { c.query('y'); });
  }
  c.release();
}
async function h() {
  const c = await pool.connect();
  try {
    return await new Promise((resolve) => {
      c.query('x', () => { c.query('y', resolve); });
    });
  } finally {
    c.release();
  }
}`,
    },
  ]);
});

describe('reports queries that still run when the client goes back', () => {
  checkRule(rule, [
    {
      name: 'returned under a finally',
      code: `
async function f() {
  const c = await pool.connect();
  try { return c.query('x'); } finally { c.release(); }
  //           ^^^^^^^^^^^^ returnedUnsettled
}`,
    },
    {
      name: 'returned as a chain, and several at once',
      code: `
async function f() {
  const c = await pool.connect();
  try { return c.query('x').then(({ rows }) => rows); } finally { c.release(); }
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
}
async function g() {
  const c = await pool.connect();
  try { return Promise.all([c.query('x'), c.query('y')]); } finally { c.release(); }
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
}`,
    },
    {
      name: 'two returns under one finally',
      code: `
async function f(id) {
  const c = await pool.connect();
  try {
    if (id) return c.query('x', [id]);
    //             ^^^^^^^^^^^^^^^^^^ returnedUnsettled
    return c.query('y');
    //     ^^^^^^^^^^^^ returnedUnsettled
  } finally { c.release(); }
}`,
    },
    {
      name: 'awaited behind the release',
      code: `
async function f() {
  const c = await pool.connect();
  const query = c.query('x');
  //            ^^^^^^^^^^^^ notAwaited
  c.release();
  return await query;
}`,
    },
    {
      name: 'one for each element of a list',
      code: `
async function f(ids) {
  const c = await pool.connect();
  try { return Promise.all(ids.map((id) => c.query('x', [id]))); } finally { c.release(); }
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
}
async function g(ids) {
  const c = await pool.connect();
  const load = async (id) => (await c.query('x', [id])).rows[0];
  try { return Promise.all(ids.map(load)); } finally { c.release(); }
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
}`,
    },
    {
      name: 'started for each element in a helper, and kept over the release',
      code: `
const load = (c, id) => c.query('x', [id]);
async function f(ids) {
  const c = await pool.connect();
  const all = ids.map((id) => load(c, id));
  //          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ notAwaited
  c.release();
  return await Promise.all(all);
}`,
    },
    {
      name: 'in a helper whose promise is kept, or returned',
      files: {
        'load.js': `export async function load(c) { const { rows } = await c.query('x'); return rows; }`,
      },
      code: `
import { load } from './load.js';
const first = (c) => c.query('x');
async function f() {
  const c = await pool.connect();
  const rows = load(c);
  //           ^^^^^^^ notAwaited
  c.release();
  return rows;
}
async function g() {
  const c = await pool.connect();
  try { return first(c); } finally { c.release(); }
  //           ^^^^^^^^ returnedUnsettled
}
async function h() {
  const c = await pool.connect();
  try { return load(c).then((rows) => rows[0]); } finally { c.release(); }
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
}`,
    },
    {
      name: 'the callers work, returned under a finally',
      code: `
async function withClient(work: (c: PoolClient) => Promise<void>) {
  const c = await pool.connect();
  try { return work(c); } finally { c.release(); }
  //           ^^^^^^^ returnedUnsettled
}`,
    },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    {
      name: 'where what a helper has started is awaited before the release',
      code: `
async function load(c) { const { rows } = await c.query('x'); return rows; }
const first = (c) => c.query('x');
async function f(ids) {
  const c = await pool.connect();
  try { return await Promise.all(ids.map((id) => first(c))); } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  const rows = load(c);
  try { await rows; return await first(c); } finally { c.release(); }
}
async function h() {
  const c = await pool.connect();
  return load(c).finally(() => c.release());
}`,
    },
    {
      name: 'where rounds and helpers only ask the client for its members',
      code: `
const quote = (c, row) => c.escapeIdentifier(row.name);
async function f() {
  const c = await pool.connect();
  try {
    const { rows } = await c.query('x');
    const names = rows.map((row) => quote(c, row));
    return names;
  } finally { c.release(); }
}`,
    },
    {
      name: 'about a callback that runs while somebody waits, and one that only reads',
      code: `
function f(res) {
  pool.connect((error, c, done) => {
    if (error) return;
    c.query('x', (error, result) => { if (error) throw error; res.json(result.rows); });
    done();
  });
}
async function g() {
  const c = await pool.connect();
  try {
    c.query('x', () => { c.query('y', () => {}); });
    await c.query('z');
  } finally { c.release(); }
}`,
    },
    {
      name: 'about queries whose result nobody ever asks for',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('BEGIN'); } catch (error) { c.query('ROLLBACK'); throw error; } finally { c.release(); }
}
function g(id, res) {
  pool.connect((error, c, done) => {
    if (error) return;
    c.query('DELETE FROM t WHERE id = $1', [id]);
    res.json({});
    done();
  });
}
async function h() {
  const c = await pool.connect();
  try { await c.query('x'); } finally { void c.query('RESET ALL'); c.release(); }
}
async function k(isOpen) {
  const c = await pool.connect();
  try { await c.query('x'); } finally { isOpen && c.query('ROLLBACK'); c.release(); }
}`,
    },
    {
      name: 'about listeners, properties and logs',
      code: `
async function f() {
  const c = await pool.connect();
  const onError = (error) => console.error(error);
  c.on('error', onError);
  try { await c.query('x'); } finally { c.release(); }
  c.removeListener('error', onError);
  c.off('error', onError);
  console.log('released', c.processID, c);
}`,
    },
    {
      name: 'about awaited queries',
      code: `
async function f() {
  const c = await pool.connect();
  try { return await c.query('x'); } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  try { const [a, b] = await Promise.all([c.query('x'), c.query('y')]); return a; } finally { c.release(); }
}
async function h() {
  const c = await pool.connect();
  try { const x = c.query('x'); const y = c.query('y'); await x; return await y; } finally { c.release(); }
}
async function k() {
  const c = await pool.connect();
  try { c.query('SET LOCAL x = 1'); await c.query('COMMIT'); } finally { c.release(); }
}`,
    },
    {
      name: 'about a chain that a handler of another chain returns',
      code: `
async function f() {
  const c = await pool.connect();
  await c.query('x').then(() => { return c.query('y').then((r) => r); }).finally(() => c.release());
}
const next = (c) => { return c.query('y').then((r) => r); };
async function g() {
  const c = await pool.connect();
  await c.query('x').then(() => c).then(next).finally(() => c.release());
}`,
    },
    {
      name: 'about chains that end with the release',
      code: `
async function f() {
  const c = await pool.connect();
  return c.query('x').finally(() => c.release());
}
function g() {
  return pool.connect().then((c) => c.query('x').then((result) => { c.release(); return result.rows; }, (error) => { c.release(); throw error; }));
}`,
    },
    {
      name: 'about callbacks that release',
      code: `
function f(callback) {
  pool.connect((error, c, done) => {
    if (error) return callback(error);
    c.query('x', (error, result) => { done(); callback(error, result); });
  });
}
async function g(callback) {
  const c = await pool.connect();
  c.query('x', callback);
  c.release();
}`,
    },
    {
      name: 'about cursors and streams',
      code: `
import Cursor from 'pg-cursor';
import { from as copyFrom } from 'pg-copy-streams';
async function f() {
  const c = await pool.connect();
  const cursor = c.query(new Cursor('x'));
  cursor.close(() => c.release());
}
async function g(text) {
  const c = await pool.connect();
  const stream = c.query(copyFrom('COPY t FROM STDIN'));
  stream.on('finish', () => c.release());
  text.pipe(stream);
}`,
    },
    {
      name: 'about another client in the same variable',
      code: `
async function f() {
  let c = await pool.connect();
  c.release();
  c = await pool.connect();
  try { await c.query('y'); } finally { c.release(); }
}`,
    },
    {
      name: 'about loops that acquire anew',
      code: `
async function f(ids) {
  let c;
  for (const id of ids) {
    c = await pool.connect();
    await c.query('x', [id]);
    c.release();
  }
}`,
    },
    {
      name: 'about the last round',
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
      name: 'about a retry that acquires anew',
      code: `
async function f() {
  for (let attempt = 0; ; attempt++) {
    const c = await pool.connect();
    try { await c.query('x'); return; } catch (error) { if (attempt > 3) throw error; } finally { c.release(); }
  }
}`,
    },
    {
      name: 'about tidying up',
      code: `
const open = new Set();
async function f() {
  const c = await pool.connect();
  open.add(c);
  try { await c.query('x'); } finally { c.release(); open.delete(c); await closeTracing(c); }
}`,
    },
    {
      name: 'about the work of a synchronous function',
      code: `
async function f(row) {
  const c = await pool.connect();
  try { await c.query('x'); return format(row); } finally { c.release(); }
}
const read = (c) => c.processID;
async function g() {
  const c = await pool.connect();
  try { return read(c); } finally { c.release(); }
}`,
    },
  ]);
});

test('offers return await', () => {
  const code =
    "import { Pool } from 'pg';\nconst pool = new Pool();\nasync function f() {\n  const c = await pool.connect();\n  try { await c.query('BEGIN'); return c.query('x'); } finally { c.release(); }\n}";
  const messages = new Linter().verify(
    code,
    [
      {
        files: ['**/*.ts'],
        plugins: { poolguard: plugin },
        rules: { [`poolguard/${rule}`]: 'error' },
        languageOptions: { parser: typescriptParser },
      },
    ],
    { filename: 'sample.ts' },
  );
  expect(
    messages.map(({ suggestions = [] }) =>
      suggestions.map(({ desc, fix }) => [
        desc,
        fix.text,
        code.slice(fix.range[0])[0],
        code.slice(fix.range[0], fix.range[0] + 12),
      ]),
    ),
  ).toEqual([[['Add `await`.', 'await ', 'c', "c.query('x')"]]]);
});

test('addAwait writes the `await` that is missing', () => {
  const code =
    "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function f() {\n  const client = await pool.connect();\n  try {\n    return client.query('SELECT 1');\n  } finally {\n    client.release();\n  }\n}\n";
  const [message] = new Linter()
    .verify(code, [plugin.configs.recommended], { filename: 'f.js' })
    .filter(({ ruleId }) => ruleId === 'poolguard/no-use-after-release');
  const [suggestion] = message?.suggestions ?? [];
  expect(suggestion?.messageId).toBe('addAwait');
  const { range: [start, end] = [0, 0], text = '' } = suggestion?.fix ?? {};
  expect(code.slice(0, start) + text + code.slice(end)).toBe(
    code.replace('return client', 'return await client'),
  );
});
