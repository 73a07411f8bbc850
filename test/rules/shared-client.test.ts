import { describe } from 'vitest';
import { checkRule, leaking } from '../support/marked.ts';

const kept = (code: string): string => leaking('keptForAll', code);
const handler = `
app.get('/users', async (request, response) => { response.json(await users()); });
async function users() { return (await db.query('x')).rows; }`;
const find = "async find(id: number) { return (await this.client!.query('x', [id])).rows; }";

describe('reports a client that all requests share', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'in a constant, asked by a helper',
      code: kept(`const db = await pool.connect();${handler}`),
    },
    {
      name: 'in a variable that a start sets',
      code: kept(`
let db: PoolClient;
export async function start() {
  db = await pool.connect();
}${handler}`),
    },
    {
      name: 'captured by a handler in the function that takes it',
      code: kept(`
async function main() {
  const client = await pool.connect();
  client.on('error', console.error);
  app.post('/users', async (request, response) => { await client.query('x'); response.status(201); });
}
await main();`),
    },
    {
      name: 'given to a handler of the promise',
      code: `
  pool.connect().then((client) => {
//^^^^^^^^^^^^^^ keptForAll
  app.get('/users', async (request, response) => response.json((await client.query('x')).rows));
});`,
    },
    {
      name: 'given to a callback',
      code: `
  pool.connect((error, client, done) => {
//^… keptForAll
  if (error) throw error;
  app.get('/users', (request, response) => { client.query('x', (e, result) => response.json(result.rows)); });
});`,
    },
    {
      name: 'as a promise of it',
      code: kept(`
const coming = pool.connect();
app.get('/users', async (request, response) => {
  const client = await coming;
  response.json((await client.query('x')).rows);
});`),
    },
  ]);
});

describe('reports a client that is kept for all callers and released nowhere', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'in a private field',
      code: kept(`
export class Repository {
  private client?: PoolClient;
  async init() {
    this.client = await pool.connect();
  }
  ${find}
}`),
    },
    {
      name: 'in a field by way of a constant, read into another',
      code: kept(`
export class Repository {
  #client;
  async init() {
    const client = await pool.connect();
    client.on('error', console.error);
    this.#client = client;
  }
  async find(id) { const client = this.#client; return client.query('x', [id]); }
}`),
    },
    {
      name: 'in a field that no other file releases',
      files: {
        'main.ts':
          'import { Repository } from "./sample"; const r = new Repository(); await r.find(1); r.other.release();',
      },
      code: kept(`
export class Repository {
  client: PoolClient | null = null;
  async init() {
    this.client = await pool.connect();
  }
  ${find}
}`),
    },
    {
      name: 'in a variable of the module',
      code: kept(`
let db;
export async function start() {
  db = await pool.connect();
}
const find = (id) => db.query('x', [id]);
export default { find };`),
    },
    {
      name: 'in a variable of a CommonJS module',
      filename: 'sample.js',
      code: kept(`
const { Pool } = require('pg');
const pool = new Pool();
let db;
async function start() {
  db = await pool.connect();
}
exports.find = async (id) => (await db.query('x', [id])).rows;
module.exports.start = start;`),
    },
  ]);
});

const silent = [
  {
    name: 'a client that another method releases',
    code: `
export class Repository {
  private client?: PoolClient;
  async init() { this.client = await pool.connect(); }
  ${find}
  async close() { this.client?.release(); }
}`,
  },
  {
    name: 'a client that another file releases, or a child may',
    files: {
      'main.ts':
        'import { A } from "./sample"; const a = new A(); await a.find(1); a.client!.release();',
    },
    code: `
export class A { client?: PoolClient; async init() { this.client = await pool.connect(); } ${find} }
export class B extends Base { async init() { this.client = await pool.connect(); } ${find} }`,
  },
  {
    name: 'a client that is released when the program is told to stop',
    code: `
const db = await pool.connect();
process.on('SIGTERM', () => { db.release(); });${handler}`,
  },
  {
    name: 'a client that is given to somebody, or out of the file',
    code: `
let db, other;
export async function start() { db = await pool.connect(); keep(db); other = await pool.connect(); }
export const find = (id) => db.query('x', [id]);
export const get = () => other;
export const list = () => other.query('x');`,
  },
  {
    name: 'a client that listens, holds a lock, or is in a transaction of its object',
    code: `
export class Bus {
  #client;
  async init() {
    this.#client = await pool.connect();
    this.#client.on('notification', () => {});
  }
  async listen(name) { await this.#client.query(\`LISTEN \${name}\`); }
}
export class Leader {
  #client;
  async init() { this.#client = await pool.connect(); }
  async tryLock() { return this.#client.query('SELECT pg_try_advisory_lock(1)'); }
  async isAlive() { return this.#client.query('SELECT 1'); }
}
export class Unit {
  #client;
  async begin() { this.#client = await pool.connect(); await this.#client.query('BEGIN'); }
  async commit() { await this.#client.query('COMMIT'); }
  async query(text) { return this.#client.query(text); }
}`,
  },
  {
    name: 'a fixture of tests, and a script',
    code: `
let client: PoolClient, other: PoolClient;
beforeAll(async () => { client = await pool.connect(); });
it('works', async () => { await client.query('x'); });
async function insert(id: number) { await other.query('x', [id]); }
async function main() { other = await pool.connect(); for (const id of [1, 2]) await insert(id); process.exit(0); }
await main();`,
  },
  {
    name: 'what a Lambda keeps for its next request',
    code: `
const db = pool.connect();
export const handler = async (event) => (await (await db).query('x')).rows;`,
  },
];

describe('is silent where one client is kept on purpose, or somebody may release it', () => {
  checkRule('no-unreleased-client', silent);
  checkRule('no-concurrent-client-query', silent);
});
