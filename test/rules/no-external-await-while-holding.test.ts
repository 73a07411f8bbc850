import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

const rule = 'no-external-await-while-holding';

describe('reports slow work while a client is held', () => {
  checkRule(rule, [
    {
      name: 'fetch',
      code: `
async function f() {
  const c = await pool.connect();
  try { await fetch('https://example.test'); } finally { c.release(); }
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'an HTTP client, with the transaction open',
      code: `
import axios from 'axios';
async function f() {
  const c = await pool.connect();
  try {
    await c.query('BEGIN');
    await axios.post('https://example.test');
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ heldInTransaction
    await c.query('COMMIT');
  } finally { c.release(); }
}`,
    },
    {
      name: 'a service made by its package',
      code: `
import OpenAI from 'openai';
const ai = new OpenAI();
async function f() {
  const c = await pool.connect();
  try { return await ai.chat.completions.create({}); } finally { c.release(); }
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'a pause behind a function of the file',
      code: `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function f() {
  const c = await pool.connect();
  try { await sleep(100); } finally { c.release(); }
  //    ^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'a promisified timer',
      code: `
import { promisify } from 'node:util';
const sleep = promisify(setTimeout);
async function f() {
  const c = await pool.connect();
  try { await sleep(100); } finally { c.release(); }
  //    ^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'work several calls away, in another file',
      files: { 'pay.ts': "import Stripe from 'stripe';\nconst stripe = new Stripe('k');\nconst charge = (id) => stripe.charges.create({ id });\nexport async function pay(id) { await charge(id); }" },
      code: `
import { pay } from './pay.js';
async function f() {
  const c = await pool.connect();
  try { await pay(1); } finally { c.release(); }
  //    ^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'one of several promises',
      code: `
async function f() {
  const c = await pool.connect();
  try { await Promise.all([c.query('x'), fetch('y')]); } finally { c.release(); }
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
}`,
    },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    { name: 'before the checkout', code: "async function f() { const r = await fetch('x'); const c = await pool.connect(); try { await c.query('x'); } finally { c.release(); } }" },
    { name: 'behind the release', code: "async function f() { const c = await pool.connect(); try { await c.query('x'); } finally { c.release(); } await fetch('x'); }" },
    { name: 'on work of the database', code: "async function f() { const c = await pool.connect(); try { await Promise.all([c.query('x'), c.query('y')]); } finally { c.release(); } }" },
    { name: 'on a deadline for a query', code: "async function f() { const c = await pool.connect(); try { await Promise.race([c.query('x'), new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 100))]); } finally { c.release(); } }" },
    { name: 'on a function that shares its name with a global', code: "const fetch = async (x) => x;\nasync function f() { const c = await pool.connect(); try { await fetch('x'); } finally { c.release(); } }" },
    { name: 'on functions of unknown origin', code: "import { send } from './missing';\nasync function f() { const c = await pool.connect(); try { await send('x'); } finally { c.release(); } }" },
    {
      name: 'in chains that nobody waits for',
      code: `
async function send(id) { await fetch('https://example.org/' + id); }
async function f() {
  const client = await pool.connect();
  try {
    await client.query('COMMIT');
    send(1).catch(() => {});
    send(2).then((ids) => { for (const id of ids) send(id).catch((error) => console.error(error)); }).catch(() => {});
    void send(3).finally(() => {});
    (async () => { await send(4); })().catch(() => {});
  } finally { client.release(); }
}`,
    },
  ]);
});
