import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import plugin from '../../../rules/index.ts';

const header = `import { Pool } from 'pg';
import { Sequelize } from 'sequelize';
const pool = new Pool();
const sequelize = new Sequelize();
`;

/** The messages of one rule about a program. */
function messagesOf(rule: string, code: string): readonly string[] {
  const problems = new Linter().verify(header + code, [
    { plugins: { poolguard: plugin }, rules: { [`poolguard/${rule}`]: 'error' } },
  ]);
  return problems.map(({ message }) => message);
}

const nested = 'no-nested-checkout';
const slow = 'no-external-await-while-holding';

test.each([
  {
    name: 'the helper that is not given the client',
    rule: nested,
    code: `
async function find() { await pool.query('x'); }
async function f() {
  const client = await pool.connect();
  try { await find(); } finally { client.release(); }
}`,
    cure: 'Pass `client` to `find()` (line 6)',
  },
  {
    name: 'the call of a helper that is given the client and does not pass it on',
    rule: nested,
    code: `
async function count() { await pool.query('x'); }
async function find(c) { await c.query('y'); await count(); }
async function f() {
  const client = await pool.connect();
  try { await find(client); } finally { client.release(); }
}`,
    cure: 'Pass `client` on to `count()` (line 7)',
  },
  {
    name: 'the query, where every helper has the client',
    rule: nested,
    code: `
async function count({ db }) { await db.query('y'); await pool.query('x'); }
async function find(c) { const options = { db: c }; await count(options); }
async function f() {
  const client = await pool.connect();
  try { await find(client); } finally { client.release(); }
}`,
    cure: 'Pass `client` on to `pool.query()` (line 6)',
  },
  {
    name: 'the query of a library, where a helper has the options with its transaction',
    rule: nested,
    code: `
async function find(id, options) { await sequelize.query('x'); await sequelize.query('y', options); }
async function f() {
  await sequelize.transaction(async (transaction) => { await find(1, { transaction }); });
}`,
    cure: 'Pass `transaction` on to `sequelize.query()` (line 6)',
  },
  {
    name: 'the slow helper, where nobody gives it the client',
    rule: slow,
    code: `
async function notify() { await fetch('https://example.com'); }
async function f() {
  const client = await pool.connect();
  try { await notify(); } finally { client.release(); }
}`,
    cure: 'Move `notify()` (line 6) before the checkout',
  },
  {
    name: 'the slow call in a helper that needs the client',
    rule: slow,
    code: `
async function notify() { await fetch('https://example.com'); }
async function find(c) { await c.query('x'); await notify(); }
async function f() {
  const client = await pool.connect();
  try { await find(client); } finally { client.release(); }
}`,
    cure: 'Move `notify()` (line 7) before the checkout',
  },
])('a cure speaks of $name', ({ rule, code, cure }) => {
  expect(messagesOf(rule, code)).toEqual([expect.stringContaining(cure)]);
});

test('queries at once are awaited one by one in the function that starts them', () => {
  const messages = messagesOf(
    'no-concurrent-client-query',
    `
async function load(t) {
  await Promise.all(['x', 'y'].map((text) => sequelize.query(text, { transaction: t })));
}
async function find(t) { await load(t); }
async function f() {
  await sequelize.transaction(async (t) => { await find(t); });
}`,
  );
  expect(messages).toEqual([
    expect.stringContaining('Await each before the next in `load()` (line 6)'),
  ]);
});
