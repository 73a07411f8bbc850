import { describe } from 'vitest';
import { checkRule, type Sample } from '../support/marked.ts';

const rule = 'no-pool-per-request';

function named(samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => ({ filename: 'sample.ts', ...sample }));
}

const db = (text: string): Readonly<Record<string, string>> => ({
  'db.ts': `import { Pool } from 'pg';\n${text}`,
});

describe('reports what makes a pool for each request', () => {
  checkRule(
    rule,
    named([
      {
        name: 'an object whose constructor makes one',
        code: `
import { Pool } from 'pg';
class Repo {
  constructor() { this.pool = new Pool(); }
  find() { return this.pool.query('SELECT 1'); }
}
app.get('/', async (req, res) => { const r = new Repo(); res.json(await r.find()); });
//                                           ^^^^^^^^^^ pool`,
      },
      {
        name: 'an object with one in a field, of another file',
        files: db(`
export class Repo {
  private readonly pool = new Pool({ connectionString: process.env.DATABASE_URL });
  async find(id: string) { return (await this.pool.query('SELECT $1', [id])).rows; }
}`),
        code: `
import { Repo } from './db';
export const show = async (req, res) => {
  res.json(await new Repo().find(req.params.id));
  //             ^^^^^^^^^^ pool
};`,
      },
      {
        name: 'an object of a class that extends one, is wrapped, or ends it when it is told',
        files: db(`
class Base {
  protected pool: Pool;
  constructor(name: string) { this.pool = new Pool({ application_name: name }); }
}
export class Users extends Base {
  constructor() { super('users'); }
  list() { return this.pool.query('SELECT 1'); }
}
export class Service { users = new Users(); list() { return this.users.list(); } }
export class Closing {
  #pool = new Pool();
  list() { return this.#pool.query('SELECT 1'); }
  async close() { await this.disconnect(); }
  private disconnect() { return this.#pool.end(); }
}`),
        code: `
import { Users, Service, Closing } from './db';
app.get('/users', async (req, res) => { const users = new Users(); res.json(await users.list()); });
//                                                    ^^^^^^^^^^^ pool
app.get('/service', async (req, res) => { const service = new Service(); res.json(await service.list()); });
//                                                        ^^^^^^^^^^^^^ pool
app.get('/closing', async (req, res) => {
  const closing = new Closing();
  //              ^^^^^^^^^^^^^ endedPool
  try { res.json(await closing.list()); } finally { await closing.close(); }
});
app.get('/open', async (req, res) => { res.json(await new Closing().list()); });
//                                                    ^^^^^^^^^^^^^ pool`,
      },
      {
        name: 'what a factory gives, of this file and of others',
        files: {
          ...db('export const openPool = (config) => new Pool(config);'),
          'make.ts': `
import { openPool } from './db';
import { drizzle } from 'drizzle-orm/node-postgres';
export async function make() { const pool = openPool({ max: 5 }); await pool.query('SELECT 1'); return pool; }
export function makeDb() { return drizzle(openPool({ max: 5 })); }
export default () => { const pool = openPool({}); return { pool, query: (text) => pool.query(text) }; };`,
        },
        code: `
import { Pool } from 'pg';
import makeBag, { make, makeDb } from './make';
const cfg = { max: 5 };
function makePool() { return new Pool(cfg); }
app.get('/a', async (req, res) => { const p = makePool(); res.json(await p.query('SELECT 1')); });
//                                            ^^^^^^^^^^ pool
app.get('/b', async (req, res) => {
  const p = await make();
  //              ^^^^^^ pool
  try { res.json(await p.query('SELECT 1')); } catch (e) { res.status(500); }
});
app.get('/c', async (c) => c.json(await makeDb().select().from(users)));
//                                      ^^^^^^^^ pool
app.get('/d', async (req, res) => { const { query } = makeBag(); res.json(await query('SELECT 1')); });
//                                                    ^^^^^^^^^ pool
app.get('/e', async (req, res) => {
  const p = makePool();
  //        ^^^^^^^^^^ endedPool
  try { res.json(await p.query('SELECT 1')); } finally { await p.end(); }
});`,
      },
      {
        name: 'an object whose configuration has a default',
        files: db(`
export class Reports {
  private pool: Pool;
  constructor(private readonly url: string = process.env.DATABASE_URL!) { this.pool = new Pool({ connectionString: url }); }
  all() { return this.pool.query('SELECT 1'); }
}`),
        code: `
import { Reports } from './db';
app.get('/', async (req, res) => { const reports = new Reports(); res.json(await reports.all()); });
//                                                 ^^^^^^^^^^^^^ pool
app.get('/own', async (req, res) => { const reports = new Reports(req.query.url); res.json(await reports.all()); });`,
      },
      {
        name: 'helpers that leave one behind',
        files: {
          ...db(`
export async function rows(text: string) {
  if (!text) return [];
  const pool = new Pool();
  const result = await pool.query(text);
  return result.rows;
}
export const users = { async list() { return rows('SELECT 1'); } };`),
          'over.ts': "import { rows } from './db';\nexport const all = () => rows('SELECT 1');",
        },
        code: `
import { Pool } from 'pg';
import { rows, users } from './db';
import { all } from './over';
async function own() { const pool = new Pool(); return (await pool.query('SELECT 1')).rows; }
//                                  ^^^^^^^^^^ pool
app.get('/own', async (req, res) => { res.json(await own()); });
app.get('/rows', async (req, res) => { res.json(await rows('SELECT 1')); });
//                                                    ^^^^^^^^^^^^^^^^ pool
app.get('/users', async (req, res) => { res.json(await users.list()); });
//                                                     ^^^^^^^^^^^^ pool
app.get('/all', async (req, res) => { res.json(await all()); });
//                                                   ^^^^^ pool`,
      },
      {
        name: 'a method of an object that all requests share, which makes one a call',
        files: db(`
export class Reports {
  async daily() { const pool = new Pool(); return (await pool.query('SELECT 1')).rows; }
}
export const reports = new Reports();`),
        code: `
import { reports } from './db';
app.get('/daily', async (req, res) => { res.json(await reports.daily()); });
//                                                     ^^^^^^^^^^^^^^^ pool`,
      },
      {
        name: 'a pool that is given to other functions',
        files: {
          'list.ts':
            "export async function list(pool) { return (await pool.query('SELECT 1')).rows; }",
        },
        code: `
import { Pool } from 'pg';
import { list } from './list';
class Repo { constructor(private readonly pool: Pool) {} all() { return this.pool.query('SELECT 1'); } }
class Open { constructor(public pool: Pool) {} all() { return this.pool.query('SELECT 1'); } }
app.get('/open', async (req, res) => { const repo = new Open(new Pool()); res.json(await repo.all()); });
//                                                           ^^^^^^^^^^ pool
app.get('/list', async (req, res) => { const pool = new Pool(); res.json(await list(pool)); });
//                                                  ^^^^^^^^^^ pool
app.get('/repo', async (req, res) => { const repo = new Repo(new Pool()); res.json(await repo.all()); });
//                                                           ^^^^^^^^^^ pool`,
      },
    ]),
  );
});

describe('reports what hooks and middleware make for each request', () => {
  checkRule(
    rule,
    named([
      {
        name: 'and give the request, or keep for themselves',
        files: db('export function makePool() { return new Pool(); }'),
        code: `
import { Pool } from 'pg';
import { makePool } from './db';
app.use((req, res, next) => { req.db = makePool(); next(); });
//                                     ^^^^^^^^^^ pool
app.use(async (ctx, next) => { ctx.state.db = new Pool(); await next(); });
//                                            ^^^^^^^^^^ pool
app.use('/api', function (req, res, next) {
  const pool = new Pool();
  //           ^^^^^^^^^^ endedPool
  res.locals.pool = pool;
  res.on('finish', () => pool.end());
  next();
});
fastify.addHook('onRequest', async (request) => { request.pg = makePool(); });
//                                                             ^^^^^^^^^^ pool
fastify.addHook('preHandler', async (request, reply) => { await makePool().query('SELECT 1'); });
//                                                              ^^^^^^^^^^ pool`,
      },
    ]),
  );
});

describe('reports what makes a pool in each round', () => {
  checkRule(
    rule,
    named([
      {
        name: 'by a factory, an object or a helper',
        files: db(`
export function makePool() { return new Pool({ max: 1 }); }
export class Worker { pool = new Pool(); run(job) { return this.pool.query('SELECT $1', [job]); } }
export async function work(job) { const pool = makePool(); await pool.query('SELECT $1', [job.id]); }`),
        code: `
import { makePool, Worker, work } from './db';
export async function run(jobs) {
  for (const job of jobs) { const p = makePool(); await p.query('SELECT $1', [job]); }
  //                                  ^^^^^^^^^^ inLoop
  for (const job of jobs) await new Worker().run(job);
  //                            ^^^^^^^^^^^^ inLoop
  for (const job of jobs) await work(job);
  //                            ^^^^^^^^^ inLoop
  await Promise.all(jobs.map(async (job) => { await makePool().query('SELECT $1', [job]); }));
  //                                                ^^^^^^^^^^ inLoop
}`,
      },
      {
        name: 'for each tenant of each request',
        code: `
import { Pool } from 'pg';
import { tenants } from './tenants';
function makePool(tenant) { return new Pool({ database: tenant }); }
app.get('/all', async (req, res) => {
  for (const tenant of tenants) {
    const p = makePool(tenant);
    //        ^^^^^^^^^^^^^^^^ pool
    await p.query('SELECT 1');
  }
  res.json({});
});`,
      },
    ]),
  );
});

describe('reports what a container makes for each request', () => {
  checkRule(
    rule,
    named([
      {
        name: 'a class, a factory, and a controller that makes an object with a pool',
        files: db(
          'export class Repo { pool = new Pool(); find() { return this.pool.query("SELECT 1"); } }',
        ),
        code: `
import { Controller, Injectable, Scope } from '@nestjs/common';
import { Pool } from 'pg';
import { Repo } from './db';
@Injectable({ scope: Scope.REQUEST })
export class Database {
  private pool: Pool;
  constructor() { this.pool = new Pool({ connectionString: process.env.DATABASE_URL }); }
  //                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ scoped
  query(text) { return this.pool.query(text); }
}
export const provider = { provide: 'POOL', scope: Scope.REQUEST, useFactory: () => new Pool() };
//                                                                                 ^^^^^^^^^^ scoped
@Controller({ path: 'users', scope: Scope.REQUEST })
export class Users {
  private readonly repo = new Repo();
  //                      ^^^^^^^^^^ scoped
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
        name: 'about what is kept when it is first needed',
        files: db(`
let pool: Pool | undefined;
const pools = new Map<string, Pool>();
export function getPool() { if (!pool) pool = new Pool(); return pool; }
export function lazy() { return (pool ??= new Pool()); }
export const early = () => { if (pool) return pool; pool = new Pool(); return pool; };
export function forTenant(tenant) {
  const known = pools.get(tenant);
  if (known) return known;
  const made = new Pool({ max: 2 });
  pools.set(tenant, made);
  return made;
}
function makeDb() { const own = new Pool(); return { query: (text) => own.query(text) }; }
let db;
export function getDb() { if (!db) db = makeDb(); return db; }
export function again() { db ??= makeDb(); return db; }
export class Lazy {
  private static instance: Lazy;
  private pool?: Pool;
  static get() { return (Lazy.instance ??= new Lazy()); }
  query(text) { if (!this.pool) this.pool = new Pool(); return this.pool.query(text); }
}
export class Once {
  static one;
  constructor() { if (Once.one) return Once.one; this.pool = new Pool(); Once.one = this; }
  query(text) { return this.pool.query(text); }
}
let isReady = false;
export async function setUp() { if (isReady) return; isReady = true; const p = new Pool(); await p.query('SELECT 1'); }`),
        code: `
import { getPool, lazy, early, forTenant, getDb, again, Lazy, Once, setUp } from './db';
app.get('/', async (req, res) => {
  await setUp();
  await getPool().query('SELECT 1');
  await lazy().query('SELECT 1');
  await early().query('SELECT 1');
  const p = forTenant('a');
  await p.query('SELECT 1');
  await getDb().query('SELECT 1');
  await again().query('SELECT 1');
  await Lazy.get().query('SELECT 1');
  const once = new Once();
  res.json(await once.query('SELECT 1'));
});`,
      },
      {
        name: 'about the same in one file',
        code: `
import { Pool } from 'pg';
function makePool() { return new Pool(); }
function makeDb() { const own = new Pool(); return { query: (text) => own.query(text) }; }
let pool, db;
const kept = {};
function getPool() { if (!pool) pool = makePool(); return pool; }
function getDb() { if (!db) db = makeDb(); return db; }
function ofKey(key) { return (kept[key] ??= makePool()); }
app.get('/', async (req, res) => {
  pool ??= makePool();
  req.app.locals.pool = makePool();
  await getDb().query('SELECT 1');
  await ofKey('a').query('SELECT 1');
  res.json(await getPool().query('SELECT 1'));
});`,
      },
      {
        name: 'about what a container makes once, or for each tenant',
        code: `
import { Injectable, Scope } from '@nestjs/common';
import { Pool } from 'pg';
import { Scope as Other } from './scope';
@Injectable()
export class Single { private pool = new Pool(); }
@Injectable({ scope: Scope.DEFAULT })
export class Default { private pool = new Pool(); }
@Injectable({ scope: Scope.REQUEST, durable: true })
export class Tenant { private pool = new Pool(); }
@Injectable({ scope: Scope.REQUEST })
export class Lazy {
  static pool = new Pool();
  constructor(request) { this.own = new Pool({ database: request.tenant }); pool ??= new Pool(); }
}
let pool;
export const providers = [
  { provide: 'A', useFactory: () => new Pool() },
  { provide: 'B', scope: Scope.REQUEST, useFactory: (request) => new Pool({ database: request.tenant }) },
  { provide: 'C', scope: Other.REQUEST, useFactory: () => new Pool() },
];`,
      },
      {
        name: 'about hooks of the server, and what middleware gives to all',
        files: db('export function makePool() { return new Pool(); }'),
        code: `
import { Pool } from 'pg';
import { makePool } from './db';
fastify.addHook('onReady', async () => { await makePool().query('SELECT 1'); });
fastify.addHook('onRoute', (route) => { route.pool = makePool(); });
app.use((req, res, next) => { req.app.locals.db = makePool(); next(); });
app.use((req, res, next) => { req.db = req.db ?? tenants[req.id] ?? keep(makePool()); next(); });
app.use((ctx, next) => { ctx.app.db = new Pool(); return next(); });
app.use((req, res, next) => { req.db = makePool(); register(req); next(); });
export function install(app) { app.db = makePool(); }
app.use(async (req, res, next) => { if (!app.db) app.db = makePool(); req.db = app.db; next(); });`,
      },
      {
        name: 'about what is done the first time only',
        files: {
          ...db(`
export async function setUp() { const p = new Pool(); await p.query('SELECT 1'); }
export const keepIn = (pool) => ({ query: (text) => pool.query(text) });
export class Db { constructor(pool) { this.pool = pool; } query(text) { return this.pool.query(text); } }`),
        },
        code: `
import { Pool } from 'pg';
import { setUp, keepIn, Db } from './db';
let isReady = false, db, own;
const done = new Set();
async function ensure() { if (!isReady) { await setUp(); isReady = true; } }
async function once(key) { if (done.has(key)) return; done.add(key); await setUp(); }
function getDb() { if (!db) db = keepIn(new Pool()); return db; }
function getOwn() { own = own || new Db(new Pool()); return own; }
async function migrate() { const p = new Pool(); await p.query('SELECT 1'); }
app.get('/', async (req, res) => {
  if (!isReady) { isReady = true; await setUp(); }
  if (!isReady) await migrate();
  await ensure();
  await once('a');
  await getOwn().query('SELECT 1');
  res.json(await getDb().query('SELECT 1'));
});`,
      },
      {
        name: 'about one object for the program, made at the start or by a container',
        files: db(`
export class Repo { pool = new Pool(); find() { return this.pool.query('SELECT 1'); } }
export function makePool() { return new Pool(); }
@Injectable()
export class Service { private pool = new Pool(); list() { return this.pool.query('SELECT 1'); } }`),
        code: `
import { Repo, makePool, Service } from './db';
const repo = new Repo();
const pool = makePool();
export function createApp() {
  const own = makePool();
  const other = new Repo();
  app.get('/own', async (req, res) => { await other.find(); res.json(await own.query('SELECT 1')); });
  return app;
}
@Controller()
export class Users {
  constructor(private readonly service: Service) {}
  @Get() async list() { await repo.find(); await pool.query('SELECT 1'); return this.service.list(); }
}`,
      },
      {
        name: 'about what depends on the request, or is given to somebody unknown',
        files: db(`
export function makePool(config) { return new Pool(config); }
export class Repo { constructor(url) { this.pool = new Pool({ connectionString: url }); } find() { return this.pool.query('SELECT 1'); } }
export class Registered { constructor() { this.pool = new Pool(); registry.add(this); } find() { return this.pool.query('SELECT 1'); } }
export class Unknown extends Model { pool = new Pool(); find() { return this.pool.query('SELECT 1'); } }
export function registered() { const pool = new Pool(); registry.add(pool); return pool; }`),
        code: `
import { makePool, Repo, Registered, Unknown, registered } from './db';
app.get('/', async (req, res) => {
  await makePool({ database: req.query.database }).query('SELECT 1');
  await new Repo(req.headers.url).find();
  await new Registered().find();
  await new Unknown().find();
  const pool = makePool({});
  keep(pool);
  const repo = new Repo('postgres://a');
  repos.push(repo);
  req.app.set('repo', new Repo('postgres://a'));
  res.json(await registered().query('SELECT 1'));
});`,
      },
      {
        name: 'about helpers of other files that end it',
        files: db(`
export async function rows(text) { const pool = new Pool(); try { return (await pool.query(text)).rows; } finally { await pool.end(); } }
export class Once { pool = new Pool(); async run() { const r = await this.pool.query('SELECT 1'); await this.pool.end(); return r; } }
export async function once() { const o = new Once(); return o.run(); }`),
        code: `
import { rows, once } from './db';
app.get('/', async (req, res) => { await once(); res.json(await rows('SELECT 1')); });`,
      },
      {
        name: 'about scripts and hooks of tests',
        files: db('export function makePool() { return new Pool(); }'),
        code: `
import { makePool } from './db';
let pool;
beforeAll(() => { pool = makePool(); });
afterAll(() => pool.end());
async function main() {
  const own = makePool();
  try { await own.query('SELECT 1'); } finally { await own.end(); }
  for (const url of urls) { const each = makePool(); await each.query('SELECT 1'); await each.end(); }
}
main();`,
      },
      {
        name: 'about workers, whatever file makes it',
        files: {
          'db.ts':
            "import { Pool } from 'pg';\nimport { env } from 'cloudflare:workers';\nexport const makePool = () => new Pool({ connectionString: env.DATABASE_URL });",
        },
        code: `
import { makePool } from './db';
app.get('/', async (c) => c.json(await makePool().query('SELECT 1')));`,
      },
    ]),
  );
});
