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
export default new Pool();
export const main = new Pool();`,
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
