import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

const rule = 'no-external-await-while-holding';

const points = `
const stops = new Map();
export async function reached(name) {
  if (stops.has(name)) await new Promise((resolve) => setTimeout(resolve, stops.get(name)));
}
export function stopAt(name, ms) { stops.set(name, ms); }`;

const stopping = `
import { reached } from './points.js';
async function f() {
  const client = await pool.connect();
  try {
    await client.query('x');
    await reached('x');
  } finally { client.release(); }
}`;

describe('reports the slow call where it stands, and not all that is waited for with it', () => {
  checkRule(rule, [
    {
      name: 'in a chain',
      code: `
import axios from 'axios';
async function f() {
  const client = await pool.connect();
  try {
    await axios
    //    ^… held
      .get('https://example.test')
      .then(({ data }) => data)
      .catch(() => null);
    await client
      .query('x')
      .then(() => fetch('https://example.test'))
      //          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
      .then((response) => response.json());
  } finally { client.release(); }
}`,
      paths: [
        ['const client = await pool.connect();', 'await axios'],
        ['const client = await pool.connect();', ".then(() => fetch('https://example.test'))"],
      ],
    },
    {
      name: 'among others, in a round, in a promise by hand',
      code: `
async function f(urls) {
  const client = await pool.connect();
  try {
    await Promise.all([
      client.query('x'),
      fetch('https://example.test'),
    //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
    ]);
    await Promise.all(urls.map(async (url) => {
      await fetch(url);
      //    ^^^^^^^^^^ held
    }));
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    //^^^^^^^^^^^^^^^^^^^^^^^^^ held
    });
  } finally { client.release(); }
}`,
    },
    {
      name: 'of a helper, whose call is in a chain',
      code: `
const load = async () => (await fetch('https://example.test')).json();
async function f() {
  const client = await pool.connect();
  try {
    await client
      .query('x')
      .then(() => load())
      //          ^^^^^^ held
      .catch(() => null);
  } finally { client.release(); }
}`,
      cures: ['Move `load()` (line 4) before the checkout or after the release.'],
    },
    {
      name: 'in a chain inside of a transaction',
      header:
        "import { drizzle } from 'drizzle-orm/node-postgres';\nexport const db = drizzle(url);\n",
      code: `
const f = () => db.transaction(async (tx) => {
  await tx
    .insert(logs)
    .values(values)
    .then(() => fetch('https://example.test'))
    //          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
    .catch(() => null);
});`,
    },
    {
      name: 'which was started before the client is held: where that waits for it',
      code: `
async function f() {
  const sent = fetch('https://example.test');
  const client = await pool.connect();
  try {
    await sent;
  //^^^^^^^^^^ held
  } finally { client.release(); }
}`,
    },
  ]);
});

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
      name: 'the body of a request',
      code: `
import type { NextRequest } from 'next/server';
async function f(request: Request) {
  const c = await pool.connect();
  try { await c.query('x', [await request.json()]); } finally { c.release(); }
  //                        ^^^^^^^^^^^^^^^^^^^^ held
}
async function g(request: NextRequest) {
  const c = await pool.connect();
  try { await c.query('x', [(await request.formData()).get('id')]); } finally { c.release(); }
  //                         ^^^^^^^^^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'the body of a request whose type has another name',
      code: `
import type { NextRequest as Asked } from 'next/server';
async function f(request: Asked) {
  const c = await pool.connect();
  try { await c.query('x', [await request.json()]); } finally { c.release(); }
  //                        ^^^^^^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'the body of a request, in a route file',
      filename: 'app/users/route.js',
      code: `
import { Pool } from 'pg';
const pool = new Pool();
export async function POST(req) {
  const c = await pool.connect();
  try { const body = await req.text(); await c.query('x', [body]); } finally { c.release(); }
  //                 ^^^^^^^^^^^^^^^^ held
}
async function other(req) {
  const c = await pool.connect();
  try { const body = await req.text(); await c.query('x', [body]); } finally { c.release(); }
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
      files: {
        'pay.ts':
          "import Stripe from 'stripe';\nconst stripe = new Stripe('k');\nconst charge = (id) => stripe.charges.create({ id });\nexport async function pay(id) { await charge(id); }",
      },
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
  //                                     ^^^^^^^^^^ held
}`,
    },
  ]);
});

/** A function that holds a client across a statement; the statement is marked by the caller. */
const holding = (statement: string, mark: string): string =>
  `async function f(x) {\n  const c = await pool.connect();\n  try {\n    ${statement}\n  //${mark}\n  } finally { c.release(); }\n}`;
/** The mark under the slow part of a statement, which is all of it unless told otherwise. */
const held = (statement: string, slow = statement.slice(0, statement.indexOf(';'))): string =>
  holding(statement, `${' '.repeat(statement.indexOf(slow))}${'^'.repeat(slow.length)} held`);
const quiet = (statement: string): string => holding(statement, '');

describe('knows services however they are made', () => {
  checkRule(rule, [
    {
      name: 'a transport of nodemailer in a field',
      code: `import nodemailer from 'nodemailer';\nclass Mailer {\n  transporter = nodemailer.createTransport({});\n  async send(m) { await this.transporter.sendMail(m); }\n}\nconst mailer = new Mailer();\n${held('await mailer.send(x);')}`,
    },
    {
      name: 'AWS, second edition, and a signed address',
      code: `import AWS from 'aws-sdk';\nconst s3 = new AWS.S3();\n${held("await s3.getSignedUrlPromise('getObject', x);")}`,
    },
    {
      name: 'AWS, third edition',
      code: `import { S3Client, PutObjectCommand } from '@aws-sdk/client-s3';\nclass Store { s3 = new S3Client({}); put(k) { return this.s3.send(new PutObjectCommand({ Key: k })); } }\nconst store = new Store();\n${held('await store.put(x);')}`,
    },
    {
      name: 'the presigner',
      code: `import { getSignedUrl } from '@aws-sdk/s3-request-presigner';\n${held('await getSignedUrl(x, x);')}`,
    },
    {
      name: 'a factory that is required and called',
      filename: 'a.cjs',
      code: `const { Pool } = require('pg');\nconst pool = new Pool();\nconst stripe = require('stripe')('key');\n${held('await stripe.charges.create(x);')}`,
    },
    {
      name: 'redis',
      code: `import { createClient } from 'redis';\nconst redis = createClient();\n${held("await redis.get('k');")}`,
    },
    {
      name: 'an injected service',
      files: {
        'mailer.ts':
          "import { Resend } from 'resend';\nexport class Mailer { private readonly resend = new Resend('k'); async send(m: object) { await this.resend.emails.send(m); } }",
      },
      code: "import { Mailer } from './mailer';\nclass Orders {\n  constructor(private readonly mailer: Mailer) {}\n  async place() {\n    const c = await pool.connect();\n    try { await this.mailer.send({}); } finally { c.release(); }\n    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^ held\n  }\n}",
    },
    {
      name: 'what another file exports by name',
      filename: 'a.cjs',
      files: {
        'mail.cjs':
          "const mail = require('@sendgrid/mail');\nexports.send = async (m) => { await mail.send(m); };\nexports.both = async (m) => { await exports.send(m); };\nmodule.exports.all = async (m) => module.exports.both(m);",
      },
      code: `const { Pool } = require('pg');\nconst pool = new Pool();\nconst mail = require('./mail.cjs');\n${held('await mail.all(x);')}`,
    },
    {
      name: 'methods of an object',
      code: `const api = {\n  async get(u) { return fetch(u); },\n  async all(u) { return this.get(u); },\n};\n${held('await api.all(x);')}`,
    },
    {
      name: 'a module that is imported when needed',
      files: {
        'push.ts':
          "import webpush from 'web-push';\nexport const push = (s: object) => webpush.sendNotification(s);",
      },
      code: `async function send(x) { const { push } = await import('./push'); await push(x); }\n${held('await send(x);')}`,
    },
    {
      name: 'a child process behind a callback',
      code: `import { exec } from 'node:child_process';\nconst run = (cmd) => new Promise((resolve, reject) => { exec(cmd, (error, out) => (error ? reject(error) : resolve(out))); });\n${held('await run(x);')}`,
    },
  ]);
});

describe('follows waiting', () => {
  checkRule(rule, [
    {
      name: 'over any number of calls, in a circle',
      code: `const a = (n) => b(n);\nconst b = async (n) => { if (n > 9) await a(n - 1); await g(n); };\nconst g = async (n) => h(n);\nconst h = (n) => i(n);\nconst i = (n) => j(n);\nconst j = async (n) => { await fetch(n); };\n${held('await a(x);')}`,
    },
    {
      name: 'into retries',
      code: `import again from 'p-retry';\n${held('await again(() => fetch(x));', 'fetch(x)')}`,
    },
    {
      name: 'into a wrapper of the file',
      code: `const guarded = async (work) => { try { return await work(); } catch { return null; } };\n${held('await guarded(async () => { await fetch(x) });', 'fetch(x)')}`,
    },
    {
      name: 'into a deadline',
      code: `const within = (work, late) => Promise.race([work, late]);\n${held('await within(fetch(x), late);', 'fetch(x)')}`,
    },
    {
      name: 'of all of a list',
      code: `${held('await Promise.all(x.map(async (u) => fetch(u)));', 'fetch(u)')}`,
    },
    {
      name: 'for promises that were collected',
      code: `async function f(x) {\n  const c = await pool.connect();\n  try {\n    const tasks = [];\n    for (const u of x) tasks.push(fetch(u));\n    await Promise.allSettled(tasks);\n  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held\n  } finally { c.release(); }\n}`,
    },
    {
      name: 'for a promise that was kept',
      code: `async function f(x) {\n  const sent = fetch(x);\n  const c = await pool.connect();\n  try { await sent; } finally { c.release(); }\n  //    ^^^^^^^^^^ held\n}`,
    },
    { name: 'in a chain', code: `${held('await c.query(x).then(() => fetch(x));', 'fetch(x)')}` },
    {
      name: 'behind COMMIT',
      code: `async function f(x) {\n  const c = await pool.connect();\n  try {\n    await c.query('BEGIN');\n    await c.query('COMMIT');\n    await fetch(x);\n  //^^^^^^^^^^^^^^ held\n  } finally { c.release(); }\n}`,
    },
    {
      name: 'for pauses in every spelling',
      code: `const a = (ms) => new Promise((r) => setTimeout(r, ms));\nfunction b(ms) { return new Promise<void>(function (resolve) { setTimeout(() => { resolve(); }, ms); }); }\nasync function f() {\n  const c = await pool.connect();\n  try {\n    await a(99);\n  //^^^^^^^^^^^ held\n    await b(99);\n  //^^^^^^^^^^^ held\n    await new Promise((done) => globalThis.setTimeout(done, 99));\n    //                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held\n  } finally { c.release(); }\n}`,
    },
  ]);
});

describe('knows what does not wait', () => {
  checkRule(rule, [
    {
      name: 'mail that nobody waits for',
      code: `import mail from '@sendgrid/mail';\nconst send = (m) => { mail.send(m).catch(() => {}); };\n${quiet('mail.send(x).catch(() => {}); await send(x);')}`,
    },
    {
      name: 'a listener',
      code: `${quiet("await bus.subscribe('a', async () => { await fetch(x); });")}`,
    },
    {
      name: 'a function that keeps its argument',
      code: `const later = [];\nconst keep = async (work) => { later.push(work); };\n${quiet('await keep(() => fetch(x));')}`,
    },
    {
      name: 'members that answer at once',
      code: `import Stripe from 'stripe';\nimport axios from 'axios';\nimport * as Sentry from '@sentry/node';\nconst stripe = new Stripe('k');\n${quiet("await stripe.webhooks.constructEvent(x, x, x); await axios.isAxiosError(x); await Sentry.startSpan({}, () => c.query('x'));")}`,
    },
    {
      name: 'a promise that was awaited before',
      code: `async function f(x) {\n  const answer = await fetch(x);\n  const c = await pool.connect();\n  try { await answer; } finally { c.release(); }\n}`,
    },
    {
      name: 'the other arms of a race with a pause',
      code: `const sleep = (ms) => new Promise((r) => setTimeout(r, ms));\n${quiet("await Promise.race([c.query('x'), sleep(100), new Promise((r) => setTimeout(r, 5))]);")}`,
    },
    {
      name: 'the main function of a script',
      code: `async function main() {\n  const c = await pool.connect();\n  try { await fetch('x'); } finally { c.release(); }\n}\nmain();`,
    },
    {
      name: 'other databases behind the same interface',
      code: `import knex from 'knex';\nconst db = knex({});\n${quiet("await db('t').insert(x); await pool.query('x');")}`,
    },
  ]);
});

describe('a pause', () => {
  checkRule(rule, [
    {
      name: 'of a length that a helper is told',
      code: `
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function f() {
  const client = await pool.connect();
  try { await pause(50); } finally { client.release(); }
  //    ^^^^^^^^^^^^^^^ held
}`,
    },
    {
      name: 'of a length that nobody knows',
      code: `
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function f(ms) {
  const client = await pool.connect();
  try { await pause(ms); } finally { client.release(); }
  //    ^^^^^^^^^^^^^^^ held
}`,
    },
  ]);
});

describe('a function that something unknown is given', () => {
  const held = (mark: string): string => `
async function f() {
  const client = await pool.connect();
  try {
    await load();
${mark}
  } finally { client.release(); }
}`;
  checkRule(rule, [
    {
      name: 'runs where its value is used',
      code: `
import { trace } from './trace';
async function load() { return trace('load', async () => { const r = await fetch('x'); return r.json(); }); }${held('//  ^^^^^^^^^^^^ held')}`,
    },
    {
      name: 'runs where a variable that it sets is read behind it',
      code: `
import { trace } from './trace';
async function load() { let r; await trace('load', async () => { r = await fetch('x'); }); return r; }${held('//  ^^^^^^^^^^^^ held')}`,
    },
    {
      name: 'may run later where it gets something',
      code: `
import { work } from './work';
async function load() { return work('load', async (job) => { return fetch(job); }); }${held('')}`,
    },
  ]);
});

describe('is silent', () => {
  checkRule(rule, [
    {
      name: 'before the checkout',
      code: "async function f() { const r = await fetch('x'); const c = await pool.connect(); try { await c.query('x'); } finally { c.release(); } }",
    },
    {
      name: 'behind the release',
      code: "async function f() { const c = await pool.connect(); try { await c.query('x'); } finally { c.release(); } await fetch('x'); }",
    },
    {
      name: 'on work of the database',
      code: "async function f() { const c = await pool.connect(); try { await Promise.all([c.query('x'), c.query('y')]); } finally { c.release(); } }",
    },
    {
      name: 'on a deadline for a query',
      code: "async function f() { const c = await pool.connect(); try { await Promise.race([c.query('x'), new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 100))]); } finally { c.release(); } }",
    },
    {
      name: 'on a function that shares its name with a global',
      code: "const fetch = async (x) => x;\nasync function f() { const c = await pool.connect(); try { await fetch('x'); } finally { c.release(); } }",
    },
    {
      name: 'on functions of unknown origin',
      code: "import { send } from './missing';\nasync function f() { const c = await pool.connect(); try { await send('x'); } finally { c.release(); } }",
    },
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
    {
      name: 'pauses of a client that listens',
      code: `
async function listen(signal) {
  const client = await pool.connect();
  try {
    await client.query('LISTEN news');
    while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 1000));
  } finally { client.release(true); }
}`,
    },
    {
      name: 'a pause that only lets others run',
      code: `
import { setTimeout as sleep } from 'node:timers/promises';
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const twice = async (ms) => { await pause(ms); await pause(ms); };
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); await pause(1); await twice(10); await sleep(5); } finally { client.release(); }
}`,
    },
    {
      name: 'a pause that the environment asks for',
      code: `
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function at(name) { if (process.env.STOP_AT === name) await pause(1000); }
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); await at('after x'); } finally { client.release(); }
}`,
    },
    {
      name: 'a pause for those who registered',
      files: { 'points.js': points },
      code: stopping,
    },
    {
      name: 'what is given to a function that nothing is known of',
      code: `
import { later } from './later';
async function f() {
  const client = await pool.connect();
  try { await later(() => fetch('x')); await retry(() => fetch('x')); } finally { client.release(); }
}`,
    },
  ]);
});

describe('a branch that is taken only for what is given', () => {
  const program = (line: string, call: string, more = ''): string => `
import { AsyncLocalStorage } from 'node:async_hooks';
import { redis } from './redis';
const scope = new AsyncLocalStorage();
const publish = (id) => fetch('https://example.test/' + id);
async function load(id, options) {
  ${line}
}
${more}
async function save(id, options) {
  const client = await pool.connect();
  try {
    ${call}
  } finally { client.release(); }
}
export { save };`;
  const reported = (call: string): string => `${call}\n  //${'^'.repeat(call.length - 1)} held`;
  const unless = 'if (!options) await publish(id);';
  const only = 'if (id && options?.notify) await publish(id);';
  const silent = [
    ['what spares it', unless, 'await load(id, client);'],
    ['a text that spares it', unless, "await load(id, 'quiet');"],
    [
      'a member that spares it',
      'if (!options.tx) await publish(id);',
      'await load(id, { tx: 1 });',
    ],
    [
      'what spares it, behind an exit',
      'if (options) return; await publish(id);',
      'await load(id, 1);',
    ],
    [
      'what spares it, in a choice',
      'return options ? id : publish(id);',
      'await load(id, client);',
    ],
    ['nothing it is done for', only, 'await load(id);'],
    ['an object without it', only, 'await load(id, { quiet: true });'],
    ['what is off', only, 'await load(id, { notify: false });'],
    ['nothing, behind an exit', 'if (!options) return; await publish(id);', 'await load(id);'],
    [
      'a scope of the program that it is done outside of',
      'const store = scope.getStore(); if (!store) { await publish(id); return; } store.push(id);',
      'await load(id);',
    ],
    [
      'a scope, in a choice',
      'return scope.getStore() ? scope.getStore().push(id) : await publish(id);',
      'await load(id);',
    ],
  ] as const;
  checkRule(
    rule,
    silent.map(([name, line, call]) => ({ name: `silent for ${name}`, code: program(line, call) })),
  );

  const shown = [
    ['nothing that spares it', unless, 'await load(id);'],
    ['an empty text', unless, "await load(id, '');"],
    ['all that it is done for', only, 'await load(id, { notify: true });'],
    ['what a variable holds', only, 'await load(id, options);'],
    ['the other branch', 'if (options) return publish(id);', 'await load(id, client);'],
    ['what is there in any case', `${unless} await publish(id);`, 'await load(id, client);'],
    ['one of two that suffices', 'if (id || options) await publish(id);', 'await load(id);'],
    [
      'the scope itself',
      'const store = scope.getStore(); if (store) await publish(id);',
      'await load(id);',
    ],
  ] as const;
  checkRule(
    rule,
    shown.map(([name, line, call]) => ({
      name: `not for ${name}`,
      code: program(line, reported(call)),
    })),
  );

  const outer = 'async function outer(id, tx) { await load(id, tx); }';
  checkRule(rule, [
    {
      name: 'silent for what spares it, through another function',
      code: program(unless, 'await outer(id, client);', outer),
    },
    {
      name: 'not for nothing, through another function',
      code: program(unless, reported('await outer(id);'), outer),
    },
    {
      name: 'silent for a callback whose parameter spares it',
      header: '',
      code: `
import { Pool } from 'pg';
import { drizzle } from 'drizzle-orm/node-postgres';
import { work } from './work';
const db = drizzle(new Pool());
export const run = () => db.transaction(work);`,
      files: {
        'work.ts':
          "export async function work(tx) { if (!tx) await fetch('https://example.test'); }",
      },
    },
  ]);
});

describe('a client that nobody gives back is told once, as a leak', () => {
  checkRule(rule, [
    {
      name: 'lost because its LISTEN failed, behind which the program goes on',
      code: "async function f() {\n  try {\n    const c = await pool.connect();\n    await c.query('LISTEN a');\n    c.on('notification', tell);\n  } catch (error) { console.warn(error); }\n  await fetch('https://example.com');\n}",
    },
    {
      name: 'never released',
      code: "async function f() {\n  const c = await pool.connect();\n  await fetch('https://example.com');\n  await c.query('x');\n}",
    },
    {
      name: 'but not one that is given on',
      code: "async function f() {\n  const c = await pool.connect();\n  await fetch('https://example.com');\n//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held\n  return c;\n}",
    },
  ]);
});

describe('what a callback gives back is waited for by whoever lent it the connection', () => {
  const header =
    "import { Pool } from 'pg';\nimport { drizzle } from 'drizzle-orm/node-postgres';\nconst db = drizzle(new Pool());\n";
  checkRule(rule, [
    {
      name: 'by its `return`',
      header,
      code: `
export const run = () => db.transaction(async (tx) => {
  await tx.execute('x');
  return fetch('https://example.test');
  //     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction
});`,
    },
    {
      name: 'without one',
      header,
      code: `
export const run = () =>
  db.transaction(() => fetch('https://example.test'));
  //                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ inTransaction`,
    },
    {
      name: 'and what it makes of it later is not',
      header,
      code: `
export const run = () => db.transaction(async (tx) => {
  await tx.execute('x');
  return () => fetch('https://example.test');
});`,
    },
  ]);
});

describe('what a helper gives back says which way it went', () => {
  const code = (helper: string) => `async function lock(client, isKnown) { ${helper} }
async function f(isKnown) {
  const c = await pool.connect();
  try {
    if (!(await lock(c, isKnown))) return;
    await fetch('https://example.test');
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ held
  } finally { c.release(); }
}`;
  checkRule(rule, [
    {
      name: 'whichever is written first',
      code: code("await client.query('x'); if (isKnown) return false; return true;"),
    },
    {
      name: 'also where the other one is unknown',
      code: code("await client.query('x'); if (isKnown) return false; return known(client.x);"),
    },
    {
      name: 'and where it only ends',
      code: code("await client.query('x'); if (isKnown) return; return true;"),
    },
  ]);
});
