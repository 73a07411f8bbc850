import { describe, expect, test } from 'vitest';
import { withResolver } from '../../support/resolved.ts';

function checkKind(
  kind: string | undefined,
  samples: readonly (readonly [
    name: string,
    files: Readonly<Record<string, string>>,
    ask: string,
  ])[],
): void {
  test.each(samples)('%s', async (_name, files, ask) => {
    const path = 'a.ts' in files ? 'a.ts' : 'a.js';
    const value = await withResolver(files, (entityAt) => entityAt(path, ask));
    expect(value?.kind).toBe(kind);
  });
}

const made = "import { Pool } from 'pg';\n";
const required = "const { Pool } = require('pg');\n";

describe('pools of other modules', () => {
  checkKind('pool', [
    [
      'module.exports and a later addition',
      {
        'db.js': `${required}module.exports = { query() {} };\nmodule.exports.pool = new Pool();`,
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'exports under another name',
      {
        'db.js': `${required}const self = module.exports;\nself.pool = new Pool();`,
        'a.js': "const { pool } = require('./db'); pool.connect();",
      },
      'pool',
    ],
    [
      'exports under another name, with a value',
      {
        'db.js': `${required}const db = module.exports = {};\ndb.pool = new Pool();`,
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'exports = module.exports = …',
      {
        'db.js': `${required}exports = module.exports = {};\nexports.pool = new Pool();`,
        'a.js': "require('./db').pool.connect();",
      },
      "require('./db').pool",
    ],
    [
      'Object.assign(module.exports, …)',
      {
        'db.js': `${required}Object.assign(module.exports, { pool: new Pool() });`,
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'everything of another module',
      {
        'pool.js': `${required}exports.pool = new Pool();`,
        'db.js': "Object.assign(exports, require('./pool'));",
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'spread into module.exports',
      {
        'pool.js': `${required}exports.pool = new Pool();`,
        'db.js': "module.exports = { ...require('./pool'), other: 1 };",
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'a property with a getter',
      {
        'db.js': `${required}const pool = new Pool();\nObject.defineProperty(exports, 'pool', { enumerable: true, get: function () { return pool; } });`,
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'in a branch',
      {
        'db.js': `${required}if (process.env.X) { module.exports = { pool: new Pool() }; } else { module.exports = { pool: new Pool() }; }`,
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'mixed into the module by another file',
      {
        'main.js': `${required}module.exports = function (module) { module.pool = new Pool(); };`,
        'db.js': "const db = module.exports;\nrequire('./main')(db);",
        'a.js': "const db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'the default of a CommonJS module',
      {
        'db.js': `${required}exports.pool = new Pool();`,
        'a.ts': "import db from './db.js'; db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'export { x as default }',
      {
        'db.ts': `${made}const x = new Pool();\nexport { x as default };`,
        'a.ts': "import pool from './db'; pool.connect();",
      },
      'pool',
    ],
    [
      'a dynamic import',
      {
        'db.ts': `${made}export const pool = new Pool();`,
        'a.ts': "async function f() { const { pool } = await import('./db'); pool.connect(); }",
      },
      'pool',
    ],
    [
      'import = require',
      {
        'db.ts': `${made}const pool = new Pool();\nexport = { pool };`,
        'a.ts': "import db = require('./db'); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'the namespace of a re-export',
      {
        'pool.ts': `${made}export const pool = new Pool();`,
        'db.ts': "export * as pools from './pool';",
        'a.ts': "import { pools } from './db'; pools.pool.connect();",
      },
      'pools.pool',
    ],
    [
      'what a factory gives, taken apart in an export',
      {
        'db.ts': `${made}function create() { const pool = new Pool(); return { pool, query: () => pool.query('') }; }\nexport const { pool } = create();`,
        'a.ts': "import { pool } from './db'; pool.connect();",
      },
      'pool',
    ],
    [
      'a module that imports its importer',
      {
        'db.ts': `import './a';\n${made}export const pool = new Pool();`,
        'a.ts': "import { pool } from './db';\nexport const mine = pool; mine.connect();",
      },
      'mine',
    ],
  ]);
});

describe('pools that are members', () => {
  checkKind('pool', [
    [
      'a private field',
      { 'a.ts': `${made}class Db { #pool = new Pool(); f() { this.#pool.connect(); } }` },
      'this.#pool',
    ],
    [
      'a static field',
      {
        'a.ts': `${made}class Db { static pool = new Pool(); static f() { this.pool.connect(); } }`,
      },
      'this.pool',
    ],
    [
      'a static field that a method fills',
      {
        'a.ts': `${made}class Db { static init() { Db.pool = new Pool(); } static f() { Db.pool.connect(); } }`,
      },
      'Db.pool',
    ],
    [
      'a singleton',
      {
        'db.ts': `${made}export class Db { private static instance?: Db; pool = new Pool();\n static getInstance() { if (!Db.instance) Db.instance = new Db(); return Db.instance; } }`,
        'a.ts': "import { Db } from './db'; Db.getInstance().pool.connect();",
      },
      'Db.getInstance().pool',
    ],
    [
      'a getter',
      {
        'a.ts': `${made}class Db { _pool?: Pool; get pool() { return this._pool ??= new Pool(); } f() { this.pool.connect(); } }`,
      },
      'this.pool',
    ],
    [
      'a lazy method',
      {
        'a.js': `${made}class Db { pool() { return this._pool ??= new Pool(); } f() { this.pool().connect(); } }`,
      },
      'this.pool()',
    ],
    [
      'an inherited field',
      {
        'base.ts': `${made}export abstract class Base { protected pool = new Pool(); }`,
        'a.ts':
          "import { Base } from './base'; class Db extends Base { f() { this.pool.connect(); } }",
      },
      'this.pool',
    ],
    [
      'an inherited parameter property, through super',
      {
        'base.ts': `${made}export class Base { constructor(protected pool: Pool) {} }`,
        'a.ts':
          "import { Base } from './base'; class Db extends Base { f() { this.pool.connect(); } }",
      },
      'this.pool',
    ],
    [
      'an object literal',
      { 'a.ts': `${made}const db = { pool: new Pool(), f() { return this.pool.connect(); } };` },
      'this.pool',
    ],
    [
      'a property of a function',
      { 'a.js': `${required}function db() {}\ndb.pool = new Pool(); db.pool.connect();` },
      'db.pool',
    ],
    [
      'added to an object',
      { 'a.js': `${required}const db = {};\ndb.pool = new Pool(); db.pool.connect();` },
      'db.pool',
    ],
    [
      'added to an object that is not known',
      {
        'a.js': `${required}module.exports = (app) => { app.locals.pool = new Pool(); app.locals.pool.connect(); };`,
      },
      'app.locals.pool',
    ],
    [
      'a constructor function',
      {
        'a.js': `${required}function Db() { this.pool = new Pool(); }\nDb.prototype.f = function () { return this.pool.connect(); };`,
      },
      'this.pool',
    ],
    [
      'a constructor function of another file',
      {
        'db.js': `${required}function Db() { var self = this; self.pool = new Pool(); }\nmodule.exports = Db;`,
        'a.js': "const Db = require('./db'); const db = new Db(); db.pool.connect();",
      },
      'db.pool',
    ],
    [
      'util.inherits',
      {
        'a.js': `${required}const util = require('util');\nfunction Base() { this.pool = new Pool(); }\nfunction Db() {}\nutil.inherits(Db, Base);\nDb.prototype.f = function () { this.pool.connect(); };`,
      },
      'this.pool',
    ],
    [
      'a prototype literal',
      {
        'a.js': `${required}function Db() { this.pool = new Pool(); }\nDb.prototype = { f: function () { return this.pool.connect(); } };`,
      },
      'this.pool',
    ],
    [
      '`this` of a callback',
      {
        'a.js': `${required}class Db { constructor() { this.pool = new Pool(); } f() { [1].forEach(function () { this.pool.connect(); }, this); } }`,
      },
      'this.pool',
    ],
    [
      'a function bound to its object',
      {
        'a.js': `${required}class Db { constructor() { this.pool = new Pool(); }\n f() { [1].forEach(function () { this.pool.connect(); }.bind(this)); } }`,
      },
      'this.pool',
    ],
    [
      'an element of an array',
      { 'a.ts': `${made}const [one, two] = [new Pool(), new Pool()]; two.connect();` },
      'two',
    ],
    [
      'an element of what Promise.all gives',
      {
        'a.ts': `${made}const make = async () => new Pool(); async function f() { const [, pool] = await Promise.all([1, make()]); pool.connect(); }`,
      },
      'pool',
    ],
    [
      'overloads',
      {
        'a.ts': `${made}function get(a: string): Pool; function get(): Pool; function get() { return new Pool(); }\nget().connect();`,
      },
      'get()',
    ],
    [
      'a map of pools',
      {
        'a.ts': `${made}const pools = new Map<string, Pool>(); function f(key: string) { pools.get(key)!.connect(); }`,
      },
      'pools.get(key)',
    ],
    [
      'a map without types',
      {
        'a.js': `${required}class Db { constructor() { this.pools = new Map(); } f(key) { this.pools.set(key, new Pool()); this.pools.get(key).connect(); } }`,
      },
      'this.pools.get(key)',
    ],
    [
      'a record',
      {
        'a.ts': `${made}class Db { private pools: Record<string, Pool> = {}; f(key: string) { this.pools[key].connect(); } }`,
      },
      'this.pools[key]',
    ],
    [
      'a record without types',
      {
        'a.js': `${required}const pools = {}; function f(key) { if (!pools[key]) pools[key] = new Pool(); return pools[key].connect(); }`,
      },
      'pools[key]',
    ],
    [
      'a lazy map in a function',
      {
        'db.js': `${required}const pools = {};
exports.getPool = (key) => { if (!pools[key]) pools[key] = new Pool(); return pools[key]; };`,
        'a.js': "const { getPool } = require('./db'); getPool('x').connect();",
      },
      "getPool('x')",
    ],
    [
      'a declared global',
      { 'a.ts': `${made}const g = globalThis as unknown as { pool?: Pool }; g.pool!.connect();` },
      'g.pool!',
    ],
  ]);
});

describe('pools by their type', () => {
  checkKind('pool', [
    [
      'a constructor parameter',
      {
        'a.ts': `${made}class Db { constructor(private readonly pool: Pool) {} f() { this.pool.connect(); } }`,
      },
      'this.pool',
    ],
    [
      'an injected one with a decorator',
      {
        'a.ts': `import type { Pool } from 'pg';\nimport { Inject } from '@nestjs/common';\nclass Db { constructor(@Inject('PG_POOL') private readonly pool: Pool) {} f() { this.pool.connect(); } }`,
      },
      'this.pool',
    ],
    [
      'an injected field',
      {
        'a.ts': `${made}class Db { @Inject('PG_POOL') private readonly pool!: Pool; f() { this.pool.connect(); } }`,
      },
      'this.pool',
    ],
    [
      'pg.Pool',
      { 'a.ts': "import type pg from 'pg';\nfunction f(pool: pg.Pool) { pool.connect(); }" },
      'pool',
    ],
    [
      'an imported type',
      { 'a.ts': "function f(pool: import('pg').Pool) { pool.connect(); }" },
      'pool',
    ],
    [
      'an interface of another file',
      {
        'deps.ts':
          "import type { Pool } from 'pg';\nexport interface Deps { readonly db: { pool: Pool } }",
        'a.ts':
          "import type { Deps } from './deps';\nfunction f({ db }: Deps) { db.pool.connect(); }",
      },
      'db.pool',
    ],
    [
      'an interface that inherits',
      {
        'a.ts': `${made}interface Base { pool: Pool }\ninterface Deps extends Base { other: string }\nfunction f(deps: Deps) { deps.pool.connect(); }`,
      },
      'deps.pool',
    ],
    [
      'an interface that extends the pool',
      {
        'a.ts': `${made}interface Db extends Pool { extra: string }\nfunction f(db: Db) { db.connect(); }`,
      },
      'db',
    ],
    [
      'an intersection',
      { 'a.ts': `${made}function f(db: Pool & { extra: string }) { db.connect(); }` },
      'db',
    ],
    [
      'a member of an intersection',
      {
        'a.ts': `${made}type A = { a: string }; type B = { pool: Pool };\nfunction f(deps: A & B) { deps.pool.connect(); }`,
      },
      'deps.pool',
    ],
    [
      'a type parameter',
      {
        'a.ts': `${made}class Db<T extends Pool> { constructor(private pool: T) {} f() { this.pool.connect(); } }`,
      },
      'this.pool',
    ],
    [
      'Pick',
      { 'a.ts': `${made}function f(pool: Pick<Pool, 'connect'>) { pool.connect(); }` },
      'pool',
    ],
    [
      'a method of an interface',
      {
        'a.ts': `${made}interface Db { getPool(): Promise<Pool> }\nasync function f(db: Db) { (await db.getPool()).connect(); }`,
      },
      'await db.getPool()',
    ],
    [
      'an abstract method',
      {
        'a.ts': `${made}abstract class Db { abstract getPool(): Pool; f() { this.getPool().connect(); } }`,
      },
      'this.getPool()',
    ],
    [
      'a function type',
      { 'a.ts': `${made}function f(getPool: () => Pool) { getPool().connect(); }` },
      'getPool()',
    ],
    [
      'a member that one part of a union has',
      {
        'a.ts': `${made}class A { getPool(): Pool { return null!; } }\nclass B { other() {} }\nfunction f(db: A | B) { db.getPool().connect(); }`,
      },
      'db.getPool()',
    ],
    [
      'typeof a pool of another file',
      {
        'db.ts': `${made}export const pool = new Pool();`,
        'a.ts': "import type { pool } from './db';\nfunction f(db: typeof pool) { db.connect(); }",
      },
      'db',
    ],
  ]);
});

describe('a proxy has the members of', () => {
  const lazy = 'let made;\nfunction get() { return (made ??= new Pool()); }\n';
  checkKind('pool', [
    [
      'what its `get` reads them from',
      {
        'a.ts': `${made}${lazy}const db = new Proxy({} as Pool, { get: (_, key) => Reflect.get(get(), key) });\ndb.connect();`,
      },
      'db',
    ],
    [
      'what its `get` reads them from by their key, in another file',
      {
        'db.js': `${required}${lazy}exports.db = new Proxy({}, {\n  get(own, key) { const it = get(); return typeof it[key] === 'function' ? it[key].bind(it) : own[key]; },\n});`,
        'a.js': "const { db } = require('./db'); db.connect();",
      },
      'db',
    ],
    [
      'its target, without a `get`',
      { 'a.js': `${required}const db = new Proxy(new Pool(), { has: () => true }); db.connect();` },
      'db',
    ],
    [
      'its target, whose members its `get` gives',
      {
        'a.js': `${required}const db = new Proxy(new Pool(), { get: (own, key) => own[key] }); db.connect();`,
      },
      'db',
    ],
  ]);
  checkKind(undefined, [
    [
      'nothing known, where its `get` does not read them',
      {
        'a.js': `${required}const db = new Proxy(new Pool(), { get: () => unknown }); db.connect();`,
      },
      'db',
    ],
  ]);
});

describe('a pool only when nothing else is given', () => {
  checkKind('either', [
    [
      'a default parameter',
      {
        'a.ts': `${made}const pool = new Pool(); async function f(client = pool) { client.query(''); }`,
      },
      'client',
    ],
    [
      'a fallback',
      {
        'a.js': `${required}const pool = new Pool(); async function f(opts) { const db = opts.client || pool; db.query(''); }`,
      },
      'db',
    ],
    [
      'a condition',
      {
        'a.js': `${required}const pool = new Pool(); async function f(trx) { const db = trx ? trx : pool; db.query(''); }`,
      },
      'db',
    ],
    [
      'a pool or a client',
      {
        'a.ts':
          "import { Pool, PoolClient } from 'pg';\nfunction f(db: Pool | PoolClient) { db.query(''); }",
      },
      'db',
    ],
    [
      'a client by its type',
      {
        'a.ts': `import { Pool, type PoolClient } from 'pg';\nconst pool = new Pool(); async function f(x?: PoolClient) { const db = x ?? pool; db.query(''); }`,
      },
      'db',
    ],
  ]);
  checkKind('pool', [
    [
      'a pool that may be given',
      {
        'a.js': `${required}function f(options) { const pool = options.pool ?? new Pool(); pool.connect(); }`,
      },
      'pool',
    ],
  ]);
});

describe('functions that a call reaches', () => {
  checkKind('function', [
    [
      'a wrapper object',
      {
        'db.js': `${required}const pool = new Pool();\nmodule.exports = { query: (text, params) => pool.query(text, params), connect: () => pool.connect() };`,
        'a.js': "const db = require('./db'); db.query('');",
      },
      'db.query',
    ],
    [
      'added to the exports',
      {
        'db.js': 'exports.getClient = async function () {};',
        'a.js': "const { getClient } = require('./db'); getClient();",
      },
      'getClient',
    ],
    [
      'a method of a builder',
      {
        'db.ts':
          'class Query { where() { return this; } }\nclass Select extends Query { load() {} }\nexport function select() { return new Select(); }',
        'a.ts': "import { select } from './db'; select().where().load();",
      },
      'select().where().load',
    ],
    [
      'an arrow in a class field',
      { 'a.ts': 'class Db { query = async () => {}; f() { this.query(); } }' },
      'this.query',
    ],
    [
      'bound',
      {
        'a.js':
          'class Db { constructor() { this.run = this.query.bind(this); } query() {} f() { this.run(); } }',
      },
      'this.run',
    ],
    [
      'of a module that is mixed in',
      {
        'main.js':
          'module.exports = function (module) { module.get = async function () {}; module.set = async function () { await module.get(); }; };',
        'a.js': "const db = module.exports;\nrequire('./main')(db); db.get();",
      },
      'db.get',
    ],
    [
      'a static one, inherited',
      { 'a.ts': 'class Base { static run() {} }\nclass Db extends Base {}\nDb.run();' },
      'Db.run',
    ],
    [
      'through a service that a container gives',
      {
        'svc.ts': 'export class Svc { run() {} }',
        'a.ts':
          "import { Svc } from './svc';\nclass A { constructor(private readonly svc: Svc) {} f() { this.svc.run(); } }",
      },
      'this.svc.run',
    ],
  ]);
});

describe('what only looks like a pool', () => {
  const foreign = (
    name: string,
    code: string,
  ): readonly [string, Readonly<Record<string, string>>, string] => [
    name,
    {
      'db.ts': `${code}\nexport { pool };`,
      'a.ts': "import { pool } from './db'; pool.connect();",
    },
    'pool',
  ];
  checkKind('package', [
    foreign('mariadb', "import mariadb from 'mariadb';\nconst pool = mariadb.createPool({});"),
    foreign('redis', "import { createClient } from 'redis';\nconst pool = createClient();"),
    foreign('mongodb', "import { MongoClient } from 'mongodb';\nconst pool = new MongoClient('');"),
    foreign('mssql', "import sql from 'mssql';\nconst pool = new sql.ConnectionPool({});"),
    foreign('a socket', "import net from 'node:net';\nconst pool = new net.Socket();"),
  ]);
  checkKind('handle', [
    foreign('slonik', "import { createPool } from 'slonik';\nconst pool = await createPool('');"),
    foreign('pg-promise', "import pgPromise from 'pg-promise';\nconst pool = pgPromise()('');"),
    foreign('knex', "import knex from 'knex';\nconst pool = knex({});"),
    foreign('Sequelize', "import { Sequelize } from 'sequelize';\nconst pool = new Sequelize('');"),
    foreign(
      'Prisma',
      "import { PrismaClient } from '@prisma/client';\nconst pool = new PrismaClient();",
    ),
    foreign(
      'Drizzle',
      "import { drizzle } from 'drizzle-orm/node-postgres';\nconst pool = drizzle('');",
    ),
  ]);
  checkKind('connection', [
    foreign(
      'a memoised client',
      "import { Client } from 'pg';\nlet pool: Client;\nexport async function get() { if (!pool) { pool = new Client(); await pool.connect(); } return pool; }",
    ),
  ]);
  checkKind('client', [
    [
      'a variable called pool that holds a client',
      {
        'a.ts':
          "import type { PoolClient } from 'pg';\nfunction f(pool: PoolClient) { pool.query(''); }",
      },
      'pool',
    ],
  ]);
  checkKind(undefined, [
    [
      'a type of the same name',
      {
        'a.ts':
          "import { Other } from 'other';\ninterface Pool { size: number }\ntype X = Other;\nfunction f(pool: Pool['size']) { pool.connect(); }",
      },
      'pool',
    ],
    [
      'an abstract method without a type',
      { 'a.ts': 'abstract class Db { abstract getPool(); f() { this.getPool().connect(); } }' },
      'this.getPool()',
    ],
    [
      'a pool or a connection',
      {
        'a.ts':
          "import { Pool, Client } from 'pg';\nfunction f(db: Pool | Client) { db.query(''); }",
      },
      'db',
    ],
    ['a variable that stands for itself', { 'a.js': 'let a = b; var b = a; a.connect();' }, 'a'],
    [
      'a name of every object',
      {
        'db.js': 'module.exports = {};',
        'a.js': "const db = require('./db'); db.constructor.connect();",
      },
      'db.constructor',
    ],
  ]);
  checkKind('pool', [
    [
      'a function called getClient',
      {
        'db.ts': `${made}const pool = new Pool();\nexport const getClient = () => pool;`,
        'a.ts': "import { getClient } from './db'; getClient().connect();",
      },
      'getClient()',
    ],
  ]);
});

describe('definitions that go round in circles are unknown', () => {
  checkKind(undefined, [
    [
      'modules that copy each other',
      {
        'b.js': "Object.assign(exports, require('./a'));",
        'a.js': "Object.assign(exports, require('./b')); exports.pool.connect();",
      },
      'exports.pool',
    ],
    [
      'objects that are spread into each other',
      { 'a.js': 'const a = { ...b }; var b = { ...a }; a.pool.connect();' },
      'a.pool',
    ],
    [
      'interfaces that extend each other',
      {
        'a.ts':
          'interface A extends B {} interface B extends A {} function f(a: A) { a.pool.connect(); }',
      },
      'a.pool',
    ],
    [
      'constructors that inherit from each other',
      {
        'a.js':
          "const util = require('util'); function A() {} function B() {} util.inherits(A, B); util.inherits(B, A);\nnew A().pool.connect();",
      },
      'new A().pool',
    ],
    ['an alias of itself', { 'a.ts': 'type A = A | A; function f(a: A) { a.connect(); }' }, 'a'],
    [
      'a type parameter of itself',
      { 'a.ts': 'function f<T extends T>(a: T) { a.connect(); }' },
      'a',
    ],
    [
      'a function that returns itself',
      { 'a.js': 'function f() { return f()(); }\nf().connect();' },
      'f()',
    ],
  ]);
});

describe('what a helper calls the function with that it is given', () => {
  checkKind('pool', [
    [
      'a pool',
      {
        'a.ts': `${made}const pool = new Pool();\nconst withDb = (work) => work(pool);\nwithDb((db) => db.connect());`,
      },
      'db',
    ],
    [
      'in another file, behind other arguments, twice',
      {
        'db.js': `${required}const pool = new Pool();\nexports.withDb = async (name, work) => { try { await work(name, pool); } catch { await work(name, pool); } };`,
        'a.js':
          "const { withDb } = require('./db'); withDb('x', async (name, db) => db.connect());",
      },
      'db',
    ],
  ]);
  checkKind('package', [
    [
      'a client of another store',
      {
        'a.ts':
          "import Redis from 'ioredis';\nconst redis = new Redis();\nasync function safely(work) { try { return await work(redis); } catch { return null; } }\nsafely((r) => r.get('x'));",
      },
      'r',
    ],
  ]);
  checkKind(undefined, [
    [
      'a client that is lent',
      {
        'a.ts': `${made}const pool = new Pool();\nconst withClient = async (work) => { const client = await pool.connect(); try { return await work(client); } finally { client.release(); } };\nwithClient((c) => c.query('x'));`,
      },
      'c',
    ],
    [
      'now this, now that',
      {
        'a.ts': `${made}const pool = new Pool();\nconst withDb = (work, other) => (other ? work(other) : work(pool));\nwithDb((db) => db.connect());`,
      },
      'db',
    ],
    [
      'another argument than the one that is called',
      {
        'a.ts': `${made}const pool = new Pool();\nconst withDb = (work, done) => { work(); done(pool); };\nwithDb((db) => db.connect());`,
      },
      'db',
    ],
    [
      'behind a spread',
      {
        'a.ts': `${made}const pool = new Pool();\nconst withDb = (work) => work(pool);\nwithDb(...rest, (db) => db.connect());`,
      },
      'db',
    ],
  ]);
});
