import { describe } from 'vitest';
import { checkSuggestions, type SuggestionSample } from '../../support/suggestions.ts';

const header =
  "import { Pool } from 'pg';\nconst pool = new Pool();\npool.on('error', console.error);\n";

function check(rule: string, samples: readonly SuggestionSample[]): void {
  describe(rule, () => {
    checkSuggestions(rule, samples, header);
  });
}

check('no-unreleased-client', [
  {
    name: 'what follows the checkout goes into a try, texts of several lines as they are',
    code: 'export async function f(id) {\n  const c = await pool.connect();\n  const { rows } = await c.query(`\n  SELECT ${[\n    id,\n  ]}\n  `);\n  c.release();\n  return rows;\n}\n',
    title: 'Release the client in a `finally`.',
    outputs: [
      'export async function f(id) {\n  const c = await pool.connect();\n  try {\n    const { rows } = await c.query(`\n  SELECT ${[\n      id,\n    ]}\n  `);\n    return rows;\n  } finally {\n    c.release();\n  }\n}\n',
    ],
  },
  {
    name: 'Windows line breaks stay',
    code: "export async function f() {\r\n  const c = await pool.connect();\r\n  await c.query('SELECT 1');\r\n  c.release();\r\n}\r\n",
    title: 'Release the client in a `finally`.',
    outputs: [
      "export async function f() {\r\n  const c = await pool.connect();\r\n  try {\r\n    await c.query('SELECT 1');\r\n  } finally {\r\n    c.release();\r\n  }\r\n}\r\n",
    ],
  },
  ...Object.entries({ 'carriage returns': '\r', 'line separators': '\u2028' }).map(
    ([name, ends]): SuggestionSample => ({
      name: `lines that end with ${name} are lines`,
      code: "export async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT 1');\n  c.release();\n}\n".replaceAll(
        '\n',
        ends,
      ),
      title: 'Release the client in a `finally`.',
      outputs: [
        `export async function f() {${ends}  const c = await pool.connect();${ends}  try {¶    await c.query('SELECT 1');${ends}  } finally {¶    c.release();¶  }¶}${ends}`.replaceAll(
          '¶',
          ends === '\r' ? ends : '\n',
        ),
      ],
    }),
  ),
  {
    name: 'a query before the try moves into it',
    code: "export async function f() {\n  const c = await pool.connect();\n  await c.query('BEGIN');\n  try {\n    await c.query('COMMIT');\n  } catch (e) {\n    await c.query('ROLLBACK');\n    throw e;\n  } finally {\n    c.release();\n  }\n}\n",
    title: 'Start the `try` right after the checkout.',
    outputs: [
      "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    await c.query('COMMIT');\n  } catch (e) {\n    await c.query('ROLLBACK');\n    throw e;\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
  {
    name: 'done before the return of an error branch',
    code: "export function f(cb) {\n  pool.connect((e, c, done) => {\n    if (e) return cb(e);\n    c.query('SELECT 1', (err, r) => {\n      if (err) return cb(err);\n      done();\n      cb(null, r);\n    });\n  });\n}\n",
    title: 'Call `done()` before the return.',
    outputs: [
      "export function f(cb) {\n  pool.connect((e, c, done) => {\n    if (e) return cb(e);\n    c.query('SELECT 1', (err, r) => {\n      if (err) {\n        done();\n        return cb(err);\n      }\n      done();\n      cb(null, r);\n    });\n  });\n}\n",
    ],
  },
  {
    name: 'nothing where somebody listens to the client',
    code: "export async function f() {\n  const c = await pool.connect();\n  c.on('notice', console.log);\n  await c.query('SELECT 1');\n}\n",
    outputs: [],
  },
  {
    name: 'nothing where a query still runs when the block is left',
    code: "export async function f() {\n  const c = await pool.connect();\n  const rows = c.query('SELECT 1');\n  await new Promise(setImmediate);\n  await rows;\n  c.release();\n}\n",
    outputs: [],
  },
  {
    name: 'nothing where the client would be held through what comes behind its release',
    code: "export async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT 1');\n  c.release();\n  await fetch('https://example.org');\n}\n",
    outputs: [],
  },
  {
    name: 'nothing where a return leaves a transaction open',
    code: "export async function f() {\n  const c = await pool.connect();\n  await c.query('BEGIN');\n  const { rows } = await c.query('SELECT 1');\n  if (rows.length === 0) return;\n  await c.query('COMMIT');\n  c.release();\n}\n",
    outputs: [],
  },
  {
    name: 'nothing where a session lock would go back to the pool',
    code: "export async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT pg_advisory_lock(1)');\n  await c.query('SELECT 1');\n}\n",
    outputs: [],
  },
  {
    name: 'nothing where a helper releases the client when it fails',
    code: "async function save(c) {\n  try {\n    await c.query('SELECT 1');\n  } catch (e) {\n    c.release();\n    throw e;\n  }\n}\nexport async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT 2');\n  await save(c);\n  c.release();\n}\n",
    outputs: [],
  },
  {
    name: 'nothing where a function is called before it stands there',
    code: "export async function f() {\n  later();\n  const c = await pool.connect();\n  await c.query('SELECT 1');\n  c.release();\n  function later() {}\n}\n",
    outputs: [],
  },
]);

check('no-double-release', [
  {
    name: 'the release before a return goes where a finally releases',
    code: "export async function f(id) {\n  const c = await pool.connect();\n  try {\n    if (!id) {\n      c.release();\n      return null;\n    }\n    return await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n",
    title: 'Remove the release at line 8.',
    outputs: [
      "export async function f(id) {\n  const c = await pool.connect();\n  try {\n    if (!id) {\n      return null;\n    }\n    return await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
  {
    name: 'the second goes where the first always comes before it',
    code: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n  } finally {\n    c.release();\n    c.release();\n  }\n}\n",
    title: 'Remove the release at line 10.',
    outputs: [
      "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
  {
    name: 'nothing where an early release keeps the client from being held through something else',
    code: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    c.release();\n    await fetch('https://example.org');\n  } finally {\n    c.release();\n  }\n}\n",
    outputs: [],
  },
]);

check('no-use-after-release', [
  {
    name: 'a query behind the release',
    code: "export async function f() {\n  const c = await pool.connect();\n  await c.query('SELECT 1');\n  c.release();\n  await c.query('SELECT 2');\n}\n",
    title: 'Move the release to a `finally`.',
    outputs: [
      "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    await c.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
  {
    name: 'a query that is returned',
    code: "export async function f() {\n  const c = await pool.connect();\n  try {\n    return c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n",
    title: 'Add `await`.',
    outputs: [
      "export async function f() {\n  const c = await pool.connect();\n  try {\n    return await c.query('SELECT 1');\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
  {
    name: 'a query whose promise is awaited behind the release',
    code: "export async function f() {\n  const c = await pool.connect();\n  const query = c.query('SELECT 1');\n  c.release();\n  return await query;\n}\n",
    title: 'Move the release to a `finally`.',
    outputs: [
      "export async function f() {\n  const c = await pool.connect();\n  try {\n    const query = await c.query('SELECT 1');\n    return await query;\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
]);

check('no-nested-checkout', [
  {
    name: 'the client that is held answers',
    code: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    return await pool.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n",
    title: 'Query `c` instead.',
    outputs: [
      "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('SELECT 1');\n    return await c.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
  {
    name: 'nothing in a catch, where the transaction may have failed',
    code: "export async function f() {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    await c.query('UPDATE a SET b = 1');\n    await c.query('COMMIT');\n  } catch (e) {\n    await pool.query('INSERT INTO failures VALUES (now())');\n    await c.query('ROLLBACK');\n    throw e;\n  } finally {\n    c.release();\n  }\n}\n",
    outputs: [],
  },
  {
    name: 'nothing where the transaction goes on when the query fails, which would abort it',
    code: "export async function f(id) {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    try {\n      await pool.query('INSERT INTO audit VALUES ($1)', [id]);\n    } catch (e) {\n      console.warn(e);\n    }\n    await pool.query('DELETE FROM hints WHERE id = $1', [id]).catch(() => {});\n    await c.query('COMMIT');\n  } catch (e) {\n    await c.query('ROLLBACK');\n    throw e;\n  } finally {\n    c.release();\n  }\n}\n",
    outputs: [],
  },
  {
    name: 'the client of a transaction that ends where the failure is caught',
    code: "export async function f(id) {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    await pool.query('DELETE FROM a WHERE id = $1', [id]);\n    await c.query('COMMIT');\n  } catch (e) {\n    await c.query('ROLLBACK');\n    console.warn(e);\n  } finally {\n    c.release();\n  }\n}\n",
    title: 'Query `c` instead.',
    outputs: [
      "export async function f(id) {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    await c.query('DELETE FROM a WHERE id = $1', [id]);\n    await c.query('COMMIT');\n  } catch (e) {\n    await c.query('ROLLBACK');\n    console.warn(e);\n  } finally {\n    c.release();\n  }\n}\n",
    ],
  },
  {
    name: 'nothing beside a cursor, whose end it would wait for',
    code: "import Cursor from 'pg-cursor';\nexport async function f() {\n  const c = await pool.connect();\n  try {\n    const cursor = c.query(new Cursor('SELECT 1'));\n    await cursor.read(1);\n    await pool.query('SELECT 2');\n  } finally {\n    c.release();\n  }\n}\n",
    outputs: [],
  },
]);
