import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('sees what still runs when the client goes back', () => {
  checkRule('no-use-after-release', [
    {
      name: 'what a function of its own, or one in place, has started',
      code: `
async function f() {
  const c = await pool.connect();
  const load = async () => { await c.query('SELECT 1'); };
  try { return load(); } finally { c.release(); }
//             ^^^^^^ returnedUnsettled
}
async function g() {
  const c = await pool.connect();
  try { return (async () => { await c.query('SELECT 1'); })(); } finally { c.release(); }
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ returnedUnsettled
}
async function h() {
  const c = await pool.connect();
  const run = (text: string) => c.query(text);
  const rows = run('SELECT 1');
//             ^^^^^^^^^^^^^^^ notAwaited
  c.release();
  return rows;
}`,
    },
    {
      name: 'and what does not',
      code: `
async function f() {
  const c = await pool.connect();
  const load = async () => { await c.query('SELECT 1'); };
  try { return await load(); } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  try { return await (async () => { await c.query('SELECT 1'); })(); } finally { c.release(); }
}
async function h() {
  const c = await pool.connect();
  const nameOf = () => c.processID;
  try { return nameOf(); } finally { c.release(); }
}
async function k() {
  const c = await pool.connect();
  return (async () => { try { await c.query('SELECT 1'); } finally { c.release(); } })();
}
async function l(read: (client: PoolClient) => number) {
  const c = await pool.connect();
  try { return read(c); } finally { c.release(); }
}
async function m() {
  const c = await pool.connect();
  const finish = async () => { try { await c.query('COMMIT'); } finally { c.release(); } };
  await c.query('BEGIN');
  return finish();
}`,
    },
  ]);
});

describe('sees helpers that run at the same time', () => {
  checkRule('no-concurrent-client-query', [
    {
      name: 'started one behind the other and awaited later',
      code: `
const load = async (client: PoolClient, id: number) => { await client.query('SELECT $1', [id]); };
async function f() {
  const c = await pool.connect();
  try {
    const one = load(c, 1);
    const two = load(c, 2);
//              ^^^^^^^^^^ overlapping
    await one;
    await two;
  } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  const run = (text: string) => c.query(text);
  try {
    const one = c.query('SELECT 1');
    const two = run('SELECT 2');
//              ^^^^^^^^^^^^^^^ overlapping
    return [await one, await two];
  } finally { c.release(); }
}`,
    },
    {
      name: 'that query only on some ways, or one behind the other',
      code: `
const load = async (client: PoolClient, id: number) => { await client.query('SELECT $1', [id]); };
const maybe = async (client: PoolClient, id?: number) => { if (id) await client.query('SELECT $1', [id]); };
const note = async (client: PoolClient) => { console.log(client); };
async function f(id) {
  const c = await pool.connect();
  try {
    await load(c, 1);
    await load(c, 2);
    const one = load(c, 1);
    const two = note(c);
    const three = maybe(c, id);
    await Promise.all([one, two, three]);
  } finally { c.release(); }
}`,
    },
  ]);
});
