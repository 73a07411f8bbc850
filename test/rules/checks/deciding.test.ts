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
