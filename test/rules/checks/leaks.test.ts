import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import plugin from '../../../rules/index.ts';

/** What the one finding in a module says, up to its remedy. Line 3 is the first of `body`. */
function said(body: string): string | undefined {
  const code = `import { Pool } from 'pg';\nconst pool = new Pool();\n${body}`;
  const messages = new Linter().verify(
    code,
    [{ plugins: { poolguard: plugin }, rules: { 'poolguard/no-unreleased-client': 'error' } }],
    { filename: 'sample.js' },
  );
  expect(messages).toHaveLength(1);
  return messages[0]?.message.split(/: each | Release each/u)[0];
}

test.each([
  [
    'the inner return of a callback, not the one around the checkout',
    'function f(cb) {\n  return pool.connect((err, client, done) => {\n    if (err) return cb(err);\n    client.query(x, (e) => {\n      if (e) return cb(e);\n      done();\n    });\n  });\n}',
    'when the function leaves at line 7 (`return cb(e);`)',
  ],
  [
    'the call of `reject`',
    'function f() {\n  return new Promise((resolve, reject) => pool.connect((err, client, done) => {\n    if (err) return reject(err);\n    client.query(x, (e) => {\n      if (e) reject(e);\n      else { done(); resolve(); }\n    });\n  }));\n}',
    'when the function leaves at line 7 (`reject(e)`)',
  ],
  [
    'the operation whose failure a chain swallows',
    'function f() {\n  pool.connect().then((client) =>\n    client.query(x).then(() => client.release()),\n  ).catch((error) => log(error));\n}',
    'when the function leaves at line 7 (the end of the function, after `client.query(x)` failed at line 5)',
  ],
  [
    'the operation whose failure a catch swallows',
    'async function f() {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    return null;\n  }\n}',
    'when the function leaves at line 9 (`return null;`, after `await client.query(x)` failed at line 6)',
  ],
  [
    'a round that is left by `continue`',
    'async function f(next) {\n  let client;\n  for (;;) {\n    client = await pool.connect();\n    if (next()) continue;\n    client.release();\n  }\n}',
    'while the last one is still held (line 7, `continue;`).',
  ],
  [
    'a `throw`',
    'async function f(id) {\n  const client = await pool.connect();\n  if (!id) throw new Error(id);\n  client.release();\n}',
    'when line 5 throws (`throw new Error(id);`)',
  ],
  [
    'a call that does nothing but throw',
    'function fail() {\n  throw new Error();\n}\nasync function f(id) {\n  const client = await pool.connect();\n  if (!id) fail();\n  client.release();\n}',
    'when line 8 throws (`fail()`)',
  ],
  [
    'the `throw` of a handler whenever the work fails, and not the ROLLBACK that may fail as well',
    "async function f() {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    await client.query('ROLLBACK');\n    throw error;\n  }\n}",
    'when line 10 throws (`throw error;`, after `await client.query(x)` failed at line 6)',
  ],
  [
    'the `throw` of a handler, and not what else may fail in it',
    'async function f(audit) {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    await audit(error);\n    throw error;\n  }\n}',
    'when line 10 throws (`throw error;`, after `await client.query(x)` failed at line 6)',
  ],
  [
    'what may fail in a handler that releases behind it',
    "async function f() {\n  const client = await pool.connect();\n  try {\n    await client.query(x);\n    client.release();\n  } catch (error) {\n    await client.query('ROLLBACK');\n    client.release();\n    throw error;\n  }\n}",
    "when line 9 throws (`await client.query('ROLLBACK')`)",
  ],
  [
    'the `yield` at which a consumer may stop',
    'async function* f() {\n  const client = await pool.connect();\n  yield 1;\n  client.release();\n}',
    'when the function leaves at line 5 (`yield 1`)',
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
    'Release in a `finally` of this `try`, which this exit passes too.',
  ],
  [
    'a transaction',
    "import knex from 'knex';\nconst db = knex({ client: 'pg' });",
    'const c = await db.transaction();',
    'await c.commit();',
    'Commit or roll back before this exit, too.',
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
