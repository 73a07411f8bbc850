import { describe } from 'vitest';
import { checkRule, leaking } from '../../support/marked.ts';

describe('follows functions that are called in place', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'async iife releases',
      code: "async function f() { const client = await pool.connect(); (async () => { try { await client.query('x'); } finally { client.release(); } })(); }",
    },
    {
      name: 'async iife leaks',
      code: leaking(
        'notReleasedOnThrow',
        "async function f() { const client = await pool.connect(); await (async () => { await client.query('x'); client.release(); })(); }",
      ),
    },
    {
      name: 'iife own',
      code: leaking(
        'notReleasedOnThrow',
        "(async () => { const client = await pool.connect(); await client.query('x'); client.release(); })();",
      ),
    },
    {
      name: 'iife own ok',
      code: "(async () => { const client = await pool.connect(); try { await client.query('x'); } finally { client.release(); } })().catch(console.error);",
    },
    {
      name: 'iife own catch',
      code: leaking(
        'notReleasedOnThrow',
        "(async function () { const client = await pool.connect(); await client.query('x'); client.release(); }).call(this).catch(console.error);",
      ),
    },
    {
      name: 'main swallowed',
      code: leaking(
        'notReleasedOnSomePath',
        "async function main() { const client = await pool.connect(); await (async () => { await client.query('x'); client.release(); })().catch(console.error); }",
      ),
    },
  ]);
});

describe('follows generators', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'generator stopped early',
      code: leaking(
        'notReleasedOnSomePath',
        "async function* f() { const client = await pool.connect(); let rows; try { rows = await client.query('x'); } catch (e) { client.release(); throw e; } yield rows; client.release(); }",
      ),
    },
    {
      name: 'generator finally',
      code: "async function* f() { const client = await pool.connect(); try { const cursor = client.query('x'); for await (const row of cursor) yield row; } finally { client.release(); } }",
    },
    {
      name: 'generator delegates finally',
      code: 'async function* f() { const client = await pool.connect(); try { yield* rowsOf(client); } finally { client.release(); } }',
    },
    {
      name: 'for await rejects',
      code: leaking(
        'notReleasedOnThrow',
        'async function f(xs) { const client = await pool.connect(); for await (const x of xs) { use(x); } client.release(); }',
      ),
    },
    {
      name: 'for await finally',
      code: 'async function f(xs) { const client = await pool.connect(); try { for await (const x of xs) { if (x) return x; } } finally { client.release(); } }',
    },
  ]);
});

describe('knows the language', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'one-line method',
      code: leaking(
        'notReleasedOnThrow',
        "class A { async f() { const client = await pool.connect(); await client.query('x'); client.release(); } }",
      ),
    },
    {
      name: 'top-level await',
      code: leaking(
        'notReleasedOnThrow',
        `const client = await pool.connect();
await client.query('x');
client.release();`,
      ),
    },
    {
      name: 'top-level await ok',
      code: `const client = await pool.connect();
try { await client.query('x'); } finally { client.release(); }`,
    },
    {
      name: 'class field',
      code: leaking(
        'keptForAll',
        "class A { client = pool.connect(); async f() { (await this.client).query('x'); } }",
      ),
    },
    {
      name: 'static block',
      code: "class A { static { pool.connect().then((c) => c.query('x').finally(() => c.release())); } }",
    },
    {
      name: 'static block leaks',
      code: leaking(
        'notReleasedOnThrow',
        "class A { static { pool.connect().then((c) => c.query('x').then(() => c.release())); } }",
      ),
    },
    {
      name: 'ts',
      code: "enum E { A, B } namespace N { export const x = 1; } declare const y: number; function f(a: string): void; function f(a: number): void; async function g() { const client = await pool.connect(); try { await client.query('x'); } finally { client!.release(); } }",
    },
    {
      name: 'always throws',
      code: `function fail(m) { throw new Error(m); }
async function f(x) { const client = await pool.connect(); if (!x) { client.release(); fail('x'); } try { await client.query('x'); } finally { client.release(); } }`,
    },
    {
      name: 'always throws leaks',
      code: leaking(
        'notReleasedOnThrow',
        `function fail(m: string): never { throw new Error(m); }
async function f(x) { const client = await pool.connect(); if (!x) fail('x'); try { await client.query('x'); } finally { client.release(); } }`,
      ),
    },
    {
      name: 'throw outside try',
      code: leaking(
        'notReleasedOnThrow',
        "async function f(x) { const client = await pool.connect(); if (!x) throw new Error('x'); try { await client.query('x'); } finally { client.release(); } }",
      ),
    },
    {
      name: 'continue loses',
      code: leaking(
        'notReleasedOnSomePath',
        'async function f(xs) { let client; for (const x of xs) { client = await pool.connect(); if (x) continue; client.release(); } }',
      ),
    },
    {
      name: 'switch default in middle',
      code: 'async function f(k) { const client = await pool.connect(); switch (k) { case 1: client.release(); return 1; default: client.release(); break; case 2: client.release(); } }',
    },
    {
      name: 'switch default in middle leaks',
      code: leaking(
        'notReleasedOnSomePath',
        'async function f(k) { const client = await pool.connect(); switch (k) { case 1: client.release(); return 1; default: break; case 2: client.release(); } }',
      ),
    },
    {
      name: 'switch true',
      code: 'async function f(k) { const client = await pool.connect(); try { switch (true) { case k > 1: return 1; default: return 2; } } finally { client.release(); } }',
    },
    {
      name: 'labels',
      code: 'async function f(xs) { a: for (const x of xs) { const client = await pool.connect(); b: { if (x) { client.release(); break b; } client.release(); continue a; } } }',
    },
    {
      name: 'nested try',
      code: "async function f() { const client = await pool.connect(); try { try { await client.query('x'); } catch (e) { await client.query('ROLLBACK'); throw e; } finally { await audit(); } } finally { client.release(); } }",
    },
    {
      name: 'finally try',
      code: "async function f() { const client = await pool.connect(); try { await client.query('x'); } finally { try { await client.query('y'); } finally { client.release(); } } }",
    },
    {
      name: 'finally catch',
      code: "async function f() { const client = await pool.connect(); try { await client.query('x'); } finally { await client.query('y').catch(() => {}); client.release(); } }",
    },
    {
      name: 'weak map',
      code: `const seen = new WeakMap();
async function get() { const client = await pool.connect(); seen.set(client, 1); return client; }`,
    },
    {
      name: 'await in finally',
      code: leaking(
        'notReleasedOnThrow',
        'async function f() { let client; let locked; try { client = await pool.connect(); locked = await lock(client); } finally { if (locked) { await unlock(client); locked = false; } if (client) client.release(); } }',
      ),
    },
    {
      name: 'tagged & jsx',
      code: 'async function f() { const client = await pool.connect(); try { const t = tag`a${client}`; return t; } finally { client.release(); } }',
    },
  ]);
});
