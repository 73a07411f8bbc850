import { describe } from 'vitest';
import { checkRule, type Sample } from '../support/marked.ts';

const rule = 'no-pool-per-request';

/** The samples make their own pools; without a name each would get one. */
function named(samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => ({ filename: 'sample.ts', ...sample }));
}

describe('reports a pool or a connection of its own for each request', () => {
  checkRule(
    rule,
    named([
      {
        name: 'a pool that nobody ends',
        code: `
import express from 'express';
import { Pool } from 'pg';
const app = express();
app.get('/users', async (request, response) => {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pool
  const { rows } = await pool.query('SELECT * FROM users');
  response.json(rows);
});`,
      },
      {
        name: 'a pool that is ended, with a configuration from around',
        code: `
const { Pool } = require('pg');
const config = require('./config');
exports.list = async (req, res, next) => {
  const pool = new Pool(config.database);
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^ endedPool
  try { res.json((await pool.query('SELECT 1')).rows); } catch (error) { next(error); } finally { await pool.end(); }
};`,
        filename: 'sample.cjs',
      },
      {
        name: 'a connection, ended and not',
        code: `
import { Client } from 'pg';
export default async function handler(req, res) {
  const client = new Client();
  //             ^^^^^^^^^^^^ client
  await client.connect();
  const { rows } = await client.query('SELECT 1');
  await client.end();
  res.status(200).json(rows);
}
export async function other(req, res) {
  const client = new Client({ host: 'db', port: Number(process.env.PORT) });
  //             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ openClient
  await client.connect();
  res.json((await client.query('SELECT 1')).rows);
}`,
      },
      {
        name: 'handlers of Next.js, Fastify and Nest',
        filename: 'route.ts',
        code: `
import { Pool } from 'pg';
export async function GET(request: Request) {
  const pool = new Pool();
  //           ^^^^^^^^^^ pool
  return Response.json((await pool.query('SELECT 1')).rows);
}
export const POST = async () => {
  const pool = new Pool();
  //           ^^^^^^^^^^ pool
  return Response.json((await pool.query('SELECT 1')).rows);
};
fastify.route({ method: 'GET', url: '/', handler: async () => (await new Pool().query('SELECT 1')).rows });
//                                                                   ^^^^^^^^^^ pool
class Users {
  @Get('/users')
  async list() {
    const pool = new Pool();
    //           ^^^^^^^^^^ pool
    return (await pool.query('SELECT 1')).rows;
  }
}`,
      },
      {
        name: 'a named handler, and a function that one calls',
        code: `
import { Pool, Client } from 'pg';
const settings = { max: 5 };
async function load(id) {
  const pool = new Pool(settings);
  //           ^^^^^^^^^^^^^^^^^^ pool
  return (await pool.query('SELECT $1', [id])).rows;
}
async function show(ctx) { ctx.body = await load(ctx.params.id); }
router.get('/users/:id', show);
async function list(ctx) {
  const client = new Client();
  //             ^^^^^^^^^^^^ client
  await client.connect();
  try { ctx.body = (await client.query('SELECT 1')).rows; } finally { await client.end(); }
}
router.get('/users', authenticate, list);`,
      },
      {
        name: 'a pool with Drizzle around it',
        code: `
import { Pool } from 'pg';
import { drizzle } from 'drizzle-orm/node-postgres';
app.post('/users', async (c) => {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pool
  const db = drizzle(pool);
  return c.json(await db.select().from(users));
});`,
      },
      {
        name: 'a pool in a Lambda function that is left open',
        code: `
import { Pool } from 'pg';
export const handler = async (event) => {
  const pool = new Pool();
  //           ^^^^^^^^^^ pool
  return (await pool.query('SELECT 1')).rows;
};`,
      },
      {
        name: 'a pool in each round of a loop',
        code: `
import { Pool } from 'pg';
export async function work(queue) {
  for await (const job of queue) {
    const pool = new Pool({ max: 1 });
    //           ^^^^^^^^^^^^^^^^^^^^ inLoop
    await pool.query('SELECT $1', [job.id]);
  }
}`,
      },
    ]),
  );
});

describe('reports the end of a pool that requests share', () => {
  checkRule(
    rule,
    named([
      {
        name: 'a pool of this file, and one of another',
        files: { 'db.ts': "import { Pool } from 'pg';\nexport const shared = new Pool();" },
        code: `
import { Pool } from 'pg';
import { shared } from './db';
const pool = new Pool();
app.get('/users', async (req, res) => {
  const { rows } = await pool.query('SELECT 1');
  await pool.end();
  //    ^^^^^^^^^^ endsShared
  res.json(rows);
});
export const handler = async (event) => {
  try { return await shared.query('SELECT 1'); } finally { await shared.end(); }
  //                                                             ^^^^^^^^^^^^ endsShared
};`,
      },
    ]),
  );
});

describe('stays silent', () => {
  checkRule(
    rule,
    named([
      {
        name: 'about pools that are kept',
        code: `
import { Pool } from 'pg';
const pool = new Pool();
let lazy: Pool | undefined;
const cache = new Map();
app.get('/a', async (req, res) => {
  lazy ??= new Pool();
  globalThis.pool ??= new Pool();
  if (!lazy) lazy = new Pool();
  if (!cache.has('a')) cache.set('a', new Pool());
  const made = new Pool();
  req.app.locals.pool = made;
  res.json(await pool.query('SELECT 1'));
});
function getPool() { if (!lazy) { const made = new Pool(); lazy = made; } return lazy; }
export function createPool() { return new Pool(); }
app.get('/b', async (req, res) => { res.json(await getPool().query('SELECT 1')); });
class Repository { static shared = new Pool(); private own = new Pool(); list(req, res) { this.own = new Pool(); } }`,
      },
      {
        name: 'about a configuration that depends on the request, or on what is not known',
        code: `
import { Pool, Client } from 'pg';
app.post('/test-connection', async (req, res) => {
  const client = new Client(req.body);
  await client.connect();
  await client.end();
  const { host, port } = req.body;
  const pool = new Pool({ host, port });
  await pool.query('SELECT 1');
  const settings = await readSettings();
  const other = new Pool(settings);
  await other.query('SELECT 1');
  const tenant = new Pool(configOf(req.tenant));
  await tenant.query('SELECT 1');
});
class Controller { @Get() async list() { const pool = new Pool(this.config); await pool.query('SELECT 1'); } }`,
      },
      {
        name: 'about Workers and edge functions, where nothing outlives a request',
        code: `
import { Client } from 'pg';
import { Pool } from '@neondatabase/serverless';
app.get('/', async (c) => {
  const client = new Client({ connectionString: c.env.DATABASE_URL });
  await client.connect();
  c.executionCtx.waitUntil(client.end());
});
app.get('/neon', async (c) => {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  return c.json(await pool.query('SELECT 1'));
});`,
      },
      {
        name: 'about an edge runtime',
        code: `
import { Client } from 'pg';
export const runtime = 'edge';
export default async function handler(req, res) {
  const client = new Client(process.env.DATABASE_URL);
  await client.connect();
  await client.end();
}`,
      },
      {
        name: 'about a connection that waits for notifications on behalf of its request',
        code: `
import { Client } from 'pg';
app.get('/events', async (req, res) => {
  const client = new Client();
  await client.connect();
  client.on('notification', ({ payload }) => res.write(payload));
  await client.query('LISTEN events');
  req.on('close', () => client.end());
});`,
      },
      {
        name: 'about a connection or an ended pool in a Lambda function',
        code: `
import { Client, Pool } from 'pg';
export const handler = async (event) => {
  const client = new Client();
  await client.connect();
  try { return await client.query('SELECT 1'); } finally { await client.end(); }
};
exports.handler = async function (event, context) { const pool = new Pool(); try { return await pool.query('SELECT 1'); } finally { await pool.end(); } };`,
      },
      {
        name: 'about scripts, commands and functions that nobody knows the callers of',
        code: `
import { Client, Pool } from 'pg';
async function main() { const client = new Client(); await client.connect(); await client.query('SELECT 1'); await client.end(); }
main();
export async function query(text) { const client = new Client(); await client.connect(); try { return await client.query(text); } finally { await client.end(); } }
program.command('get').action(async () => { const pool = new Pool(); await pool.query('SELECT 1'); await pool.end(); });`,
      },
      {
        name: 'about tests and seeds',
        filename: 'users.test.ts',
        code: `
import { Pool } from 'pg';
app.get('/users', async (req, res) => { const pool = new Pool(); res.json(await pool.query('SELECT 1')); });`,
      },
      {
        name: 'about one pool for each of several databases, and attempts to connect',
        code: `
import { Pool } from 'pg';
export async function open(urls, pools) {
  for (const url of urls) { const pool = new Pool({ connectionString: url }); await pool.query('SELECT 1'); }
  for (const name of names) pools.push(new Pool());
  for (let attempt = 0; attempt < 5; attempt++) {
    const pool = new Pool();
    try { await pool.query('SELECT 1'); return pool; } catch { await sleep(1000); }
  }
  while (true) { const pool = new Pool(); try { await pool.query('SELECT 1'); break; } finally { await pool.end(); } }
}`,
      },
      {
        name: 'about a shared pool that is ended when the program shuts down',
        code: `
import { Pool } from 'pg';
const pool = new Pool();
let replaceable = new Pool();
process.on('SIGTERM', async () => { await pool.end(); });
export async function close() { await pool.end(); }
app.post('/shutdown', async (req, res) => { res.end(); await pool.end(); });
app.post('/bye', async (req, res) => { server.close(); await pool.end(); res.json({});  });
app.post('/stop', async (req, res) => { await pool.end(); process.exit(0); });
app.post('/reconnect', async (req, res) => { await replaceable.end(); replaceable = new Pool(); res.end(); });
app.get('/stream', (req, res) => { res.on('close', () => pool.end()); });`,
      },
      {
        name: 'about other libraries',
        code: `
import { Client } from '@elastic/elasticsearch';
import { Pool } from 'undici';
app.get('/search', async (req, res) => { const client = new Client({ node: 'x' }); const pool = new Pool('http://x'); res.json(await client.search({})); pool.end(); });`,
      },
    ]),
  );
});
