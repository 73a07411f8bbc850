import { describe } from 'vitest';
import { checkRule, type Sample } from '../support/marked.ts';

const rule = 'require-pool-error-handler';

function named(samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => ({ filename: 'sample.ts', ...sample }));
}

describe('reports pools that nobody listens to', () => {
  checkRule(
    rule,
    named([
      {
        name: 'an exported pool',
        code: `
import { Pool } from 'pg';
export const pool = new Pool({ max: 5 });
//                  ^^^^^^^^^^^^^^^^^^^^ pool
export const query = (text, values) => pool.query(text, values);`,
        files: {
          'users.ts':
            "import { pool } from './sample';\nexport const list = () => pool.query('SELECT 1');",
        },
      },
      {
        name: 'a pool that is exported behind a comment',
        code: `
import { Pool } from 'pg';
/* pool.on('error', …) */ export const pool = new Pool();
//                                            ^^^^^^^^^^ pool
export const query = (text, values) => pool.query(text, values);`,
      },
      {
        name: 'one of two pools, where the other has a handler',
        code: `
import { Pool } from 'pg';
export const pool = new Pool();
//                  ^^^^^^^^^^ pool`,
        files: {
          'reports.ts':
            "import { Pool } from 'pg';\nexport const pool = new Pool();\npool.on('error', () => {});",
        },
      },
      {
        name: 'a CommonJS module, and other listeners',
        filename: 'sample.cjs',
        code: `
const { Pool } = require('pg');
const pool = new Pool();
//           ^^^^^^^^^^ pool
pool.on('connect', () => console.log('connected'));
module.exports = { pool, query: (text) => pool.query(text) };`,
      },
      {
        name: 'a pool of a server',
        code: `
import pg from 'pg';
const db = new pg.Pool();
//         ^^^^^^^^^^^^^ pool
app.get('/', async (req, res) => res.json(await db.query('SELECT 1')));
server.on('error', (error) => console.error(error));
process.on('SIGTERM', () => db.end());
app.listen(3000);`,
      },
      {
        name: 'a lazy pool, and one that survives reloads',
        code: `
import { Pool } from 'pg';
let pool: Pool | undefined;
export function getPool(): Pool {
  if (!pool) pool = new Pool();
  //                ^^^^^^^^^^ pool
  return pool;
}
const kept = globalThis.pgPool ?? new Pool();
//                                ^^^^^^^^^^ pool
globalThis.pgPool = kept;`,
      },
      {
        name: 'fields of classes',
        code: `
import { Pool } from 'pg';
export class Database {
  private readonly pool: Pool;
  constructor() {
    this.pool = new Pool();
    //          ^^^^^^^^^^ pool
  }
  query(text: string) { return this.pool.query(text); }
  close() { return this.pool.end(); }
}
export class Other {
  #pool = new Pool();
  //      ^^^^^^^^^^ pool
  query(text: string) { return this.#pool.query(text); }
}`,
      },
      {
        name: 'a pool that a function keeps for its closures',
        code: `
import { Pool } from 'pg';
export function connect(options) {
  const pool = new Pool();
  //           ^^^^^^^^^^ pool
  return { query: (text) => pool.query(text) };
}`,
      },
      {
        name: 'a pool that Drizzle gets',
        code: `
import { Pool } from 'pg';
import { drizzle } from 'drizzle-orm/node-postgres';
const pool = new Pool();
//           ^^^^^^^^^^ pool
export const db = drizzle(pool);`,
      },
      {
        name: 'Neon pools',
        code: `
import { Pool } from '@neondatabase/serverless';
export const pool = new Pool();
//                  ^^^^^^^^^^ pool`,
      },
    ]),
  );
});

describe('reports connections that are kept and nobody listens to', () => {
  checkRule(
    rule,
    named([
      {
        name: 'one for all requests',
        code: `
import { Client } from 'pg';
const client = new Client();
//             ^^^^^^^^^^^^ connection
await client.connect();
app.get('/', async (req, res) => res.json(await client.query('SELECT 1')));
app.listen(3000);`,
      },
      {
        name: 'one that listens',
        code: `
import { Client, type Pool } from 'pg';
export async function subscribe(notify) {
  const client = new Client();
  //             ^^^^^^^^^^^^ connection
  await client.connect();
  client.on('notification', notify);
  await client.query('LISTEN jobs');
}
export async function subscribeWith(pool: Pool, notify) {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ listeningClient
  client.on('notification', notify);
  await client.query('LISTEN jobs');
}`,
      },
    ]),
  );
});

describe('stays silent', () => {
  checkRule(
    rule,
    named([
      {
        name: 'where something listens',
        code: `
import { Pool, Client } from 'pg';
export const a = new Pool();
a.on('error', console.error);
export const b = new Pool();
b.once('connect', () => {});
b.addListener('error', () => {});
export const c = new Pool();
for (const event of ['error', 'connect']) c.on(event, log);
export class Database { pool = new Pool(); constructor() { this.pool.on('error', () => {}); } }
const client = new Client();
client.on('error', () => process.exit(1));
await client.connect();
export const query = (text) => client.query(text);`,
      },
      {
        name: 'where another file of the project may listen',
        code: `
import { Pool } from 'pg';
export const pool = new Pool();`,
        files: {
          'src/server.ts':
            "import { pool } from '../sample';\npool.on('error', (error) => console.error(error));",
          'package.json': '{}',
        },
      },
      {
        name: 'where a file that imports it listens to something under another name',
        code: `
import { Pool } from 'pg';
export default new Pool();`,
        files: {
          'server.ts':
            "import store from './sample.js';\nstore\n  .on('connect', () => {})\n  .on('error', () => {});",
        },
      },
      {
        name: 'about a pool that somebody else has',
        code: `
import { Pool } from 'pg';
import { watch } from './watch';
export const a = watch(new Pool());
export const b = new Pool();
watch(b);
const c = new Pool();
export const store = new SessionStore({ pool: c });
export function create() { const pool = new Pool(); return pool; }
export const make = () => new Pool();
const d = new Pool();
[d].forEach((pool) => pool.on('error', () => {}));
const e = new Pool();
export const alias = e;
const other = e;
other.on('error', () => {});`,
      },
      {
        name: 'about a class that extends the pool',
        code: `
import { Pool } from 'pg';
class Quiet extends Pool { constructor() { super(); this.on('error', () => {}); } }
export const pool = new Quiet();`,
      },
      {
        name: 'about a script that ends its pool',
        code: `
import { Pool } from 'pg';
export const pool = new Pool();
async function main() { await pool.query('SELECT 1'); await pool.end(); }
main();`,
      },
      {
        name: 'about a script that does not',
        code: `
const { Pool } = require('pg');
const pool = new Pool();
pool.query('SELECT 1').then(({ rows }) => console.log(rows));`,
        filename: 'sample.cjs',
      },
      {
        name: 'about a script that ends the process',
        code: `
import { Pool } from 'pg';
export const pool = new Pool();
export async function run() { await pool.query('SELECT 1'); }
run().then(() => process.exit(0)).catch(() => process.exit(1));`,
      },
      {
        name: 'about a pool for one call or one request',
        code: `
import { Pool, Client } from 'pg';
export async function check() { const pool = new Pool(); await pool.query('SELECT 1'); await pool.end(); }
export async function count() { const client = new Client(); await client.connect(); const { rows } = await client.query('SELECT 1'); await client.end(); return rows; }
app.get('/', async (req, res) => { const pool = new Pool(); res.json(await pool.query('SELECT 1')); });`,
      },
      {
        name: 'about a connection that functions open and end',
        code: `
import { Client } from 'pg';
let client;
export const open = async () => { client = new Client(); await client.connect(); };
export const query = (text) => client.query(text);
export const close = () => client.end();`,
      },
      {
        name: 'about what a function gives back',
        code: `
import { Pool, Client } from 'pg';
export async function subscribe(notify) { const client = new Client(); await client.connect(); client.on('notification', notify); return client; }
export function connect() { const pool = new Pool(); app.get('/', () => pool.query('SELECT 1')); return pool; }`,
      },
      {
        name: 'about tests and scripts, by their place',
        filename: 'scripts/report.ts',
        files: { 'package.json': '{}' },
        code: `
import { Pool } from 'pg';
export const pool = new Pool();`,
      },
      {
        name: 'about a listening client whose pool gives each client a handler',
        code: `
import { Pool } from 'pg';
const pool = new Pool();
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));
export async function subscribe(notify) {
  const client = await pool.connect();
  client.on('notification', notify);
  await client.query('LISTEN jobs');
}`,
      },
      {
        name: 'about other libraries',
        code: `
import { Pool } from 'undici';
import { createPool } from 'mysql2';
export const pool = new Pool('http://localhost');
export const other = createPool({});`,
      },
    ]),
  );
});

describe('follows a pool to where somebody could listen', () => {
  checkRule(
    rule,
    named([
      {
        name: 'made where it is given: nobody gets at what a query builder has',
        code: `
import { Pool } from 'pg';
import { Kysely, PostgresDialect } from 'kysely';
import { drizzle } from 'drizzle-orm/node-postgres';
export const db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ max: 5 }) }) });
//                                                                  ^^^^^^^^^^^^^^^^^^^^ unnamedPool
export const other = drizzle(new Pool());
//                           ^^^^^^^^^^ unnamedPool`,
      },
      {
        name: 'what a function makes and its callers keep',
        code: `
import { Pool } from 'pg';
export const createPool = (config) => new Pool(config);
//                                    ^^^^^^^^^^^^^^^^ unnamedPool
const make = () => ({ pool: new Pool(), name: 'main' });
//                          ^^^^^^^^^^ unnamedPool
export const { pool } = make();`,
        files: {
          'db.ts':
            "import { createPool } from './sample';\nexport const db = createPool({});\nexport const list = () => db.query('SELECT 1');",
          'log.ts': "import { server } from './server';\nserver.on('error', () => {});",
        },
      },
      {
        name: 'a field that a method of its own fills, and an object in a field',
        code: `
import { Pool } from 'pg';
export class Strategy {
  protected pool?: Pool;
  getPool() { if (!this.pool) this.pool = this.create(); return this.pool; }
  protected create(): Pool { return new Pool(); }
  //                                ^^^^^^^^^^ unnamedPool
}
export class Provider {
  private conn: { pool: Pool };
  connect() { this.conn = { pool: new Pool() }; }
  //                              ^^^^^^^^^^ unnamedPool
  close() { return this.conn.pool.end(); }
}`,
      },
      {
        name: 'a driver that has it of a default, and one that gets it',
        code: `
import { Pool } from 'pg';
import { Store } from './store';
export class Driver {
  constructor(private readonly pool = new Pool()) {}
  //                                  ^^^^^^^^^^ unnamedPool
  run(text: string) { return this.pool.query(text); }
}
export const store = new Store({ pool: new Pool() });
//                                     ^^^^^^^^^^ unnamedPool
export function open(options) {
  return new Store({ pool: new Pool(options) });
  //                       ^^^^^^^^^^^^^^^^^ unnamedPool
}`,
        files: {
          'store.ts':
            "import { Base } from './base';\nexport class Store extends Base { constructor({ pool }) { super(pool); } }",
          'base.ts':
            'export class Base { #pool; constructor(pool) { this.#pool = pool; } run(text) { return this.#pool.query(text); } }',
        },
      },
      {
        name: 'one export, where somebody listens to the other',
        code: `
import { Pool } from 'pg';
export default new Pool();
export const main = new Pool();
//                  ^^^^^^^^^^ pool`,
        files: {
          'server.ts': "import store from './sample.js';\nstore.on('error', () => {});",
        },
      },
      {
        name: 'a listener that only a setting adds',
        code: `
import { Pool } from 'pg';
const { PG_SCHEMA } = process.env;
export const a = new Pool();
//               ^^^^^^^^^^ pool
if (PG_SCHEMA != null) a.on('error', () => {});
export const b = new Pool();
//               ^^^^^^^^^^ pool
process.env.DEBUG && b.on('error', () => {});
const isVerbose = process.env['VERBOSE'];
export const c = new Pool();
//               ^^^^^^^^^^ pool
if (isVerbose === '1') { c.on('error', () => {}); }`,
      },
    ]),
  );
});

describe('stays silent where somebody gets at the pool and listens, or may', () => {
  checkRule(
    rule,
    named([
      {
        name: 'through a helper of another file',
        code: `
import { Pool } from 'pg';
import { watched, watchAll, Repository } from './watch';
export const a = watched(new Pool());
export const b = new Pool();
watchAll({ pool: b });
export class Strategy {
  pool = this.create();
  create() { return watched(new Pool()); }
}
export const repository = new Repository(new Pool());`,
        files: {
          'watch.ts': `
const attach = (pool, log) => { pool.on('error', log); return pool; };
export function watched(pool) { return attach(pool, console.error); }
export const watchAll = ({ pool }) => void attach(pool, console.error);
export class Repository { constructor(readonly pool) { watched(this.pool); } }`,
        },
      },
      {
        name: 'through what a file that imports it gives to a helper',
        code: `
import { Pool } from 'pg';
export const pool = new Pool();
export const createPool = () => new Pool();
export class Database { readonly connections = new Pool(); }`,
        files: {
          'main.ts': `
import * as all from './index';
import { createPool } from './sample';
import { attach } from './attach';
const { pool: main } = all;
attach(main);
export const second = createPool();
attach(second);
export class Service { constructor(private readonly database: all.Database, private readonly own: Database) { attach(own.connections); } }
attach(new all.Database().connections);`,
          'index.ts': "export * from './sample';",
          'attach.ts': "export function attach(it) { it.once('error', () => {}); }",
        },
      },
      {
        name: 'where a caller listens to what it gets',
        code: `
import { Pool } from 'pg';
export const createPool = () => new Pool();
export async function connect() { return { pool: new Pool(), name: 'main' }; }`,
        files: {
          'a.ts': `
import { createPool, connect } from './sample';
export const db = createPool();
db.on('error', () => {});
export const start = async () => { const { pool } = await connect(); pool.on('error', () => {}); return pool; };`,
        },
      },
      {
        name: 'where the exports of the module are used in the file',
        filename: 'sample.cjs',
        code: `
const { Pool } = require('pg');
const self = module.exports;
self.init = function () { const pool = new Pool(); self.pool = pool; };
self.start = function () { self.pool.on('error', () => {}); };
exports.other = new Pool();
exports.other.on('error', () => {});`,
      },
      {
        name: 'where unknown code has the exports of the module',
        filename: 'sample.cjs',
        code: `
const { Pool } = require('pg');
const self = module.exports;
self.pool = new Pool();
require('./promisify')(self, ['pool']);`,
      },
      {
        name: 'where unknown code has it',
        code: `
import { Pool } from 'pg';
import { Queue } from 'some-queue';
import { drizzle } from 'drizzle-orm/node-postgres';
import { PrismaPg } from '@prisma/adapter-pg';
export const queue = new Queue({ pool: new Pool() });
export const adapter = new PrismaPg(new Pool());
export const db = drizzle(new Pool());
db.$client.on('error', () => {});
export const pools = [new Pool()];
export const createPool = () => new Pool();
module.exports = register(createPool);`,
      },
      {
        name: 'where only the stage decides, where both ways listen, and where something else does',
        code: `
import { Pool } from 'pg';
import { settings } from './settings';
export const a = new Pool();
if (process.env.NODE_ENV !== 'test') a.on('error', () => {});
export const b = new Pool();
if (process.env.DEBUG) b.on('error', console.error);
else b.on('error', () => {});
export const c = new Pool();
if (settings.log) c.on('error', () => {});`,
      },
      {
        name: 'where the function that makes it, or uses it, ends it',
        code: `
import { Pool } from 'pg';
import { Store } from './store';
export async function count() {
  const store = new Store(new Pool());
  try { return await store.run('SELECT 1'); } finally { await store.close(); }
}
const open = () => new Pool();
export async function check() {
  const pool = open();
  await Promise.all([1, 2].map(() => pool.query('SELECT 1')));
  await pool.end();
}`,
        files: {
          'store.ts':
            'export class Store { #pool; constructor(pool) { this.#pool = pool; } run(text) { return this.#pool.query(text); } close() { return this.#pool.end(); } }',
        },
      },
    ]),
  );
});
