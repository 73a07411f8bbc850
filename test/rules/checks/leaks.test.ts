import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import plugin from '../../../rules/index.ts';
import { sentencesOf } from '../../support/message-style.ts';

/** The first sentence of the one finding in a module. Line 3 is the first of `body`. */
function said(body: string): string | undefined {
  const code = `import { Pool } from 'pg';\nconst pool = new Pool();\n${body}`;
  const messages = new Linter().verify(
    code,
    [{ plugins: { poolguard: plugin }, rules: { 'poolguard/no-unreleased-client': 'error' } }],
    { filename: 'sample.js' },
  );
  expect(messages).toHaveLength(1);
  return sentencesOf(messages[0]?.message ?? '')[0];
}

test.each([
  [
    'the inner return of a callback, not the one around the checkout',
    'function f(cb) {\n  return pool.connect((err, client, done) => {\n    if (err) return cb(err);\n    client.query(x, (e) => {\n      if (e) return cb(e);\n      done();\n    });\n  });\n}',
    '`client` is never released if the function returns at line 7.',
  ],
  [
    'the call of `reject`',
    'function f() {\n  return new Promise((resolve, reject) => pool.connect((err, client, done) => {\n    if (err) return reject(err);\n    client.query(x, (e) => {\n      if (e) reject(e);\n      else { done(); resolve(); }\n    });\n  }));\n}',
    '`client` is never released if the promise rejects at line 7.',
  ],
  [
    'the operation whose failure a chain swallows',
    'function f() {\n  pool.connect().then((client) =>\n    client.query(x).then(() => client.release()),\n  ).catch((error) => log(error));\n}',
    '`client` is never released if the function ends at line 7 after line 5 failed.',
  ],
  [
    'the operation whose failure a catch swallows',
    'async function f() {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    return null;\n  }\n}',
    '`client` is never released if the function returns at line 9 after line 6 failed.',
  ],
  [
    'a round that is left by `continue`',
    'async function f(next) {\n  let client;\n  for (;;) {\n    client = await pool.connect();\n    if (next()) continue;\n    client.release();\n  }\n}',
    'the next iteration replaces `client` before it is released (line 7).',
  ],
  [
    'a `throw`',
    'async function f(id) {\n  const client = await pool.connect();\n  if (!id) throw new Error(id);\n  client.release();\n}',
    '`client` is never released if line 5 throws.',
  ],
  [
    'a call that does nothing but throw',
    'function fail() {\n  throw new Error();\n}\nasync function f(id) {\n  const client = await pool.connect();\n  if (!id) fail();\n  client.release();\n}',
    '`client` is never released if line 8 throws.',
  ],
  [
    'the `throw` of a handler whenever the work fails, and not the ROLLBACK that may fail as well',
    "async function f() {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    await client.query('ROLLBACK');\n    throw error;\n  }\n}",
    '`client` is never released if line 10 throws after line 6 failed.',
  ],
  [
    'the `throw` of a handler, and not what else may fail in it',
    'async function f(audit) {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    await audit(error);\n    throw error;\n  }\n}',
    '`client` is never released if line 10 throws after line 6 failed.',
  ],
  [
    'what may fail in a handler that releases behind it',
    "async function f() {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    await client.query('ROLLBACK');\n    client.release();\n    throw error;\n  }\n}",
    '`client` is never released if line 9 throws.',
  ],
  [
    'the `yield` at which a consumer may stop',
    'async function* f() {\n  const client = await pool.connect();\n  yield 1;\n  client.release();\n}',
    '`client` is never released if its consumer stops at line 5.',
  ],
  [
    'the pool where only a helper has a name for the client',
    'async function use(c) {\n  await c.query(x);\n}\nasync function f() {\n  await use(await pool.connect());\n}',
    'Connection leak: a client of `pool` is never released.',
  ],
  [
    'the pool where only a helper that is called at once has a name for it',
    'function use(c) {\n  return c.query(x);\n}\nasync function f() {\n  const work = (c) => use(c);\n  await work(await pool.connect());\n}',
    'Connection leak: a client of `pool` is never released.',
  ],
])('names %s', (_name, body, where) => {
  expect(said(body)).toContain(where);
});

test.each([
  [
    'a client',
    "import { Pool } from 'pg';\nconst pool = new Pool();",
    'const c = await pool.connect();',
    'c.release();',
    'Release in a `finally` of this `try`.',
  ],
  [
    'a transaction',
    "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    'const c = await db.transaction();',
    'await c.commit();',
    'Commit or roll back before this exit.',
  ],
])('an exit from inside of the `try` has its own cure: %s', (_name, header, begin, end, cure) => {
  const code = `${header}
export async function f(x) {
  ${begin}
  try {
    await c.raw(x);
    if (!x) return null;
    ${end}
  } catch (error) {
    ${end.replace('commit', 'rollback')}
    throw error;
  }
}`;
  const messages = new Linter().verify(
    code,
    [{ plugins: { poolguard: plugin }, rules: { 'poolguard/no-unreleased-client': 'error' } }],
    { filename: 'sample.js' },
  );
  expect(messages.map(({ message }) => message)).toEqual([expect.stringContaining(cure)]);
});
