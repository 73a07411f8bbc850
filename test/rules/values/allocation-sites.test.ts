import { describe, expect, test } from 'vitest';
import { isSamePool } from '../../../rules/values/allocation-sites.ts';
import { withResolver } from '../../support/resolved.ts';

interface Pair {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Two expressions, each as `[file, text]`. */
  readonly a: readonly [string, string];
  readonly b: readonly [string, string];
}

const made = "import { Pool } from 'pg';\n";

function checkPairs(pairs: readonly Pair[], isSame: boolean): void {
  test.each(pairs.map((pair) => [pair.name, pair] as const))(
    '%s',
    async (_name, { files, a, b }) => {
      const [first, second] = await withResolver(files, (entityAt) => [
        entityAt(...a),
        entityAt(...b),
      ]);
      expect([first?.kind, second?.kind]).toEqual(['pool', 'pool']);
      expect(isSamePool(first, second)).toBe(isSame);
      expect(isSamePool(second, first)).toBe(isSame);
    },
  );
}

describe('the same pool', () => {
  checkPairs(
    [
      {
        name: 'a variable and its alias',
        files: {
          'a.ts': `${made}const pool = new Pool(); const db = pool; pool.connect(); db.query();`,
        },
        a: ['a.ts', 'pool'],
        b: ['a.ts', 'db'],
      },
      {
        name: 'imported',
        files: {
          'db.ts': `${made}export const pool = new Pool(); pool.on();`,
          'a.ts': "import { pool as p } from './db'; p.connect();",
        },
        a: ['db.ts', 'pool'],
        b: ['a.ts', 'p'],
      },
      {
        name: 're-exported, and a member of the module',
        files: {
          'db.ts': `${made}export const pool = new Pool();`,
          'index.ts': "export { pool as main } from './db';",
          'a.ts':
            "import { main } from './index'; import * as db from './db'; main.connect(); db.pool.query();",
        },
        a: ['a.ts', 'main'],
        b: ['a.ts', 'db.pool'],
      },
      {
        name: 'a member of what require gives, in two files',
        files: {
          'db.js': "const { Pool } = require('pg');\nmodule.exports = { pool: new Pool() };",
          'a.js': "const db = require('./db'); db.pool.connect();",
          'b.js': "const { pool } = require('./db'); pool.query();",
        },
        a: ['a.js', 'db.pool'],
        b: ['b.js', 'pool'],
      },
      {
        name: 'a lazy getter',
        files: {
          'a.ts': `${made}let pool: Pool | undefined;\nfunction getPool() { if (!pool) { pool = new Pool(); } return pool; }\nasync function f() { await getPool().connect(); (await getPool()).query(); }`,
        },
        a: ['a.ts', 'getPool()'],
        b: ['a.ts', 'await getPool()'],
      },
      {
        name: 'a lazy getter that keeps a local variable, and the field itself',
        files: {
          'a.js': `${made}class Db {\n get() { if (this.pool) return this.pool; const made = new Pool(); this.pool = made; return made; }\n f() { this.get().connect(); this.pool.query(); } }`,
        },
        a: ['a.js', 'this.get()'],
        b: ['a.js', 'this.pool'],
      },
      {
        name: 'a field of a class in different methods',
        files: {
          'a.ts': `${made}class Db { constructor(private readonly pool: Pool) {}\n f() { return this.pool.connect(); }\n g() { (this).pool.query(); } }`,
        },
        a: ['a.ts', 'this.pool'],
        b: ['a.ts', '(this).pool'],
      },
      {
        name: 'a singleton of the process',
        files: {
          'db.ts': `${made}const global = globalThis as { pool?: Pool };\nexport const pool = (global.pool ??= new Pool()); pool.on();`,
          'a.ts': "import { pool } from './db'; pool.connect();",
        },
        a: ['db.ts', 'pool'],
        b: ['a.ts', 'pool'],
      },
      {
        name: 'through an object that exists once',
        files: {
          'db.ts': `${made}class Db { pool = new Pool(); f() { this.pool.query(); } }\nexport const db = new Db();`,
          'a.ts': "import { db } from './db'; db.pool.connect();",
        },
        a: ['a.ts', 'db.pool'],
        b: ['db.ts', 'this.pool'],
      },
      {
        name: 'through a method that returns its object',
        files: {
          'a.ts': `${made}class Db { pool = new Pool(); self() { return this; } }\nconst db = new Db(); db.self().pool.connect(); db.pool.query();`,
        },
        a: ['a.ts', 'db.self().pool'],
        b: ['a.ts', 'db.pool'],
      },
      {
        name: 'what a factory gave to a variable',
        files: {
          'a.ts': `${made}const make = () => new Pool(); const one = make(); const two = one; one.connect(); two.query();`,
        },
        a: ['a.ts', 'one'],
        b: ['a.ts', 'two'],
      },
    ],
    true,
  );
});

describe('not surely the same pool', () => {
  checkPairs(
    [
      {
        name: 'two of them',
        files: {
          'a.ts': `${made}const one = new Pool(); const two = new Pool(); one.connect(); two.query();`,
        },
        a: ['a.ts', 'one'],
        b: ['a.ts', 'two'],
      },
      {
        name: 'two parameters',
        files: {
          'a.ts': `${made}function f(one: Pool, two: Pool) { one.connect(); two.query(); }`,
        },
        a: ['a.ts', 'one'],
        b: ['a.ts', 'two'],
      },
      {
        name: 'two parameters of an aliased type',
        files: {
          'a.ts': `${made}type Db = Pool;\nfunction f(one: Db, two: Db) { one.connect(); two.query(); }`,
        },
        a: ['a.ts', 'one'],
        b: ['a.ts', 'two'],
      },
      {
        name: 'the same member of two values',
        files: {
          'a.ts': `${made}interface Db { pool: Pool }\nfunction f(one: Db, two: Db) { one.pool.connect(); two.pool.query(); }`,
        },
        a: ['a.ts', 'one.pool'],
        b: ['a.ts', 'two.pool'],
      },
      {
        name: 'the same field of two objects',
        files: {
          'a.ts': `${made}class Db { pool = new Pool(); }\nclass App { constructor(private main: Db, private replica: Db) {}\n f() { this.main.pool.connect(); this.replica.pool.query(); } }`,
        },
        a: ['a.ts', 'this.main.pool'],
        b: ['a.ts', 'this.replica.pool'],
      },
      {
        name: 'made by a factory for each caller',
        files: {
          'a.ts': `${made}const make = () => new Pool(); const one = make(); const two = make(); one.connect(); two.query();`,
        },
        a: ['a.ts', 'one'],
        b: ['a.ts', 'two'],
      },
      {
        name: 'members of what a factory makes',
        files: {
          'a.ts': `${made}function make() { const pool = new Pool(); return { pool }; }\nconst one = make(); const two = make(); one.pool.connect(); two.pool.query();`,
        },
        a: ['a.ts', 'one.pool'],
        b: ['a.ts', 'two.pool'],
      },
      {
        name: 'one for each key',
        files: {
          'a.ts': `${made}const pools = {};\nfunction get(key) { return pools[key] ??= new Pool(); }\nget('a').connect(); get('b').query();`,
        },
        a: ['a.ts', "get('a')"],
        b: ['a.ts', "get('b')"],
      },
      {
        name: 'values of a map',
        files: {
          'a.ts': `${made}const pools = new Map<string, Pool>(); function f() { pools.get('a').connect(); pools.get('b').query(); }`,
        },
        a: ['a.ts', "pools.get('a')"],
        b: ['a.ts', "pools.get('b')"],
      },
      {
        name: 'chosen by a condition',
        files: {
          'a.ts': `${made}const main = new Pool(); const replica = new Pool(); const either = process.env.R ? replica : main; either.connect(); replica.query();`,
        },
        a: ['a.ts', 'either'],
        b: ['a.ts', 'replica'],
      },
    ],
    false,
  );
});

test('what is no pool is the same as nothing', async () => {
  const kinds = await withResolver(
    {
      'a.ts':
        "import { Client } from 'pg';\nconst client = new Client(); client.connect(); unknown.connect();",
    },
    (entityAt) => [
      isSamePool(entityAt('a.ts', 'client'), entityAt('a.ts', 'client')),
      isSamePool(entityAt('a.ts', 'unknown'), entityAt('a.ts', 'unknown')),
      isSamePool(undefined, undefined),
    ],
  );
  expect(kinds).toEqual([false, false, false]);
});
