import { Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { checkRule } from '../support/marked.ts';
import { checkSuggestions } from '../support/suggestions.ts';

const rule = 'no-session-state';
const behind = (kind: string): object => ({ poolguard: { pooler: { kind, mode: 'transaction' } } });
const held = (body: string): string =>
  `async function f() { const c = await pool.connect(); try { ${body} } finally { c.release(); } }`;

describe('reports state that reaches the next borrower', () => {
  checkRule(rule, [
    {
      name: 'SET on the pool',
      code: `void pool.query('SET search_path TO a');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool`,
    },
    {
      name: 'LISTEN on the pool',
      code: `void pool.query('LISTEN orders');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool`,
    },
    {
      name: 'behind a comment, in a template',
      code: `void pool.query(\`/* lock */ SELECT pg_advisory_lock(\${id})\`);\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool`,
    },
    {
      name: 'set_config that is not local',
      code: `void pool.query("SELECT set_config('a.b', $1, false)", [1]);\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool`,
    },
    {
      name: 'SET on a client that goes back',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('SET ROLE app'); } finally { c.release(); }
  //          ^^^^^^^^^^^^^^^^^^^^^^^ atRelease
}`,
    },
    {
      name: 'SET inside a transaction survives its COMMIT',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('BEGIN');
    await c.query('SET statement_timeout = 0');
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
    await c.query('COMMIT');
  } finally { c.release(); }
}`,
    },
  ]);
});

describe('follows state along paths', () => {
  checkRule(rule, [
    {
      name: 'a RESET that an exception passes by',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('SET ROLE app');
    //    ^^^^^^^^^^^^^^^^^^^^^^^ atRelease
    await c.query('SELECT 1');
    await c.query('RESET ROLE');
  } finally { c.release(); }
}`,
    },
    {
      name: 'a RESET in the finally',
      code: "async function f() { const c = await pool.connect(); try { await c.query('SET ROLE app'); await c.query('SELECT 1'); } finally { try { await c.query('RESET ROLE'); } finally { c.release(); } } }",
    },
  ]);
});

describe('judges locks by what a failed unlock leaves', () => {
  checkRule(rule, [
    {
      name: 'the connection goes back',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('SELECT pg_advisory_lock(1)');
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ staysLocked
    await c.query('BEGIN');
    await c.query('SELECT 1');
    await c.query('COMMIT');
  } finally {
    await c.query('SELECT pg_advisory_unlock(1)').catch(() => {});
    c.release();
  }
}`,
    },
    {
      name: 'the connection is lost',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('SELECT pg_advisory_lock(1)');
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ staysLocked
    await c.query('BEGIN');
    await c.query('SELECT 1');
    await c.query('COMMIT');
  } finally {
    await c.query('SELECT pg_advisory_unlock(1)');
    c.release();
  }
}`,
    },
    {
      name: 'no transaction that could fail before the unlock',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('SELECT pg_advisory_lock(1)');
    await c.query('SELECT 1');
  } finally {
    await c.query('SELECT pg_advisory_unlock(1)').catch(() => {});
    c.release();
  }
}`,
    },
    {
      name: 'the transaction is rolled back before the unlock',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    await c.query('SELECT pg_advisory_lock(1)');
    try {
      await c.query('BEGIN');
      await c.query('COMMIT');
    } catch (error) {
      await c.query('ROLLBACK');
      throw error;
    }
  } finally {
    await c.query('SELECT pg_advisory_unlock(1)').catch(() => {});
    c.release();
  }
}`,
    },
    {
      name: 'a lock that was only tried, and an early return without it',
      code: `
async function f() {
  const c = await pool.connect();
  try {
    const { rows } = await c.query('SELECT pg_try_advisory_lock(1) AS ok');
    if (!rows[0].ok) return;
    await c.query('SELECT pg_advisory_unlock(1)');
  } finally {
    c.release();
  }
}`,
    },
    {
      name: 'the connection is destroyed',
      code: "async function f() { const c = await pool.connect(); let problem; try { await c.query('SELECT pg_advisory_lock(1)'); await c.query('SELECT pg_advisory_unlock(1)'); } catch (error) { c.release(error); throw error; } c.release(); }",
    },
    {
      name: 'no unlock at all',
      code: `async function f() { const c = await pool.connect(); try { await c.query('SELECT pg_advisory_lock(1)'); } finally { c.release(); } }\n//                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease`,
    },
  ]);
});

describe('knows what a rollback takes back', () => {
  checkRule(rule, [
    {
      name: 'a temporary table of a transaction that fails, and is still open at the release',
      code: held(
        "await c.query('BEGIN'); await c.query('CREATE TEMP TABLE a (b int)'); await c.query('SELECT 1'); await c.query('ROLLBACK');",
      ),
    },
    {
      name: 'a setting made in the transaction',
      code: held(
        "await c.query('BEGIN'); await c.query('SET ROLE app'); await c.query('ROLLBACK');",
      ),
    },
    {
      name: 'but not one that was committed',
      code: `async function f() { const c = await pool.connect(); try { await c.query('BEGIN'); await c.query('SET ROLE app'); await c.query('COMMIT'); await c.query('ROLLBACK'); } finally { c.release(); } }\n//                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^ atRelease`,
    },
    {
      name: 'nor a lock',
      code: `async function f() { const c = await pool.connect(); try { await c.query('BEGIN'); await c.query('SELECT pg_advisory_lock(1)'); await c.query('ROLLBACK'); } finally { c.release(); } }\n//                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease`,
    },
  ]);
});

describe('follows clients that leave the function', () => {
  checkRule(rule, [
    {
      name: 'a getter that sets',
      code: `async function get() {\n  const c = await pool.connect();\n  await c.query('SET search_path TO a');\n  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ elsewhere\n  return c;\n}`,
    },
    {
      name: 'a client of the caller',
      code: `async function f(c: PoolClient, id: string) {\n  await c.query("SELECT set_config('app.tenant', $1, false)", [id]);\n  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ elsewhere\n}`,
    },
    {
      name: 'a client of the caller, and a function that takes the setting back',
      code: "async function f(c: PoolClient) { await c.query('SET ROLE a'); }\nasync function g(c: PoolClient) { await c.query('RESET ROLE'); }",
    },
    {
      name: 'what a pool does for each new connection',
      code: "pool.on('connect', (c: PoolClient) => void c.query('SET search_path TO a'));\nconst other = new Pool({ onConnect: async (c: PoolClient) => { await c.query('SET ROLE a'); } });",
    },
  ]);
});

describe('knows what comes before the first query of a new connection', () => {
  checkRule(rule, [
    {
      name: 'what a listener sends behind another query',
      code: `pool.on('connect', async (client) => {
  await client.query('SET search_path TO a');
  await client.query("SET TIME ZONE 'UTC'");
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ lateSetUp
});`,
    },
    {
      name: 'what a listener for each checkout sends behind another query',
      code: `pool.on('acquire', async (client) => {
  await client.query('SET search_path TO a');
  await client.query("SET TIME ZONE 'UTC'");
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ lateSetUp
});`,
    },
    {
      name: 'in a block of its own',
      code: `pool.on('connect', async (client) => {
  const { rows } = await client.query('SELECT 1');
  if (rows.length > 0) { try { await client.query('SET ROLE a'); } catch {} }
  //                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ lateSetUp
});`,
    },
    {
      name: 'after a query in a block of its own',
      code: `pool.on('connect', async (client) => {
  { await client.query('SET ROLE a'); }
  { await client.query('SET search_path TO a'); }
  //      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ lateSetUp
});`,
    },
    {
      name: 'what it sends at once',
      code: "pool.on('connect', async (client) => { await client.query('SET search_path TO a'); });\npool.on('connect', (client) => { client.query('SET ROLE a'); client.query('SET work_mem = 1'); });",
    },
    {
      name: 'queries that leave nothing, ways that exclude each other, other events',
      code: "pool.on('connect', async (client) => { if (a) { await client.query('SET ROLE a'); } else { await client.query('SET ROLE b'); } });\npool.on('connect', async (client) => { await client.query('SET ROLE a'); await client.query('SELECT 1'); });\npool.on('acquire', async () => { await pool.query('SELECT 1'); });",
    },
    {
      name: 'emitters that are no pools',
      code: "socket.on('connect', async (client) => { await client.query('SET ROLE a'); await client.query('SET ROLE b'); });",
    },
    {
      name: 'onConnect, which is waited for',
      code: "const other = new Pool({ onConnect: async (client) => { await client.query('SET ROLE a'); await client.query('SET work_mem = 1'); } });",
    },
  ]);
});

describe('reports LISTEN on any client of a pool', () => {
  checkRule(rule, [
    {
      name: 'that is released at its end, and taken by nobody again',
      code: "async function start() {\n  const c = await pool.connect();\n  c.on('error', (error) => { console.error('reconnect', error); c.release(error); });\n  await c.query('LISTEN a');\n  //    ^^^^^^^^^^^^^^^^^^^ listens\n}",
    },
    {
      name: 'whose end asks for another, with the first still taken',
      code: "async function restart() {\n  const c = await pool.connect();\n  c.on('error', () => setTimeout(restart, 1000));\n  try { await c.query('LISTEN a'); } catch (error) { c.release(); throw error; }\n  //          ^^^^^^^^^^^^^^^^^^^ listens\n}",
    },
    {
      name: 'that is taken again and never given back',
      code: "async function start() {\n  const c = await pool.connect();\n  c.on('error', () => { c.end(); setTimeout(start, 1000); });\n  await c.query('LISTEN a');\n  //    ^^^^^^^^^^^^^^^^^^^ listens\n}",
    },
    {
      name: 'whose errors are only logged',
      code: "async function start() {\n  const c = await pool.connect();\n  c.on('error', (error) => { console.error(error); c.removeListener('error', log); });\n  await c.query('LISTEN a');\n  //    ^^^^^^^^^^^^^^^^^^^ listens\n}",
    },
    {
      name: 'kept in a field, once a function',
      code: `class Listener {\n  private client?: PoolClient;\n  async start() {\n    const c = await pool.connect();\n    await c.query('LISTEN a');\n    //    ^^^^^^^^^^^^^^^^^^^ listens\n    await c.query('LISTEN b');\n    this.client = c;\n  }\n  async more() { await this.client?.query('LISTEN c'); }\n  //                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ listens\n}`,
    },
    {
      name: 'a client that a callback keeps',
      code: `const { EventEmitter } = require('events');
class Live extends EventEmitter {
  start() {
    pool.connect((error, client, done) => {
      if (error) return this.emit('error', error);
      this.client = client;
      this.done = done;
      client.query('LISTEN a', (failure) => { if (failure) this.emit('error', failure); });
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ listens
    });
  }
}`,
    },
    {
      name: 'a named callback',
      code: `declare function keep(client: unknown): void;
function onClient(error, client, done) {
  if (error) return;
  keep(client);
  client.query('LISTEN a; LISTEN b;').then(() => {}, done);
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ listens
}
pool.connect(onClient);`,
    },
    {
      name: 'one method away, where other topics are dropped',
      code: `class Subscriber {
  private client?: PoolClient;
  topics = ['a'];
  async sync(client: PoolClient) {
    const dropped = this.topics.slice(1);
    for (const topic of this.topics) await client.query(\`LISTEN \${client.escapeIdentifier(topic)}\`);
    for (const topic of dropped) await client.query(\`UNLISTEN \${client.escapeIdentifier(topic)}\`);
  }
  async start() {
    const client = await pool.connect();
    try { await this.sync(client); } catch (error) { client.release(); throw error; }
//              ^^^^^^^^^^^^^^^^^ listens
    this.client = client;
  }
}`,
    },
    {
      name: 'a release that sets something first',
      code: `async function get() {
  const client: any = await pool.connect();
  const original = client.release.bind(client);
  client.release = async () => {
    try { await client.query("select set_config('app.org', '0', false)"); } catch {}
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
    return original();
  };
  return client;
}`,
    },
    {
      name: 'a release that resets first',
      code: `async function get() {\n  const client: any = await pool.connect();\n  const original = client.release.bind(client);\n  client.release = async () => {\n    await client.query('RESET ALL');\n    return original();\n  };\n  return client;\n}`,
    },
    {
      name: 'a variable that holds one on some path',
      filename: 'a.js',
      code: `import pg from 'pg';\nconst pool = new pg.Pool();\nlet c;\nasync function f(direct) {\n  if (direct) { c = new pg.Client(); await c.connect(); } else { c = await pool.connect(); }\n  await c.query('LISTEN a');\n  //    ^^^^^^^^^^^^^^^^^^^ listens\n}`,
    },
    {
      name: 'a client that is released',
      code: `async function f() {\n  const c = await pool.connect();\n  try { await c.query('LISTEN a'); } finally { c.release(); }\n  //          ^^^^^^^^^^^^^^^^^^^ atRelease\n}`,
    },
  ]);
});

describe('reads texts', () => {
  checkRule(rule, [
    {
      name: 'that an object, an enum or a growing list holds',
      code: `
const q = { role: 'SET ROLE a' } as const;
enum Query { Role = 'SET ROLE a' }
const parts = ['SET ROLE'];
parts.push(name);
  pool.query(q.role);
//^^^^^^^^^^^^^^^^^^ onPool
  pool.query(Query.Role);
//^^^^^^^^^^^^^^^^^^^^^^ onPool
  pool.query(parts.join(' '));
//^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool`,
    },
    {
      name: 'that may be one that is not known, and lists that are changed',
      code: `
let sql = build();
if (strict) sql = 'SET ROLE a';
pool.query(sql);
const parts = ['SET ROLE', name];
parts.unshift('EXPLAIN');
pool.query(parts.join(' '));`,
    },
    {
      name: 'a constant',
      code: "const Q = 'LISTEN a';\nvoid pool.query(Q);\n//   ^^^^^^^^^^^^^ onPool",
    },
    {
      name: 'an imported constant',
      files: {
        'sql.ts':
          "export const SQL = { lock: 'SELECT pg_advisory_lock($1)' };\nexport const LISTEN = `LISTEN ${'a'}`;",
      },
      code: "import { LISTEN, SQL } from './sql';\nvoid pool.query(LISTEN);\n//   ^^^^^^^^^^^^^^^^^^ onPool\nvoid pool.query(SQL.lock, [1]);\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^ onPool",
    },
    {
      name: 'a constant of a class',
      code: "class A {\n  static readonly SET = 'SET ROLE a';\n  private readonly lock = 'SELECT pg_advisory_lock(1)';\n  f() { return pool.query(A.SET); }\n  //           ^^^^^^^^^^^^^^^^^ onPool\n  g() { return pool.query(this.lock); }\n  //           ^^^^^^^^^^^^^^^^^^^^^ onPool\n}",
    },
    {
      name: 'sums, lists and formats',
      code: "import { format } from 'node:util';\nimport pgFormat from 'pg-format';\nconst f = (x) => [\n  pool.query('SET ROLE ' + x),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n  pool.query(['SET ROLE', x].join(' ')),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n  pool.query(format('SET ROLE %s', x)),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n  pool.query(pgFormat('SET search_path TO %I', x)),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n  pool.query(`SET ROLE ${x}`.trim()),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n];",
    },
    {
      name: 'a configuration, a tag, an alternative',
      code: "const f = (x, sql) => [\n  pool.query({ text: 'SET ROLE a', values: [] }),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n  pool.query(sql`SET ROLE a`),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n  pool.query(x ? 'SET ROLE a' : 'SELECT 1'),\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool\n];",
    },
    {
      name: 'a variable that grows',
      code: "function f(x) {\n  let q = 'SET ROLE ';\n  q += x;\n  return pool.query(q);\n  //     ^^^^^^^^^^^^^ onPool\n}",
    },
    {
      name: 'each of a list',
      code: "async function f() {\n  for (const q of ['SELECT 1', 'SET ROLE a']) await pool.query(q);\n  //                                                ^^^^^^^^^^^^^ onPool\n}",
    },
    {
      name: 'a parameter of a helper that sends it',
      code: "const run = (sql: string) => pool.query(sql);\nvoid run('LISTEN a');\n//   ^^^^^^^^^^^^^^^ onPool",
    },
  ]);
});

describe('sees into helpers', () => {
  checkRule(rule, [
    {
      name: 'one that locks',
      code: `
const lock = (client, id) => client.query('SELECT pg_advisory_lock($1)', [id]);
async function f() {
  const c = await pool.connect();
  try { await lock(c, 1); } finally { c.release(); }
  //          ^^^^^^^^^^ atRelease
}`,
    },
    {
      name: 'one in another file, and one that takes it back',
      files: {
        'role.ts':
          "export async function become({ client, role }) { await client.query('SET ROLE ' + role); }\nexport const reset = async (client) => { await client.query('RESET ROLE'); };",
      },
      code: `
import { become, reset } from './role';
async function f() {
  const c = await pool.connect();
  try { await become({ client: c, role: 'a' }); } finally { c.release(); }
  //          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ atRelease
}
async function g() {
  const c = await pool.connect();
  try { await become({ client: c, role: 'a' }); await reset(c); } catch (error) { c.release(error); throw error; }
  c.release();
}`,
    },
    {
      name: 'a method that makes another text of its argument',
      code: `
class Db {
  async run(client: PoolClient, sql: string, values: object) { const { text, list } = toList(sql, values); return client.query(text, list); }
  async get() {
    const c = await pool.connect();
    await this.run(c, 'SET search_path TO a', {});
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ elsewhere
    return c;
  }
}`,
    },
  ]);
});

describe('judges by the pooler', () => {
  checkRule(rule, [
    {
      name: 'PgBouncer hands a setting to others',
      settings: behind('pgbouncer'),
      code: `void pool.query('SET ROLE app');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks`,
    },
    {
      name: 'LISTEN breaks',
      settings: behind('pgbouncer'),
      code: `void pool.query('LISTEN orders');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks`,
    },
    {
      name: 'RDS Proxy pins',
      settings: behind('rds-proxy'),
      code: `void pool.query('SET ROLE app');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ pins`,
    },
    {
      name: 'the short form',
      settings: { poolguard: { pooler: 'rds-proxy:transaction' } },
      code: `void pool.query('SET ROLE app');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ pins`,
    },
    {
      name: 'PgDog keeps settings with the client, whose next borrower still gets them',
      settings: behind('pgdog'),
      code: `void pool.query('SET ROLE app');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool`,
    },
    {
      name: 'PgBouncer tracks some settings',
      settings: behind('pgbouncer'),
      code: held("await c.query('SET TIME ZONE UTC'); await c.query('RESET timezone');"),
    },
    {
      name: 'set_config of a setting that PgBouncer tracks',
      settings: behind('pgbouncer'),
      code: held(
        "await c.query(\"SELECT set_config('TimeZone', $1, false)\", ['UTC']); await c.query('RESET timezone');",
      ),
    },
    {
      name: 'one that it tracks only from 1.20 on',
      settings: { poolguard: { pooler: 'pgbouncer:transaction:1.19' } },
      code: `void pool.query("SET IntervalStyle = 'iso_8601'");\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ leaks`,
    },
    {
      name: 'what no pooler keeps is the matter of another rule',
      settings: behind('pgbouncer'),
      code: "void pool.query('PREPARE q AS SELECT 1'); void pool.query(\"LOAD 'auto_explain'\");",
    },
    {
      name: 'statement mode is like transaction mode',
      settings: { poolguard: { pooler: 'pgbouncer:statement' } },
      code: `void pool.query('LISTEN orders');\n//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ breaks`,
    },
    {
      name: 'a client of its own at the usual address',
      filename: 'a.js',
      settings: behind('pgbouncer'),
      code: `import { Client } from 'pg';
export async function f() {
  const own = new Client({ connectionString: process.env.DATABASE_URL });
  await own.connect();
  await own.query('LISTEN a');
  //    ^^^^^^^^^^^^^^^^^^^^^ breaks
  const direct = new Client({ connectionString: process.env.DIRECT_URL });
  await direct.query('LISTEN a');
  const other = new Client({ connectionString: process.env.EVENTS_URL });
  await other.query('LISTEN a');
  const plain = new Client();
  await plain.query('LISTEN a');
  //    ^^^^^^^^^^^^^^^^^^^^^^^ breaks
}`,
    },
    {
      name: 'pools at a direct address are judged as without a pooler',
      settings: behind('pgbouncer'),
      code: `const direct = new Pool({ connectionString: process.env.POSTGRES_URL_NON_POOLING });
const c = new Pool({ connectionString: config.unpooledUrl });
async function f() {
  const client = await direct.connect();
  try { await client.query('SET ROLE app'); await client.query('RESET ROLE'); client.release(); } catch (error) { client.release(error); }
  await direct.query('SET ROLE app');
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ onPool
  await c.query('LISTEN a');
  //    ^^^^^^^^^^^^^^^^^^^ onPool
}`,
    },
    {
      name: 'a direct address by the settings',
      settings: { poolguard: { pooler: 'pgbouncer', direct: ['JOBS_URL'] } },
      code: `const url = process.env.JOBS_URL;
const jobs = new Pool({ connectionString: url });
async function f() { const c = await jobs.connect(); try { await c.query('SET ROLE app'); await c.query('RESET ROLE'); c.release(); } catch (error) { c.release(error); } }`,
    },
    {
      name: 'even where the state is taken back',
      settings: behind('pgbouncer'),
      code: `async function f(c: PoolClient) {\n  await c.query('SET ROLE app');\n  //    ^^^^^^^^^^^^^^^^^^^^^^^ leaks\n  await c.query('RESET ROLE');\n}`,
    },
    {
      name: 'session mode is like no pooler',
      settings: { poolguard: { pooler: { kind: 'pgbouncer', mode: 'session' } } },
      code: held("await c.query('SET ROLE app'); await c.query('RESET ROLE');"),
    },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    { name: 'SET LOCAL', code: held("await c.query('SET LOCAL ROLE app');") },
    {
      name: 'set_config that is set to nothing before the release',
      code: held(
        "await c.query(\"SELECT set_config('a.b', $1, false)\", [1]); await c.query(\"SELECT set_config('a.b', '', false)\");",
      ),
    },
    {
      name: 'set_config that is local',
      code: held('await c.query("SELECT set_config(\'a.b\', $1, true)", [1]);'),
    },
    {
      name: 'a transaction advisory lock',
      code: held("await c.query('SELECT pg_advisory_xact_lock(1)');"),
    },
    {
      name: 'SET and RESET',
      code: held("await c.query('SET ROLE app'); await c.query('RESET ROLE');"),
    },
    {
      name: 'a destroyed connection',
      code: "async function f() { const c = await pool.connect(); try { await c.query('SET ROLE app'); } finally { c.release(true); } }",
    },
    {
      name: 'a client of its own',
      filename: 'a.ts',
      code: "import { Client } from 'pg';\nasync function f() { const c = new Client(); await c.connect(); await c.query('LISTEN a'); }",
    },
    {
      name: 'a temporary table that ends with the transaction',
      code: held("await c.query('CREATE TEMP TABLE t (a int) ON COMMIT DROP');"),
    },
    {
      name: 'words inside a string',
      code: 'void pool.query("UPDATE t SET a = \'SET ROLE x; LISTEN y\'");',
    },
    { name: 'what may be SET LOCAL', code: held('await c.query(`SET ${scope} ROLE app`);') },
    {
      name: 'a false of another function',
      code: held('await c.query("SELECT set_config(\'a\', $1, true), coalesce(b, false)");'),
    },
    {
      name: 'servers that listen, and other objects with names',
      code: "server.listen(80); void server.query('LISTEN a');\nconst c = { name: 'SET ROLE a', text: 'LISTEN b' };\nvoid fetch(c);",
    },
    {
      name: 'bodies of functions',
      code: "void pool.query('CREATE FUNCTION f() RETURNS void AS $body$ BEGIN SET ROLE a; PERFORM pg_advisory_lock(1); END $body$ LANGUAGE plpgsql');",
    },
    {
      name: 'LISTEN on a client whose end has the function called again',
      code: "async function start(tell) {\n  const c = await pool.connect();\n  c.on('notification', tell);\n  c.on('error', (error) => {\n    c.release(error);\n    setTimeout(() => void start(tell).catch(console.error), 1000);\n  });\n  await c.query('LISTEN a');\n}",
    },
    {
      name: 'a lock on a client that is handed on, which a helper of another file takes back',
      files: {
        'locks.ts':
          "export const lock = (db) => db.query('SELECT pg_advisory_lock(1)');\nexport const unlock = (db) => db.query('SELECT pg_advisory_unlock(1)');",
      },
      code: "import { lock, unlock } from './locks';\nexport async function begin() { const c = await pool.connect(); await lock(c); return c; }\nexport async function end(c) { await unlock(c); c.release(); }",
    },
    {
      name: 'LISTEN that is taken back before the release',
      code: "async function* f(signal) {\n  const c = await pool.connect();\n  try {\n    await c.query('LISTEN a');\n    while (!signal.aborted) yield await next(c);\n  } finally {\n    await c.query('UNLISTEN a').catch(() => {});\n    c.release();\n  }\n}",
    },
    {
      name: 'LISTEN whose end leads to another checkout, under names that say nothing',
      code: "async function a() {\n  const c = await pool.connect();\n  const b = () => { c.release(true); setTimeout(d, 9); };\n  c.on('error', b);\n  await c.query('LISTEN a');\n}\nfunction d() { a().catch(console.error); }",
    },
    {
      name: 'LISTEN whose end is told to code of another package',
      code: "import { supervisor } from 'supervision';\nasync function start() {\n  const c = await pool.connect();\n  c.on('error', (error) => { c.release(error); supervisor.failed(error); });\n  await c.query('LISTEN a');\n}",
    },
    {
      name: 'LISTEN in a method that is called again by name',
      code: "class Jobs {\n  async begin() {\n    const c = await pool.connect();\n    this.client = c;\n    const again = () => { c.release(true); setTimeout(this.begin, 500); };\n    c.once('end', again);\n    await c.query('LISTEN a');\n  }\n}",
    },
    {
      name: 'a text that is not known',
      code: 'async function f(sql) { await pool.query(sql); await pool.query(sql + "SET ROLE a"); }',
    },
  ]);
});

function reportsWith(
  settings: object,
  options: object = {},
  code = 'export {};',
): readonly string[] {
  const messages = new Linter().verify(code, [
    {
      plugins: { poolguard: plugin },
      rules: { [`poolguard/${rule}`]: ['error', options] },
      settings: { poolguard: settings },
    },
  ]);
  return messages.map(({ messageId, message, line }) => `${messageId ?? message} ${line}`);
}

test.each([
  'pgbuoncer',
  'pgbouncer:transaction:new',
  'pgbouncer::1.24',
  7,
  { kind: 'pgbouncer', mode: 'transactional' },
  {},
])('says that it does not know the pooler %j', (pooler) => {
  expect(reportsWith({ pooler })).toEqual(['unknownPooler 1']);
});

test.each([{ poolr: 'pgbouncer' }, { pooler: { kind: 'pgbouncer', versoin: '1.24' } }])(
  'says that it does not know the setting in %j',
  (settings) => {
    expect(reportsWith(settings)).toEqual(['unknownSetting 1']);
  },
);

test.each([
  {},
  { pooler: false },
  { pooler: 'pgbouncer' },
  { pooler: { kind: 'neon', mode: 'transaction', version: 1.24 } },
  { direct: ['JOBS_URL'] },
])('has nothing to say about %j', (settings) => {
  expect(reportsWith(settings)).toEqual([]);
});

describe('options', () => {
  const code = (sql: string): string =>
    `import { Pool } from 'pg';\nconst pool = new Pool();\nvoid pool.query(${JSON.stringify(sql)});`;

  test.each([
    ['SET search_path TO a', { allowSettings: ['Search_Path'] }, []],
    ['SET ROLE a', { allowSettings: ['search_path'] }, ['onPool 3']],
    ["SELECT set_config('app.tenant', 'a', false)", { allowSettings: ['app.tenant'] }, []],
    [
      "SELECT set_config('app.tenant', 'a', false), set_config('app.user', 'b', false)",
      { allowSettings: ['app.tenant'] },
      ['onPool 3'],
    ],
    ['LISTEN a', { allow: ['listen'] }, []],
    ['LISTEN a', { allow: ['set'], allowSettings: [''] }, ['onPool 3']],
  ])('%s with %j', (sql, options, reports) => {
    expect(reportsWith({}, options, code(sql))).toEqual(reports);
  });
});

describe('suggests the same for the transaction', () => {
  const inTransaction = (
    query: string,
    before = "await c.query('BEGIN');",
  ): string => `import { Pool } from 'pg';
const pool = new Pool();
export async function f(id) {
  const c = await pool.connect();
  try {
    ${before}
    await c.query(${query});
    await c.query('COMMIT');
    c.release();
  } catch (error) {
    c.release(error);
    throw error;
  }
}`;

  const rewritten = [
    ["'SET ROLE a'", "'SET LOCAL ROLE a'"],
    ['`set session statement_timeout = ${id}`', '`set local statement_timeout = ${id}`'],
    ["{ text: 'SET search_path TO a' }", "{ text: 'SET LOCAL search_path TO a' }"],
    [
      '"SELECT set_config(\'a.b\', $1, false)", [id]',
      '"SELECT set_config(\'a.b\', $1, true)", [id]',
    ],
    ["'SELECT pg_advisory_lock($1)', [id]", "'SELECT pg_advisory_xact_lock($1)', [id]"],
    ["'SELECT pg_advisory_lock_shared(1)'", "'SELECT pg_advisory_xact_lock_shared(1)'"],
    ["'SELECT pg_try_advisory_lock(1)'", "'SELECT pg_try_advisory_xact_lock(1)'"],
  ] as const;
  checkSuggestions(
    rule,
    rewritten.map(([query, output]) => ({
      name: query,
      code: inTransaction(query),
      outputs: [inTransaction(output)],
    })),
    '',
  );

  const left = [
    ['outside of a transaction', inTransaction("'SET ROLE a'", '')],
    [
      'where a transaction may be open',
      inTransaction("'SET ROLE a'", "if (id) await c.query('BEGIN');"),
    ],
    [
      'where the lock is unlocked',
      inTransaction("'SELECT pg_advisory_lock(1)'").replace(
        "await c.query('COMMIT')",
        "await c.query('SELECT pg_advisory_unlock(1)').catch(() => {}); await c.query('COMMIT')",
      ),
    ],
    ['in a text of several statements', inTransaction("'SET ROLE a; SELECT 1'")],
    [
      'in a text from elsewhere',
      inTransaction('text').replace('const pool', "const text = 'SET ROLE a';\nconst pool"),
    ],
    ['for the session user', inTransaction("'SET SESSION AUTHORIZATION a'")],
  ] as const;
  checkSuggestions(
    rule,
    left.map(([where, code]) => ({ name: `but nothing ${where}`, code, outputs: [] })),
    '',
  );
});
