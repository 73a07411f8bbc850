import { describe } from 'vitest';
import { checkRule, type Sample } from '../support/marked.ts';

/** Each sample as it is written, and with names that say nothing in place of those in pointed brackets: `‹client›`. */
function whateverNames(rule: string, samples: readonly Sample[]): void {
  checkRule(
    rule,
    samples.flatMap((sample) => [
      { ...sample, name: `${sample.name}, as usual`, code: renamed(sample.code, (name) => name) },
      { ...sample, name: `${sample.name}, otherwise`, code: renamed(sample.code, sayingNothing) },
    ]),
  );
}

/** As long as the name in whose place it stands, because of the marks. */
function sayingNothing(name: string, index: number): string {
  return `${String.fromCodePoint('a'.charCodeAt(0) + index)}${'v'.repeat(name.length - 1)}`;
}

function renamed(code: string, nameOf: (name: string, index: number) => string): string {
  const names = [...new Set([...code.matchAll(/‹([^›]+)›/gu)].flatMap(([, name]) => name ?? []))];
  return code.replaceAll(/‹([^›]+)›/gu, (_, name: string) => nameOf(name, names.indexOf(name)));
}

describe('whatever variables are called', () => {
  whateverNames('no-nested-checkout', [
    {
      name: 'a client that serves in place of the pool',
      code: `
async function audit(text, ‹client›) { const ‹db› = ‹client› ?? pool; await ‹db›.query('INSERT', [text]); }
async function note(text, ‹options›) { await (‹options›?.client ? ‹options›.client : pool).query('INSERT', [text]); }
async function save({ client: ‹client› = pool, row }) { await ‹client›.query('INSERT', [row]); }
async function keep(text, ‹client›) { if (‹client›) return ‹client›.query('INSERT', [text]); return pool.query('INSERT', [text]); }
async function f() {
  const c = await pool.connect();
  try { await audit('x', c); await note('x', { client: c }); await save({ client: c, row: 1 }); await keep('x', c); } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  try {
    await audit('x');
    //    ^^^^^^^^^^ helper
    await note('x', { id: 1 });
    //    ^^^^^^^^^^^^^^^^^^^^ helper
    await save({ row: 1 });
    //    ^^^^^^^^^^^^^^^^ helper
    await keep('x');
    //    ^^^^^^^^^ helper
    await c.query('x');
  } finally { c.release(); }
}
`,
    },
    {
      name: 'a client that serves in place of what wraps the pool',
      code: `
const ‹db› = { query: (text, values) => pool.query(text, values), connect: () => pool.connect() };
async function assertOwner(id, ‹client›) { const ‹runner› = ‹client› || ‹db›; await ‹runner›.query('x', [id]); }
async function assess(id, ‹client3› = ‹db›) { await ‹client3›.query('x', [id]); }
async function log({ id, client: ‹client4› = null }) {
  if (‹client4›) { try { return await ‹client4›.query('x', [id]); } catch (error) { throw error; } }
  return ‹db›.query('x', [id]);
}
async function grant(id, ‹runner2›) { await (‹runner2› || ‹db›).query('x', [id]); }
async function run(‹executor›, text) { return ‹executor›.query(text); }
async function list(text, ‹client2›) { return run(‹client2› || getPool(), text); }
function getPool() { return pool; }
async function f() {
  const c = await pool.connect();
  try { await assertOwner(1, c); await grant(1, c); await assess(1, c); await log({ client: c, id: 1 }); await list('x', c); } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  try {
    await assertOwner(1);
    //    ^^^^^^^^^^^^^^ helper
    await grant(1);
    //    ^^^^^^^^ helper
    await assess(1);
    //    ^^^^^^^^^ helper
    await list('x');
    //    ^^^^^^^^^ helper
    await c.query('x');
  } finally { c.release(); }
}
`,
    },
    {
      name: 'what is given beside the pool does not serve in its place',
      code: `
async function audit(‹query›) { const ‹text› = ‹query› ?? 'x'; await pool.query(‹text›); }
async function f() {
  const c = await pool.connect();
  try {
    await audit('y');
    //    ^^^^^^^^^^ helper
    await c.query('x');
  } finally { c.release(); }
}
`,
    },
    {
      name: 'a member that a helper takes for something else does not serve in its place',
      code: `
async function audit({ event, row = null, client: ‹client› = null }) {
  if (!event) return null;
  const ‹runner› = ‹client› || pool;
  return ‹runner›.query('INSERT', [event, row]);
}
async function f() {
  const c = await pool.connect();
  try {
    await c.query('COMMIT');
    await audit({ event: 'changed', client: c });
  } finally { c.release(); }
}
async function g() {
  const c = await pool.connect();
  try {
    await c.query('COMMIT');
    await audit({ event: 'changed', row: 1 });
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ helper
  } finally { c.release(); }
}
`,
    },
  ]);

  whateverNames('no-transaction-on-pool', [
    {
      name: 'what may be given in place of the pool',
      code: `
export async function f(‹pool2› = pool) { await ‹pool2›.query('BEGIN'); }
export async function g(‹options›) { const ‹db› = ‹options›.pool ?? pool; await ‹db›.query('BEGIN'); }
export class Store { constructor(‹options›) { this.‹db› = ‹options›.given || pool; } async f() { await this.‹db›.query('BEGIN'); } }
function ‹getPool›() { const ‹it› = current.get(); if (‹it›) return ‹it›; return pool; }
export async function h() { await ‹getPool›().query('BEGIN'); }
export async function i(‹given›) { let ‹db› = pool; if (‹given›) ‹db› = ‹given›; await ‹db›.query('BEGIN'); }
`,
    },
    {
      name: 'a pool that is made for want of one',
      header: "import { Pool } from 'pg';\n",
      code: `
const ‹pool› = globalThis.‹saved› ?? new Pool();
let ‹lazy›;
function ‹connectionClient›() { if (!‹lazy›) ‹lazy› = new Pool(); return ‹lazy›; }
export async function f() { await ‹pool›.query('BEGIN'); }
//                                ^^^^^^^^^^^^^^^^^^^ begins
export async function g() { await ‹connectionClient›().query('BEGIN'); }
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ begins
`,
    },
    {
      name: 'a pool whose queries are sent by others',
      code: `
‹instrument›(pool);
function ‹instrument›(‹pool2›) { ‹pool2›.query = (...given) => ‹send›(given); }
export async function f() { await pool.query('BEGIN'); }
`,
    },
  ]);

  whateverNames('no-unreleased-client', [
    {
      name: 'a release that helpers get and call',
      code: `
function run(c, sql, resolve, reject, ‹done›) {
  c.query(sql, (error, data) => { if (‹done›) ‹done›(c); if (error) reject(error); else resolve(data); });
}
function f(sql) {
  return new Promise((resolve, reject) => {
    pool.connect((error, c, ‹release›) => { if (error) reject(error); else run(c, sql, resolve, reject, ‹release›); });
  });
}
function g(queries, callback) {
  pool.connect((error, c, ‹done2›) => {
    if (error) return callback(error);
    const ‹next› = (index) => {
      if (index < queries.length)
        c.query(queries[index], (error) => { if (error) { ‹done2›(); return callback(error); } ‹next›(++index); });
      else { ‹done2›(); callback(); }
    };
    ‹next›(0);
  });
}
`,
    },
    {
      name: 'a pool of which only its callback tells',
      header: '',
      code: `
export function f(anything, ‹pool›) {
  ‹pool›.connect((error, c, ‹done›) => {
//^… notReleasedOnSomePath
    if (error) return;
    c.query('x', (error) => { if (!error) ‹done›(); });
  });
}
`,
    },
  ]);

  whateverNames('no-pool-per-request', [
    {
      name: 'the parameters of a handler',
      filename: 'sample.ts',
      code: `
import { Pool } from 'pg';
export const handler = async (‹event›) => {
  const made = new Pool();
  //           ^^^^^^^^^^ pool
  return (await made.query('SELECT 1')).rows;
};
export async function list(‹req›, ‹res›) {
  const made = new Pool();
  //           ^^^^^^^^^^ pool
  ‹res›.json((await made.query('SELECT 1')).rows);
}
export async function read(‹request›, ‹response›) { const made = new Pool(); await made.query(await ‹response›.json()); }
`,
    },
    {
      name: 'a command',
      filename: 'sample.ts',
      code: `
import { Pool } from 'pg';
export const command = 'migrate';
export const handler = async (‹event›) => { const ‹pool› = new Pool(); await ‹pool›.query(‹event›.sql); };
`,
    },
  ]);

  whateverNames('no-nested-checkout', [
    {
      name: 'a function that cannot be read and gives a pool',
      code: `
declare function ‹getPool›(): Pool;
async function f() {
  const c = await ‹getPool›().connect();
  try { await c.query('x'); await ‹getPool›().query('y'); } finally { c.release(); }
}
`,
    },
  ]);

  whateverNames('no-nested-checkout', [
    {
      name: 'a helper whose helper has a client of its own',
      code: `
async function ‹releases›() { const c = await pool.connect(); try { return await c.query('x'); } finally { c.release(); } }
async function outer(id) { if (id) await ‹releases›(); return id; }
async function f() {
  const c = await pool.connect();
  try {
    await c.query('x');
    await outer(1);
    //    ^^^^^^^^ helper
  } finally { c.release(); }
}
`,
    },
  ]);

  whateverNames('no-concurrent-client-query', [
    {
      name: 'a stream, and a text that a function gives',
      code: `
import { from as ‹copyFrom› } from 'pg-copy-streams';
function ‹copyText›() { return 'SELECT 1'; }
export async function f(source) {
  const c = await pool.connect();
  try {
    const stream = c.query(‹copyFrom›('COPY t FROM STDIN'));
    const sent = c.query('x');
    source.pipe(stream);
    await sent;
  } finally { c.release(); }
}
export async function g() {
  const c = await pool.connect();
  try {
    const first = c.query(‹copyText›());
    const sent = c.query('x');
    //           ^^^^^^^^^^^^ overlapping
    await first;
    await sent;
  } finally { c.release(); }
}
`,
    },
    {
      name: 'values and callbacks that others give',
      code: `
export async function f(‹callback›) {
  const c = await pool.connect();
  try {
    c.query('x', ‹callback›);
    await c.query('y');
  } finally { c.release(); }
}
export async function g(‹doneValues›: string[]) {
  const c = await pool.connect();
  try {
    const first = c.query('x', ‹doneValues›);
    const sent = c.query('y');
    //           ^^^^^^^^^^^^ overlapping
    await first;
    await sent;
  } finally { c.release(); }
}
export async function h(‹given›) {
  const c = await pool.connect();
  try {
    const first = c.query('x', ‹given›.‹handler›);
    const sent = c.query('y');
    //           ^^^^^^^^^^^^ overlapping
    await first;
    await sent;
  } finally { c.release(); }
}
`,
    },
  ]);

  whateverNames('no-transaction-on-pool', [
    {
      name: 'a helper that tells somebody else of its text',
      code: `
async function run(text, ‹logger›, ‹send›) { ‹logger›.‹debug›(text); return pool.query(text); }
async function other(text, ‹logger2›, isOwn) { if (isOwn) ‹logger2›.‹info›(text); else await pool.query(text); }
export async function f(logger) { await run('BEGIN', logger); }
//                                      ^^^^^^^^^^^^^^^^^^^^ begins
export async function g(logger) { await other('BEGIN', logger, true); }
`,
    },
  ]);

  whateverNames('no-listener-leak', [
    {
      name: 'who may take listeners off',
      code: `
export async function f(onError: () => void, ‹detach›: (client: PoolClient) => void) {
  const client = await pool.connect();
  client.on('error', onError);
  try { await client.query('x'); } finally { ‹detach›(client); client.release(); }
}
export async function g(onError: () => void, ‹cleanWork›: (client: PoolClient) => Promise<void>) {
  const client = await pool.connect();
  client.on('error', onError);
//^^^^^^^^^^^^^^^^^^^^^^^^^^^ left
  try { await ‹cleanWork›(client); } finally { client.release(); }
}
export async function h(onError: () => void) {
  const client = await pool.connect();
  const ‹tidy› = () => { log('off'); };
  client.on('error', onError);
//^^^^^^^^^^^^^^^^^^^^^^^^^^^ left
  try { await client.query('x'); } finally { ‹tidy›(); client.release(); }
}
`,
    },
  ]);

  whateverNames('no-end-pooled-client', [
    {
      name: 'a client that is closed under a condition',
      code: `
export async function f(‹failed›) {
  const client = await pool.connect();
  try { await client.query('x'); } finally { if (‹failed›) await client.end(); client.release(); }
}
`,
    },
  ]);
});
