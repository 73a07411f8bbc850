import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

/** More ways through a function than are followed one by one. */
const many = `${times((n) => `if (input.a${n}) out.a${n} = input.a${n};`)}\n${times((n) => `if (input.a${n}) console.log(${n});`)}`;

function times(line: (index: number) => string): string {
  return Array.from({ length: 14 }, (_, index) => line(index)).join('\n');
}

describe('a sample of the paths through a large function is enough to report slow work', () => {
  checkRule('no-external-await-while-holding', [
    {
      name: 'while its client is held',
      code: `
async function f(input, out) {
  const c = await pool.connect();
  try {
    await c.query('BEGIN');
    ${many}
    await fetch('https://example.test');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ heldInTransaction
    await c.query('COMMIT');
  } catch (error) { await c.query('ROLLBACK'); throw error; } finally { c.release(); }
}`,
    },
    {
      name: 'while a transaction is lent',
      header: "import knex from 'knex';\nconst db = knex({ client: 'pg' });\n",
      code: `
async function f(input, out) {
  await db.transaction(async (trx) => {
    ${many}
    await fetch('https://example.test');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
    await trx('users').insert(out);
  });
}`,
    },
    {
      name: 'but not after the release',
      code: `
async function f(input, out) {
  const c = await pool.connect();
  try { ${many}
    await c.query('x', out);
  } finally { c.release(); }
  await fetch('https://example.test');
}`,
    },
    {
      name: 'but not where no way releases the client that others were given',
      code: `
async function f(input, out, queue) {
  const c = await pool.connect();
  ${many}
  queue.add(c, out);
  await fetch('https://example.test');
}`,
    },
  ]);
});

describe('a sample of the paths through a large function is enough to report second clients', () => {
  checkRule('no-nested-checkout', [
    {
      name: 'while its client is held',
      code: `
async function f(input, out) {
  const c = await pool.connect();
  try {
    ${many}
    await pool.query('x', out);
    //    ^^^^^^^^^^^^^^^^^^^^ query
  } finally { c.release(); }
}`,
    },
    {
      name: 'but not of the client itself, nor behind the release',
      code: `
async function f(input, out) {
  const c = await pool.connect();
  try {
    ${many}
    const db = c ?? pool;
    await db.query('x', out);
  } finally { c.release(); }
  await pool.query('y');
}`,
    },
    {
      name: 'but not where the way that asks the pool has no client',
      code: `
async function f(input, out) {
  const c = input.own ? undefined : await pool.connect();
  try {
    ${many}
    if (c) await c.query('x', out); else await pool.query('x', out);
  } finally { c?.release(); }
}`,
    },
  ]);
});
