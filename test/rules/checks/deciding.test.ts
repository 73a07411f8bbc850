import { describe } from 'vitest';
import { checkRule, leaking } from '../../support/marked.ts';

const taken = 'const client = await pool.connect();';
const onPath = (body: string): string =>
  leaking(
    'notReleasedOnSomePath',
    `async function f(id, ids) {\n  ${taken}\n  ${body.split('\n').join('\n  ')}\n}`,
  );

describe('a path names what decides, and not only where the function ends', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'the `continue` of the loop around, by its label',
      code: leaking(
        'notReleasedOnSomePath',
        `async function f(ids) {
  outer: for (const id of ids) {
    ${taken}
    for (const each of id.all) {
      if (each.skipped) continue outer;
      await client.query('x');
    }
    client.release();
  }
}`,
      ),
      paths: [[taken, 'if (each.skipped) continue outer;']],
    },
    {
      name: 'the `break` of a loop',
      code: onPath(
        'while (true) {\n  const { rows } = await client.query(id);\n  if (rows.length === 0) break;\n  if (rows.length > 5) { client.release(); return; }\n}',
      ),
      paths: [[taken, 'if (rows.length === 0) break;', '}']],
    },
    {
      name: 'the `break` of a `switch`',
      code: onPath(
        "switch (id) {\n  case 1:\n    client.release();\n    break;\n  case 2:\n    await client.query('x');\n    break; // the second\n  default:\n    client.release();\n}",
      ),
      paths: [[taken, 'break; // the second', '}']],
    },
    {
      name: 'the condition of the release, and not those before it',
      code: onPath(
        "for (const each of ids) {\n  if (each.skipped) continue;\n  await client.query('x');\n}\nif (ids.length > 3) client.release();",
      ),
      paths: [[taken, 'if (ids.length > 3) client.release();', '}']],
    },
  ]);
});

describe('a path to a release with the transaction open names the statement that leaves', () => {
  checkRule('no-open-transaction-release', [
    {
      name: 'a `return` into the `finally`',
      code: `async function f(id) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    if (!id) return; // too early
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ open
  }
}`,
      paths: [
        [
          'const client = await pool.connect();',
          "await client.query('BEGIN');",
          'if (!id) return; // too early',
          'client.release();',
        ],
      ],
    },
    {
      name: 'a `return` of a helper does not leave the function',
      code: `async function f(id) {
  const client = await pool.connect();
  const rest = () => { return id; };
  await client.query('BEGIN');
  rest();
  client.release();
//^^^^^^^^^^^^^^^^ open
}`,
      paths: [
        [
          'const client = await pool.connect();',
          "await client.query('BEGIN');",
          'client.release();',
        ],
      ],
    },
  ]);
});

describe('a second release in a `finally`', () => {
  checkRule('no-double-release', [
    {
      name: 'beside a helper that does more than release',
      code: `async function putBack(client) { await client.query('RESET ROLE'); client.release(); }
async function f() {
  const client = await pool.connect();
  try {
    await client.query('SET ROLE reader');
    await putBack(client);
  } finally {
    client.release();
//  ^^^^^^^^^^^^^^^^ releasedAgain
  }
}`,
      cures: ['Release once on each path, for example in a `finally`.'],
    },
  ]);
});

describe('a listener that is added at each checkout', () => {
  checkRule('no-listener-leak', [
    {
      name: 'is to be added to the pool as it is called',
      header: "import { Pool } from 'pg';\nconst orders = new Pool();\n",
      code: `orders.on('acquire', (client) => {
  client.on('notice', print);
//^^^^^^^^^^^^^^^^^^^^^^^^^^ atAcquire
});
function print(notice) {}`,
      cures: ["Add it once in `orders.on('connect', …)`."],
    },
  ]);
});
