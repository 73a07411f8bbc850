import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { checkRule } from '../support/marked.ts';

const rule = 'no-nested-checkout';

describe('reports what waits for a second client', () => {
  checkRule(rule, [
    {
      name: 'in a chain that nobody waits for, and that releases the client behind it',
      code: `
async function f() {
  const c = await pool.connect();
  c.query('x').then(() => pool.query('y')).finally(() => c.release());
  //                      ^^^^^^^^^^^^^^^ query
}`,
    },
    {
      name: 'pool.query while a client is held',
      code: `
async function f(id) {
  const c = await pool.connect();
  try {
    await c.query('BEGIN');
    await pool.query('INSERT', [id]);
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^ query
    await c.query('COMMIT');
  } finally { c.release(); }
}`,
    },
    {
      name: 'a second checkout',
      code: `
async function f() {
  const a = await pool.connect();
  try {
    const b = await pool.connect();
    //              ^^^^^^^^^^^^^^ checkout
    try { await b.query('x'); } finally { b.release(); }
  } finally { a.release(); }
}`,
    },
    {
      name: 'behind COMMIT, before the release',
      code: `
async function f(id) {
  const c = await pool.connect();
  try {
    await c.query('COMMIT');
    return await pool.query('SELECT', [id]);
    //           ^^^^^^^^^^^^^^^^^^^^^^^^^^ query
  } finally { c.release(); }
}`,
    },
    {
      name: 'a helper of another file, several calls away',
      files: {
        'db.ts':
          "import { Pool } from 'pg';\nexport const shared = new Pool();\nexport const query = (text, values) => shared.query(text, values);",
        'users.ts':
          "import { query } from './db';\nexport async function findUser(id) { const { rows } = await query('SELECT', [id]); return rows[0]; }",
      },
      code: `
import { shared } from './db';
import { findUser } from './users';
async function f(id) {
  const c = await shared.connect();
  try { await c.query('x'); return await findUser(id); } finally { c.release(); }
  //                                     ^^^^^^^^^^^^ helper
}`,
    },
    {
      name: 'a getter, and a helper that is not given the client',
      code: `
const getClient = () => pool.connect();
async function audit(text, client) { const db = client || pool; await db.query('INSERT', [text]); }
async function log(text, client = pool) { await client.query('INSERT', [text]); }
async function forward(text, client) { await audit(text, client); }
async function f() {
  const c = await getClient();
  try {
    await audit('x');
    //    ^^^^^^^^^^ helper
    await audit('x', undefined);
    //    ^^^^^^^^^^^^^^^^^^^^^ helper
    await log('x');
    //    ^^^^^^^^ helper
    await forward('x');
    //    ^^^^^^^^^^^^ helper
    await audit('x', c);
    await log('x', c);
    await forward('x', c);
  } finally { c.release(); }
}`,
    },
    {
      name: 'the callback of a wrapper',
      code: `
async function withTransaction(work) {
  const c = await pool.connect();
  try { await c.query('BEGIN'); const result = await work(c); await c.query('COMMIT'); return result; }
  catch (error) { await c.query('ROLLBACK'); throw error; }
  finally { c.release(); }
}
async function f(id) {
  await withTransaction(async (c) => {
    await c.query('x');
    await pool.query('y', [id]);
    //    ^^^^^^^^^^^^^^^^^^^^^ query
  });
}
async function g() {
  const c = await pool.connect();
  try { await withTransaction(async (inner) => { await inner.query('x'); }); } finally { c.release(); }
  //          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ helper
}`,
    },
    {
      name: 'a method of the same class',
      code: `
class Repository {
  constructor(private readonly pool: Pool) {}
  async count() { return this.pool.query('SELECT'); }
  async f() {
    const c = await this.pool.connect();
    try { await c.query('x'); await this.count(); } finally { c.release(); }
    //                              ^^^^^^^^^^^^ helper
  }
}`,
    },
    {
      name: 'one of several promises',
      code: `
async function f(ids) {
  const c = await pool.connect();
  try { await Promise.all([c.query('x'), pool.query('y')]); } finally { c.release(); }
  //                                     ^^^^^^^^^^^^^^^ query
}`,
    },
    {
      name: 'a getter of the pool that cannot be read',
      code: `
declare function once<T>(make: () => T): () => T;
const db = { pool: once<Pool>(() => new Pool()) };
declare class Base { getPool(): Pool }
async function f() {
  const c: PoolClient = await db.pool().connect();
  try { await c.query('x'); await db.pool().query('y'); } finally { c.release(); }
  //                              ^^^^^^^^^^^^^^^^^^^^ query
}
class Table extends Base {
  async f() {
    const c = await this.getPool().connect();
    try { await c.query('x'); await this.getPool().query('y'); } finally { c.release(); }
    //                              ^^^^^^^^^^^^^^^^^^^^^^^^^ query
  }
}`,
    },
    {
      name: 'a pool, and a function, that a helper is given',
      code: `
const borrow = async (from: Pool) => { const c = await from.connect(); c.on('error', () => {}); return c; };
async function select(on, text) { return on.query(text); }
async function once(client, work) { await client.query('x'); return await work(); }
async function f() {
  const fetch = async () => { await pool.query('y'); };
  const c: PoolClient = await borrow(pool);
  try {
    await select(pool, 'x');
    //    ^^^^^^^^^^^^^^^^^ helper
    await once(c, fetch);
    //    ^^^^^^^^^^^^^^ helper
    await select(c, 'x');
  } finally { c.release(); }
}`,
    },
    {
      name: 'a helper with options that have nothing to do with clients',
      code: `
async function send(to, options) {
  const name = options?.clientName ? options.clientName : '';
  await pool.query('INSERT', [to, name]);
}
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); await send('a', { clientName: 'b' }); } finally { c.release(); }
  //                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ helper
}`,
    },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    {
      name: 'about pools that calls make, and options with the client',
      code: `
declare function createPool(): Pool;
const make = (): Pool => new Pool();
async function send(to, options) { const c = options?.client ? options.client : pool; await c.query('INSERT', [to]); }
async function f() {
  const c = await createPool().connect();
  try { await c.query('x'); await createPool().query('y'); await make().query('z'); } finally { c.release(); }
}
async function g() {
  const c = await make().connect();
  try { await c.query('x'); await make().query('z'); } finally { c.release(); }
}
async function h() {
  const c = await pool.connect();
  try { await c.query('x'); await send('a', { client: c }); } finally { c.release(); }
}`,
    },
    {
      name: 'before the checkout and behind the release',
      code: `
async function f(id) {
  await pool.query('x', [id]);
  const c = await pool.connect();
  try { await c.query('x'); } finally { c.release(); }
  await pool.query('y', [id]);
}`,
    },
    {
      name: 'about another pool',
      code: `
const replica = new Pool();
async function f(id) {
  const c = await pool.connect();
  try { await replica.query('x', [id]); } finally { c.release(); }
}`,
    },
    {
      name: 'about helpers that work with the client they are given',
      code: `
async function insert(c, row) { await c.query('INSERT', [row]); }
async function save({ client = pool, row }) { await client.query('INSERT', [row]); }
async function f() {
  const c = await pool.connect();
  try { await insert(c, 1); await save({ client: c, row: 1 }); } finally { c.release(); }
}`,
    },
    {
      name: 'about a helper that is given another pool',
      code: `
const replica = new Pool();
const borrow = (from: Pool) => from.connect();
async function f() {
  const c = await borrow(pool);
  try { const other = await borrow(replica); other.release(); } finally { c.release(); }
}`,
    },
    {
      name: 'about a helper that gets the client of a callback',
      code: `
async function record(client, id) { await client.query('INSERT', [id]); }
async function withTransaction<Result>(work: (client: PoolClient) => Promise<Result>) {
  const c = await pool.connect();
  try { await c.query('BEGIN'); const result = await work(c); await c.query('COMMIT'); return result; }
  catch (error) { await c.query('ROLLBACK'); throw error; }
  finally { c.release(); }
}
async function f(id) { return withTransaction(async (client) => { await record(client, id); }); }`,
    },
    {
      name: 'about what runs beside, which nobody waits for while the client is held',
      code: `
const audit = async (text) => { await pool.query('INSERT INTO log VALUES ($1)', [text]); };
async function f(ids) {
  const c = await pool.connect();
  try {
    void pool.query('y');
    (async () => { await audit('x'); })();
    ids.map((id) => audit(id));
    log().then(() => audit('x'));
    await c.query('x');
  } finally { c.release(); }
}`,
    },
    {
      name: 'about helpers that nobody waits for',
      code: `
async function audit(text) { await pool.query('INSERT', [text]); }
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); audit('x').catch(() => undefined); } finally { c.release(); }
}`,
    },
    {
      name: 'about listeners and other functions that run later',
      code: `
async function f(response) {
  const c = await pool.connect();
  try { await c.query('x'); response.on('finish', () => pool.query('y')); } finally { c.release(); }
}`,
    },
    {
      name: 'about a client that is called like a pool elsewhere',
      code: `
async function f() {
  const db = await pool.connect();
  try { await db.query('x'); } finally { db.release(); }
}`,
    },
    {
      name: 'about one client after the other',
      code: `
async function f(ids) {
  for (const id of ids) {
    const c = await pool.connect();
    try { await c.query('x', [id]); } finally { c.release(); }
  }
}`,
    },
  ]);
});

describe('a parameter that serves instead of the pool, whatever it is called', () => {
  const helper = (line: string): string => `
async function insert(name, given) {
  ${line}
}
async function save(names) {
  const client = await pool.connect();
  try {
    for (const name of names) await insert(name, client);
    await insert('last');
    //    ^^^^^^^^^^^^^^ helper
  } finally { client.release(); }
}`;
  checkRule(rule, [
    {
      name: 'left of ??',
      code: helper(
        "const db = given ?? (await pool.connect()); try { await db.query('x'); } finally { if (!given) db.release(); }",
      ),
    },
    {
      name: 'in a choice',
      code: helper("await (given === undefined ? pool.query('x') : given.query('x'));"),
    },
    {
      name: 'in a test',
      code: helper(
        "let db = given; if (!db) { db = await pool.connect(); } try { await db.query('x'); } finally { if (!given) db.release(); }",
      ),
    },
    {
      name: 'in a test with another branch',
      code: helper("if (given) { await given.query('x'); } else { await pool.query('x'); }"),
    },
    {
      name: 'by its method, or a helper that asks the pool',
      code: `
const query = (sql) => pool.query(sql);
${helper("const run = given ? given.query.bind(given) : query; await run('x');")}`,
    },
    {
      name: 'by a method that is set later',
      code: `
const query = (sql) => pool.query(sql);
${helper("let run = query; if (given) run = given.query.bind(given); await run('x');")}`,
    },
    {
      name: 'but not one with which alone the pool is asked',
      code: `
async function insert(name, isAudited) {
  if (isAudited) await pool.query('x');
}
async function save(names) {
  const client = await pool.connect();
  try {
    await insert('first', true);
    //    ^^^^^^^^^^^^^^^^^^^^^ helper
  } finally { client.release(); }
}`,
    },
  ]);
});

describe('knows which pool a lender holds', () => {
  checkRule(rule, [
    {
      name: 'another pool in the callback of a lender',
      code: `
const other = new Pool();
async function withClient(run) {
  const c = await pool.connect();
  try { return await run(c); } finally { c.release(); }
}
async function f() {
  await withClient(async (c) => {
    const second = await other.connect();
    second.release();
    await pool.query('x');
    //    ^^^^^^^^^^^^^^^ query
  });
}`,
    },
    ...['callback', 'cb', 'next'].map((name) => ({
      name: `a lender that waits for what it calls ${name}`,
      code: `
async function withClient(${name}) {
  const c = await pool.connect();
  try {
    const result = await ${name}(c);
    await c.query('COMMIT');
    return result;
  } finally { c.release(); }
}
async function f() {
  await withClient(async (c) => {
    await c.query('x');
    await pool.query('x');
    //    ^^^^^^^^^^^^^^^ query
  });
}`,
    })),
    {
      name: 'a client that a callback keeps',
      code: `
async function getClient(callback) {
  const c = await pool.connect();
  callback(null, c);
}
function f() {
  getClient(async (error, c) => {
    c.release();
    await pool.query('x');
  });
}`,
    },
    {
      name: 'a parameter that is waited for and takes the client back',
      code: `
async function withClient(release) {
  const c = await pool.connect();
  await c.query('x');
  await release(c);
  await pool.query('x');
}`,
    },
    {
      name: 'a helper whose query stands behind its return',
      code: `
async function look() {
  return null;
  await pool.query('x');
}
async function f() {
  const c = await pool.connect();
  try { await look(); await c.query('x'); } finally { c.release(); }
}`,
    },
  ]);
});

describe('a branch that is taken only for what is given', () => {
  const program = (line: string, call: string, more = ''): string => `
async function load(id, options) {
  ${line}
}
${more}
async function save(id, options) {
  const client = await pool.connect();
  try {
    await client.query('x');
    ${call}
  } finally { client.release(); }
}
export { save };`;
  const both = "if (id && options?.signed && options.team) await pool.query('x');";
  const reported = (call: string): string =>
    `${call}\n//        ${'^'.repeat(call.length - 7)} helper`;
  const silent = [
    ['nothing', both, 'await load(id);'],
    ['an object without it', both, 'await load(id, { title: true });'],
    ['one of two', both, 'await load(id, { signed: true });'],
    ['false', both, 'await load(id, { signed: false, team: 1 });'],
    ['undefined', both, 'await load(id, undefined);'],
    ['nothing, in an expression', "options && (await pool.query('x'));", 'await load(id);'],
    ['nothing, in a choice', "return options ? await pool.query('x') : id;", 'await load(id);'],
    [
      'nothing, behind an exit',
      "if (!options?.team) return; await pool.query('x');",
      'await load(id, {});',
    ],
    [
      'nothing, behind a negated exit of two',
      "if (!id || !options) return; await pool.query('x');",
      'await load(id);',
    ],
  ] as const;
  checkRule(
    rule,
    silent.map(([name, line, call]) => ({ name: `silent for ${name}`, code: program(line, call) })),
  );

  const shown = [
    ['all of it', both, 'await load(id, { signed: true, team: 1 });'],
    ['what a variable holds', both, 'await load(id, options);'],
    ['what a spread may hold', both, 'await load(id, { ...options });'],
    [
      'what is there by default',
      "const { team = 1 } = options; if (team) await pool.query('x');",
      'await load(id, {});',
    ],
    [
      'what is set behind',
      "options = options ?? {}; if (options) await pool.query('x');",
      'await load(id);',
    ],
    ['the other branch', "if (options) return; await pool.query('x');", 'await load(id);'],
    ['one of two that suffices', "if (id || options) await pool.query('x');", 'await load(id);'],
  ] as const;
  checkRule(
    rule,
    shown.map(([name, line, call]) => ({
      name: `not for ${name}`,
      code: program(line, reported(call)),
    })),
  );

  checkRule(rule, [
    {
      name: 'silent for nothing, through another function',
      code: program(
        both,
        'await outer(id);',
        'async function outer(id, settings) { await load(id, { signed: settings, team: 1 }); }',
      ),
    },
    {
      name: 'not for what another function is given',
      code: program(
        both,
        reported('await outer(id, true);'),
        'async function outer(id, settings) { await load(id, { signed: settings, team: 1 }); }',
      ),
    },
  ]);
});

describe('a helper that is given the client in place of the pool', () => {
  const run = "const run = async (db) => { await db.query('x'); };";
  const around = (before: string, work: string): string =>
    `${run}\nasync function f(flag) {\n  ${before}\n  try {\n    ${work}\n  } finally { own?.release(); }\n}`;
  const optional = 'const own = flag ? await pool.connect() : null;';
  checkRule(rule, [
    {
      name: 'the client or else the pool',
      code: around(`${optional} const db = own ?? pool;`, 'await run(db);'),
    },
    {
      name: 'on the spot',
      code: around(optional, 'await run(own ?? pool);'),
    },
    {
      name: 'set by a test',
      code: around(`${optional} let db = pool; if (own) db = own;`, 'await run(db);'),
    },
    {
      name: 'a client that is always there',
      code: around('const own = await pool.connect(); const db = own || pool;', 'await run(db);'),
    },
    {
      name: 'the pool itself',
      code: around(
        `${optional} const db = own ?? pool;`,
        'await run(pool);\n    //    ^^^^^^^^^ helper\n    await run(db);',
      ),
    },
    {
      name: 'the pool under another name',
      code: around(`${optional} const db = pool;`, 'await run(db);\n    //    ^^^^^^^ helper'),
    },
  ]);
});

describe("a pool's method that is passed around by itself", () => {
  const held = (call: string, columns: string): string =>
    `async function f(id) {\n  const c = await pool.connect();\n  try {\n    ${call}\n    //${columns}\n    await c.query('x');\n  } finally { c.release(); }\n}`;
  checkRule(rule, [
    {
      name: 'bound',
      code: `const ask = pool.query.bind(pool);\n${held("await ask('x', [id]);", '    ^^^^^^^^^^^^^^ checkout')}`,
    },
    {
      name: 'bound and exported by another file',
      files: {
        'db.ts':
          "import { Pool } from 'pg';\nexport const pool = new Pool();\nconst query = pool.query.bind(pool);\nexport default query;",
      },
      header: '',
      code: `import query, { pool } from './db';\n${held("await query('x', [id]);", '    ^^^^^^^^^^^^^^^^ query')}`,
    },
    {
      name: 'the method that checks out',
      code: `const take = pool.connect.bind(pool);\n${held('const other = await take(); other.release();', '                  ^^^^^^ checkout')}`,
    },
    {
      name: "the client's own",
      code: `async function f() {\n  const c = await pool.connect();\n  const ask = c.query.bind(c);\n  try { await ask('x'); } finally { c.release(); }\n}`,
    },
    {
      name: "another pool's",
      code: `const other = new Pool();\nconst ask = other.query.bind(other);\n${held("await ask('x', [id]);", '')}`,
    },
  ]);
});

describe('a helper that lends through another one', () => {
  const withClient =
    'const withClient = async (work) => { const c = await pool.connect(); try { return await work(c); } finally { c.release(); } };';
  const inOne =
    "const inOne = async (c, work) => { await c.query('BEGIN'); const r = await work(c); await c.query('COMMIT'); return r; };";
  const nested = "  await pool.query('x');\n  //    ^^^^^^^^^^^^^^^ query\n";
  const lines = (...each: readonly string[]): string => each.join('\n');
  checkRule(rule, [
    {
      name: 'which begins and ends the transaction',
      code: lines(
        withClient,
        inOne,
        'const transact = (work) => withClient((c) => inOne(c, work));',
        `const f = () => transact(async (c) => {\n  await c.query('x');\n${nested}});`,
      ),
    },
    {
      name: 'over a client of its own',
      code: lines(
        inOne,
        'async function transact(work) { const c = await pool.connect(); try { return await inOne(c, work); } finally { c.release(); } }',
        `const f = () => transact(async (c) => {\n  await c.query('x');\n${nested}});`,
      ),
    },
    {
      name: 'with its arguments in another order',
      code: lines(
        "const inOne = async (work, name, c) => { await c.query('BEGIN'); await work(name, c); await c.query('COMMIT'); };",
        withClient,
        "const transact = (work) => withClient((c) => inOne(work, 'a', c));",
        `const f = () => transact(async (name, c) => {\n  await c.query(name);\n${nested}});`,
      ),
    },
    {
      name: 'the client that it is lent',
      code: lines(
        withClient,
        inOne,
        'const transact = (work) => withClient((c) => inOne(c, work));',
        "const f = () => transact(async (c) => {\n  await c.query('x');\n});",
      ),
    },
    {
      name: 'a helper that only keeps the function',
      code: lines(
        withClient,
        'const later = []; const keep = async (c, work) => { later.push(work); await c.query("x"); };',
        'const transact = (work) => withClient((c) => keep(c, work));',
        "const f = () => transact(async () => {\n  await pool.query('x');\n});",
      ),
    },
  ]);
});

test.each([
  [
    'a client that is visible there',
    "const client = await pool.connect();\n  try { await pool.query('x'); } finally { client.release(); }",
    'Use `client` here.',
  ],
  [
    'the helper that takes a second one, and its line',
    "const audit = async () => { await pool.query('x'); };\n  {\n    const client = await pool.connect();\n    try { await audit(); } finally { client.release(); }\n  }",
    'Pass `client` to `audit()` (line 4), or call it after the release.',
  ],
])('the message names %s', (_name, body, cure) => {
  const code = `import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function f() {\n  ${body}\n}`;
  const [message] = new Linter().verify(code, [
    { plugins: { poolguard: plugin }, rules: { [`poolguard/${rule}`]: 'error' } },
  ]);
  expect(message?.message).toContain(cure);
});
