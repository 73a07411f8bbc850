import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const header = `import { Pool } from 'pg';
const pool = new Pool();
async function later(client) { await pause(); return pool.query('x'); }
async function first() { const { rows } = await pool.query('x'); await pause(); return rows; }
async function maybe(slow) { if (slow) await pause(); return pool.query('x'); }
async function deep() { return later(); }
function plain() { return pool.query('x'); }`;

const returning = (statement: string, last = 'c.release();'): string => `
async function f(slow) {
  const c = await pool.connect();
  try {
    await c.query('x');
    ${statement}
  } finally { ${last} }
}`;

describe('what a returned promise asks of the pool after the release', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      { name: 'in a helper that waits first', code: returning('return later();') },
      { name: 'several calls away', code: returning('return deep();') },
    ]),
  );
});

describe('what is asked of the pool while the client is held', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(header, [
      {
        name: 'by a promise that is awaited',
        code: returning(`return await later();
    //           ^^^^^^^ helper`),
      },
      {
        name: 'by a helper that asks before it waits',
        code: returning(`return first();
    //     ^^^^^^^ helper`),
      },
      {
        name: 'by a helper that waits on some ways only',
        code: returning(`return maybe(slow);
    //     ^^^^^^^^^^^ helper`),
      },
      {
        name: 'by a helper that waits for nothing',
        code: returning(`return plain();
    //     ^^^^^^^ helper`),
      },
      {
        name: 'before a release that waits itself',
        code: returning(
          `return later();
    //     ^^^^^^^ helper`,
          "await c.query('y'); c.release();",
        ),
      },
      {
        name: 'by a call that is awaited and gives nothing',
        code: `
async function f() {
  const c = await pool.connect();
  try { await c.query('x'); await later(); } finally { c.release(); }
  //                              ^^^^^^^ helper
}`,
      },
    ]),
  );
});

describe('a client that may be given', () => {
  const owning = (test: string): string => `
export async function f(options: { client?: PoolClient }) {
  let c = options.client;
  const owns = c === undefined;
  if (owns) c = await pool.connect();
  try { await c.query('x'); } finally { ${test}c.release(); }
}`;
  checkRule('no-nested-checkout', [
    { name: 'and is checked out else', code: owning('if (owns) ') },
  ]);
  checkRule('no-unreleased-client', [
    { name: 'and is released by whom it was checked out', code: owning('if (owns) ') },
  ]);
});

describe('a client that is already connected', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'takes no other one by connect()',
      code: `
async function f() {
  const c = await pool.connect();
  try { await c.connect(); await c.query('x'); } finally { c.release(); }
}`,
    },
  ]);
});
