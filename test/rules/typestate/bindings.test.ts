import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('knows who disposes', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'using client',
      code: "async function f() { using client = await pool.connect(); await client.query('x'); }",
    },
    {
      name: 'await using client',
      code: "async function f() { await using client = await pool.connect(); await client.query('x'); }",
    },
    {
      name: 'await using wrapper',
      code: "async function f() { const client = await pool.connect(); await using _ = { async [Symbol.asyncDispose]() { client.release(); } }; await client.query('x'); }",
    },
    {
      name: 'disposable stack',
      code: "async function f() { await using stack = new AsyncDisposableStack(); const client = await pool.connect(); stack.defer(() => client.release()); await client.query('x'); }",
    },
    {
      name: 'disposable stack adopt',
      code: "async function f() { await using stack = new AsyncDisposableStack(); const client = stack.adopt(await pool.connect(), (c) => c.release()); await client.query('x'); }",
    },
  ]);
});
