import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

/** `step0` calls `step1`, and so on; the last one does the work. */
function chain(length: number, parameters: string, last: string): string {
  const given = parameters.replaceAll(/ =[^,]*/gu, '');
  return Array.from({ length }, (_, index) => {
    const body = index === length - 1 ? last : `return step${index + 1}(${given});`;
    return `async function step${index}(${parameters}) { ${body} }`;
  }).join('\n');
}

/** A function that holds a client across `await <call>`, with the mark that the call gets. */
function holding(name: string, call: string, id?: string): string {
  const mark = id === undefined ? '' : `${' '.repeat(6)}${'^'.repeat(call.length)} ${id}`;
  return `async function ${name}() {
  const c = await pool.connect();
  try {
    await ${call};
  //${mark.slice(id === 'held' ? 6 : 0).replace(/ held$/u, '^^^^^^ held')}
  } finally { c.release(); }
}`;
}

/** Each calls the other, and one of them does the work in the end. */
const inCircle = (work: string): string =>
  `async function ping(n, c) { if (n > 0) await pong(n - 1, c); }
async function pong(n, c) { if (n > 0) await ping(n - 1, c); else { ${work} } }`;

describe('slow work is seen over chains of calls of any length', () => {
  const work = "await fetch('https://example.test');";
  checkRule('no-external-await-while-holding', [
    {
      name: 'forty calls away',
      code: `${chain(40, '', work)}\n${holding('f', 'step0()', 'held')}`,
    },
    {
      name: 'behind functions that call each other, whichever is asked first',
      code: `${inCircle(work)}\n${holding('f', 'ping(1)', 'held')}\n${holding('g', 'pong(1)', 'held')}`,
    },
    {
      name: 'functions that only call each other',
      code: `${inCircle('')}\n${holding('f', 'ping(1)')}`,
    },
  ]);
});

describe('second checkouts are seen over chains of calls of any length', () => {
  const work = "await pool.query('SELECT 1');";
  const others = Array.from({ length: 20 }, (_, index) => `other${index}`);
  checkRule('no-nested-checkout', [
    {
      name: 'forty calls away',
      code: `${chain(40, '', work)}\n${holding('f', 'step0()', 'helper')}`,
    },
    {
      name: 'with a client that is handed on and serves instead',
      code: `${chain(12, 'client', "await (client ?? pool).query('SELECT 1');")}
${holding('f', 'step0()', 'helper')}\n${holding('g', 'step0(c)')}`,
    },
    {
      name: 'with the pool given to the first of them',
      code: `const other = new Pool();\n${chain(12, 'db', "await db.query('SELECT 1');")}
${holding('f', 'step0(pool)', 'helper')}\n${holding('g', 'step0(other)')}\n${holding('h', 'step0(c)')}`,
    },
    {
      name: 'behind functions that call each other, whichever is asked first',
      code: `${inCircle(work)}\n${holding('f', 'pong(1)', 'helper')}\n${holding('g', 'ping(1)', 'helper')}`,
    },
    {
      name: 'behind more than a dozen other pools',
      code: `${others.map((name) => `const ${name} = new Pool();`).join('\n')}
async function all() { ${others.map((name) => `await ${name}.query('SELECT 1');`).join(' ')} ${work} }
${holding('f', 'all()', 'helper')}`,
    },
  ]);
});

describe('statements are seen over chains of calls of any length', () => {
  const lock = "await client.query('SELECT pg_advisory_lock(1)');";
  checkRule('no-session-state', [
    {
      name: 'over a client that is handed on twelve times',
      code: `${chain(12, 'client', lock)}\n${holding('f', 'step0(c)', 'atRelease')}`,
    },
    {
      name: 'taken back as far away as they are sent',
      code: `${chain(12, 'client', "await client.query('SET ROLE app');")}
${chain(12, 'client', "await client.query('RESET ROLE');").replaceAll('step', 'back')}
async function f() {
  const c = await pool.connect();
  try { await step0(c); await back0(c); } catch (error) { c.release(error); throw error; }
  c.release();
}`,
    },
    {
      name: 'by functions that call each other, whichever is asked first',
      code: `${inCircle(lock.replace('client', 'c'))}
${holding('f', 'ping(1, c)', 'atRelease')}\n${holding('g', 'pong(1, c)', 'atRelease')}`,
    },
    {
      name: 'with a text that is handed on twelve times',
      code: `${chain(12, 'client, text', 'await client.query(text);')}
${holding('f', "step0(c, 'SELECT pg_advisory_lock(1)')", 'atRelease')}\n${holding('g', "step0(c, 'SELECT 1')")}`,
    },
    {
      name: 'with a text that grows without end',
      code: `async function grow(client, text) { await client.query(text); await grow(client, text + 'x'); await grow(client, text + 'y'); }
${holding('f', "grow(c, 'SELECT pg_advisory_lock(1) --')")}`,
    },
    {
      name: 'doubled by each helper on the way',
      code: `${chain(30, 'client', lock).replaceAll(/return (step\d+\(client\));/gu, 'await $1; await $1;')}
${holding('f', 'step0(c)')}`,
    },
  ]);
  checkRule('no-transaction-on-pool', [
    {
      name: 'over a pool, twelve calls away',
      code: `${chain(12, 'text', 'return pool.query(text);')}
async function f() { await step0('BEGIN'); }
//                         ^^^^^^^^^^^^^^ begins`,
    },
    {
      name: 'over a pool, by a function that tries again and one that writes the text to a log',
      code: `const note = (text) => console.log(text);
async function run(text) { note(text); try { return await pool.query(text); } catch { return await run(text); } }
async function f() { await run('BEGIN'); }
//                         ^^^^^^^^^^^^ begins`,
    },
    {
      name: 'twice, by a helper of a helper',
      code: `const run = (text) => pool.query(text);
async function twice(text) { await run(text); await run(text); }
async function f() { await twice('BEGIN'); }`,
    },
  ]);
});

describe('queries of a client are seen over chains of calls of any length', () => {
  const work = "await client.query('SELECT 1');";
  checkRule('no-use-after-release', [
    {
      name: 'of one that is released, twelve calls away',
      code: `${chain(12, 'client', work)}
async function f() {
  const c = await pool.connect();
  c.release();
  await step0(c);
  //    ^^^^^^^^ handedOn
}`,
    },
    {
      name: 'of one that is released, by functions that call each other',
      code: `${inCircle("await c.query('SELECT 1');")}
async function f() {
  const c = await pool.connect();
  c.release();
  await ping(1, c);
  //    ^^^^^^^^^^ handedOn
}`,
    },
  ]);
  checkRule('no-concurrent-client-query', [
    {
      name: 'at once, twelve calls away',
      code: `${chain(12, 'client', work).replaceAll('return step', 'await step')}
async function f() {
  const c = await pool.connect();
  try { await Promise.all([step0(c), step0(c)]); } finally { c.release(); }
  //          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ together
}`,
    },
    {
      name: 'by functions that only call each other',
      code: `async function ping(n, c) { await pong(n, c); }
async function pong(n, c) { await ping(n, c); }
async function f() {
  const c = await pool.connect();
  try { await Promise.all([ping(1, c), pong(1, c)]); } finally { c.release(); }
}`,
    },
  ]);
});

describe('what a pool is made of is followed over any number of variables', () => {
  checkRule('no-pool-per-request', [
    {
      name: 'of which each is made of the one before it',
      code: `import express from 'express';
const app = express();
app.get('/', async (request, response) => {
  const name0 = process.env.DATABASE_URL;
  ${Array.from({ length: 12 }, (_, index) => `const name${index + 1} = name${index};`).join(' ')}
  const made = new Pool({ connectionString: name12 });
  //           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pool
  response.json((await made.query('SELECT 1')).rows);
});`,
    },
  ]);
});
