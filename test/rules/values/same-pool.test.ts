import { expect, test } from 'vitest';
import { isSamePoolAt } from '../../../rules/values/same-pool.ts';
import { withResolver } from '../../support/resolved.ts';

const cases: readonly (readonly [
  name: string,
  code: string,
  a: string,
  b: string,
  isSame: boolean,
])[] = [
  [
    'a parameter without a type',
    'function f(pool) { pool.connect(); g(() => pool!.query()); }',
    'pool',
    'pool!',
    true,
  ],
  [
    'a member of a parameter',
    'function f(ctx) { ctx.pool.connect(); (ctx).pool.query(); }',
    'ctx.pool',
    '(ctx).pool',
    true,
  ],
  [
    'an injected field',
    'class A { constructor(pool) { this.pool = pool; } f() { this.pool.connect(); } g() { (this).pool.query(); } }',
    'this.pool',
    '(this).pool',
    true,
  ],
  [
    'fields of two classes',
    'class A { f() { this.pool.connect(); } } class B { g() { (this).pool.query(); } }',
    'this.pool',
    '(this).pool',
    false,
  ],
  [
    'parameters of two functions',
    'function f(ctx) { (ctx).pool.connect(); } function g(ctx) { ctx.pool.query(); }',
    'ctx.pool',
    '(ctx).pool',
    false,
  ],
  [
    'a variable that is written again',
    'function f(pool) { pool.connect(); pool = other(); pool!.query(); }',
    'pool',
    'pool!',
    false,
  ],
  [
    'a computed member',
    'function f(pools) { pools[a].connect(); (pools)[a].query(); }',
    'pools[a]',
    '(pools)[a]',
    false,
  ],
  [
    'one known, one not',
    "import { Pool } from 'pg';\nconst pool = new Pool(); function f(ctx) { ctx.pool.connect(); pool!.query(); }",
    'ctx.pool',
    'pool!',
    false,
  ],
  [
    'two known',
    "import { Pool } from 'pg';\nconst pool = new Pool(); const db = pool; db.connect(); pool!.query();",
    'db',
    'pool!',
    true,
  ],
  [
    'a field of a declared type that its constructor sets to a pool of the module',
    "import { Pool } from 'pg';\nconst one = new Pool(); const two = new Pool(); class A { private db: Pool; constructor() { this.db = one; } f() { this.db.connect(); one!.query(); } }",
    'this.db',
    'one!',
    true,
  ],
  [
    'the same field, and another pool of the module',
    "import { Pool } from 'pg';\nconst one = new Pool(); const two = new Pool(); class A { private db: Pool; constructor() { this.db = one; } f() { this.db.connect(); two!.query(); } }",
    'this.db',
    'two!',
    false,
  ],
  [
    'a field of a declared type that a method sets as well',
    "import { Pool } from 'pg';\nconst one = new Pool(); const two = new Pool(); class A { private db: Pool; constructor() { this.db = one; } turn() { this.db = two; } f() { this.db.connect(); one!.query(); } }",
    'this.db',
    'one!',
    false,
  ],
  [
    'a field of a declared type that is given',
    "import { Pool } from 'pg';\nconst one = new Pool(); const two = new Pool(); class A { private db: Pool; constructor(db: Pool) { this.db = db; } f() { this.db.connect(); one!.query(); } }",
    'this.db',
    'one!',
    false,
  ],
];

test.each(cases)('%s', async (_name, code, a, b, isSame) => {
  const answer = await withResolver({ 'a.ts': code }, (_entityAt, { resolver, placeOf }) =>
    isSamePoolAt(resolver, placeOf('a.ts', a), placeOf('a.ts', b)),
  );
  expect(answer).toBe(isSame);
});
