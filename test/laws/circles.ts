import fc from 'fast-check';

const functionsOfAKind = 3;
const other = fc.nat({ max: functionsOfAKind - 1 });

/** The body of a function that calls others of its kind, which may call it in turn. */
const getter = fc.oneof(
  fc.constant('return pool.connect();'),
  other.map((to) => `return get${to}(p);`),
  other.map((to) => `if (p) return get${to}(false);\n  return pool.connect();`),
  other.map(
    (to) =>
      `const client = await get${to}(p);\n  await client.query('SELECT 1');\n  return client;`,
  ),
);

const lends = 'try {\n    return await fn(client);\n  } finally {\n    client.release();\n  }';

const lender = fc.oneof(
  other.map((to) => `const client = await get${to}(true);\n  ${lends}`),
  other.map((to) => `return with${to}(fn);`),
  other.map(
    (to) =>
      `if (check()) return with${to}(fn);\n  const client = await pool.connect();\n  ${lends}`,
  ),
  other.map(
    (to) =>
      `return with${to}(async (client) => {\n    await client.query('SELECT 1');\n    return fn(client);\n  });`,
  ),
);

const helper = fc.oneof(
  fc.constant("await client.query('SELECT 1');"),
  fc.constant('client.release();'),
  fc.constant("await pool.query('SELECT 1');"),
  other.map((to) => `await help${to}(client);`),
  other.map((to) => `if (check()) return help${to}(client);\n  await client.query('SELECT 2');`),
);

const user = fc.oneof(
  other.map(
    (from) =>
      `const client = await get${from}(true);\n  await client.query('SELECT 1');\n  client.release();`,
  ),
  fc
    .tuple(other, other)
    .map(([from, to]) => `const client = await get${from}(false);\n  await help${to}(client);`),
  fc
    .tuple(other, other)
    .map(
      ([from, to]) =>
        `const client = await get${from}(false);\n  try {\n    await help${to}(client);\n  } finally {\n    client.release();\n  }`,
    ),
  other.map(
    (by) => `await with${by}(async (client) => {\n    await pool.query('SELECT 1');\n  });`,
  ),
  fc.tuple(other, other).map(([by, to]) => `await with${by}((client) => help${to}(client));`),
  fc
    .tuple(other, other)
    .map(
      ([by, inner]) =>
        `await with${by}(async (client) => {\n    await with${inner}(async () => {});\n  });`,
    ),
);

const bodies = (body: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(body, { minLength: functionsOfAKind, maxLength: functionsOfAKind });

/** A file of getters, lenders, helpers and their users, which call each other in circles. */
export const circles: fc.Arbitrary<string> = fc
  .tuple(bodies(getter), bodies(lender), bodies(helper), bodies(user))
  .map(([getters, lenders, helpers, users]) =>
    [
      "import { Pool } from 'pg';",
      "import { check } from 'world';",
      'const pool = new Pool();',
      ...getters.map((body, index) => `async function get${index}(p) {\n  ${body}\n}`),
      ...lenders.map((body, index) => `async function with${index}(fn) {\n  ${body}\n}`),
      ...helpers.map((body, index) => `async function help${index}(client) {\n  ${body}\n}`),
      ...users.map((body, index) => `export async function use${index}() {\n  ${body}\n}`),
      '',
    ].join('\n'),
  );
