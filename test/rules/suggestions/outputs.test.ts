import { describe, expect, test } from 'vitest';
import { appliedTo, lintWithAll } from '../../support/suggested.ts';

interface Case {
  readonly name: string;
  readonly before: string;
  /** What each suggestion leaves, by its title; empty where nothing is safe to offer. */
  readonly after: Readonly<Record<string, string>>;
}

const header = "import { Pool } from 'pg';\nconst pool = new Pool();\npool.on('error', console.error);\n";

function check(rule: string, cases: readonly Case[]): void {
  describe(rule, () => {
    test.each(cases.map((each) => [each.name, each] as const))('%s', (_name, { before, after }) => {
      const text = header + before;
      const messages = lintWithAll(text).filter(({ ruleId }) => ruleId === `poolguard/${rule}`);
      expect(messages.length).toBeGreaterThan(0);
      const outputs = appliedTo(text, messages).map((each) => [each.suggestion.desc, each.after.slice(header.length)] as const);
      expect(Object.fromEntries(outputs)).toEqual(after);
    });
  });
}

check('no-unreleased-client', [
  {
    name: 'what follows the checkout goes into a try, texts of several lines as they are',
    before: 'export async function f(id) {\n  const c = await pool.connect();\n  const { rows } = await c.query(`\n  SELECT ${[\n    id,\n  ]}\n  `);\n  c.release();\n  return rows;\n}\n',
    after: { 'Release the client in a `finally`.': 'export async function f(id) {\n  const c = await pool.connect();\n  try {\n    const { rows } = await c.query(`\n  SELECT ${[\n      id,\n    ]}\n  `);\n    return rows;\n  } finally {\n    c.release();\n  }\n}\n' },
  },
  {
    name: 'Windows line breaks stay',
    before: "export async function f() {\r\n  const c = await pool.connect();\r\n  await c.query('SELECT 1');\r\n  c.release();\r\n}\r\n",
    after: { 'Release the client in a `finally`.': "export async function f() {\r\n  const c = await pool.connect();\r\n  try {\r\n    await c.query('SELECT 1');\r\n  } finally {\r\n    c.release();\r\n  }\r\n}\r\n" },
  },
  {
    name: 'a query before the try moves into it',
    before: "export async function f() {\n  const c = await pool.connect();\n  await c.query('BEGIN');\n  try {\n    await c.query('COMMIT');\n  } catch (e) {\n    await c.query('ROLLBACK');\n    throw e;\n  } finally {\n    c.release();\n  }\n}\n",
    after: { 'Begin the `try` right after the checkout.': "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    await c.query('COMMIT');\n  } catch (e) {\n    await c.query('ROLLBACK');\n    throw e;\n  } finally {\n    c.release();\n  }\n}\n" },
  },
  {
    name: 'done before the return of an error branch',
    before: "export function f(cb) {\n  pool.connect((e, c, done) => {\n    if (e) return cb(e);\n    c.query('SELECT 1', (err, r) => {\n      if (err) return cb(err);\n      done();\n      cb(null, r);\n    });\n  });\n}\n",
    after: { 'Call `done()` before the return.': "export function f(cb) {\n  pool.connect((e, c, done) => {\n    if (e) return cb(e);\n    c.query('SELECT 1', (err, r) => {\n      if (err) {\n        done();\n        return cb(err);\n      }\n      done();\n      cb(null, r);\n    });\n  });\n}\n" },
  },
  {
    name: 'nothing where somebody listens to the client',
    before: "export async function f() {\n  const c = await pool.connect();\n  c.on('notification', console.log);\n  await c.query('SELECT 1');\n}\n",
    after: {},
  },
  {
    name: 'nothing where a query still runs when the block is left',
    before: "export async function f() {\n  const c = await pool.connect();\n  const rows = c.query('SELECT 1');\n  await new Promise(setImmediate);\n  await rows;\n  c.release();\n}\n",
    after: {},
  },
  {
    name: 'nothing where the client would be held through what comes behind its release',
    before: "export async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT 1');\n  c.release();\n  await fetch('https://example.org');\n}\n",
    after: {},
  },
  {
    name: 'nothing where a return leaves a transaction open',
    before: "export async function f() {\n  const c = await pool.connect();\n  await c.query('BEGIN');\n  const { rows } = await c.query('SELECT 1');\n  if (rows.length === 0) return;\n  await c.query('COMMIT');\n  c.release();\n}\n",
    after: {},
  },
  {
    name: 'nothing where a session lock would go back to the pool',
    before: "export async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT pg_advisory_lock(1)');\n  await c.query('SELECT 1');\n}\n",
    after: {},
  },
  {
    name: 'nothing where a helper releases the client when it fails',
    before: "async function save(c) {\n  try {\n    await c.query('SELECT 1');\n  } catch (e) {\n    c.release();\n    throw e;\n  }\n}\nexport async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT 2');\n  await save(c);\n  c.release();\n}\n",
    after: {},
  },
  {
    name: 'nothing where a function is called before it stands there',
    before: "export async function f() {\n  later();\n  const c = await pool.connect();\n  await c.query('SELECT 1');\n  c.release();\n  function later() {}\n}\n",
    after: {},
  },
]);

check('no-double-release', [
  {
    name: 'the release before a return goes where a finally releases',
    before: "export async function f(id) {\n  const c = await pool.connect();\n  try {\n    if (!id) {\n      c.release();\n      return null;\n    }\n    return await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n",
    after: { 'Remove the release at line 8.': "export async function f(id) {\n  const c = await pool.connect();\n  try {\n    if (!id) {\n      return null;\n    }\n    return await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n" },
  },
  {
    name: 'the second goes where the first always comes before it',
    before: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n  } finally {\n    c.release();\n    c.release();\n  }\n}\n",
    after: { 'Remove the release at line 10.': "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n" },
  },
  {
    name: 'nothing where an early release keeps the client from being held through something else',
    before: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    c.release();\n    await fetch('https://example.org');\n  } finally {\n    c.release();\n  }\n}\n",
    after: {},
  },
]);

check('no-use-after-release', [
  {
    name: 'a query behind the release',
    before: "export async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT 1');\n  c.release();\n  await c.query('SELECT 2');\n}\n",
    after: { 'Release the client in a `finally`, behind this.': "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    await c.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n" },
  },
  {
    name: 'a query that is returned',
    before: "export async function f() {\n  const c = await pool.connect();\n  try {\n    return c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n",
    after: { 'Add `await`.': "export async function f() {\n  const c = await pool.connect();\n  try {\n    return await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n" },
  },
]);

check('no-nested-checkout', [
  {
    name: 'the client that is held answers',
    before: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    return await pool.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n",
    after: { 'Query `c`, which is held here.': "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    return await c.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n" },
  },
  {
    name: 'nothing in a catch, where the transaction may have failed',
    before: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    await c.query('UPDATE a SET b = 1');\n    await c.query('COMMIT');\n  } catch (e) {\n    await pool.query('INSERT INTO failures VALUES (now())');\n    await c.query('ROLLBACK');\n    throw e;\n  } finally {\n    c.release();\n  }\n}\n",
    after: {},
  },
  {
    name: 'nothing beside a cursor, whose end it would wait for',
    before: "import Cursor from 'pg-cursor';\nexport async function f() {\n  const c = await pool.connect();\n  try {\n    const cursor = c.query(new Cursor('SELECT 1'));\n    await cursor.read(1);\n    await pool.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n",
    after: {},
  },
]);
