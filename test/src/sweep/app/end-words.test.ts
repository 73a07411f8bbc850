import { expect, test } from 'vitest';
import { quoteLines } from '../../../../src/sweep/app/end-words.ts';
import { createLastLines } from '../../../../src/sweep/app/last-lines.ts';

test('the reason of a crash is not lost among the frames of Node.js', () => {
  const lines = createLastLines();
  lines.add(
    "/shop/server.mjs:3\n  throw new Error('no pool');\n        ^\n\nError: no pool\n    at file:///shop/server.mjs:3:9\n",
  );
  lines.add(
    Array.from(
      { length: 14 },
      (_, line) =>
        `    at Module._compile (node:internal/modules/cjs/loader:${line}:14)\n    at node:internal/main/run_main_module:${line}:47\n`,
    ).join(''),
  );
  lines.add('Node.js v24.1.0\n');
  expect(quoteLines(lines.read())).toBe(
    " Its last lines:\n  /shop/server.mjs:3\n    throw new Error('no pool');\n          ^\n  Error: no pool\n      at file:///shop/server.mjs:3:9\n  Node.js v24.1.0",
  );
});

test('one that says nothing is said so', () => {
  expect(quoteLines([])).toBe(' It printed nothing.');
});
