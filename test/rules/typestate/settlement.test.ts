import { describe } from 'vitest';
import { checkRule, leaking } from '../../support/marked.ts';

describe('follows the function of a new promise', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'executor own',
      code: "const f = () => new Promise((resolve, reject) => { pool.connect((err, client, done) => { if (err) return reject(err); client.query('x', (e, r) => { done(); if (e) return reject(e); resolve(r); }); }); });",
    },
    {
      name: 'executor own leaks',
      code: leaking(
        'notReleasedOnSomePath',
        "const f = () => new Promise((resolve, reject) => { pool.connect((err, client, done) => { if (err) return reject(err); client.query('x', (e, r) => { if (e) return reject(e); done(); resolve(r); }); }); });",
      ),
    },
    {
      name: 'executor with outer client',
      code: leaking(
        'notReleasedOnSomePath',
        "async function f() { const client = await pool.connect(); return new Promise((resolve, reject) => { client.query('x', (e, r) => { if (e) return reject(e); client.release(); resolve(r); }); }); }",
      ),
    },
    {
      name: 'executor with outer client ok',
      code: "async function f() { const client = await pool.connect(); return new Promise((resolve, reject) => { client.query('x', (e, r) => { client.release(); if (e) return reject(e); resolve(r); }); }); }",
    },
    {
      name: 'executor rejects, catch releases',
      code: "async function f() { const client = await pool.connect(); try { await new Promise((resolve, reject) => { client.query('x', (e, r) => { if (e) return reject(e); client.release(); resolve(r); }); }); } catch (e) { client.release(); throw e; } }",
    },
    {
      name: 'executor within try',
      code: "async function f() { const client = await pool.connect(); try { await new Promise((resolve, reject) => { const s = client.query(new QueryStream('x')); s.on('end', resolve); s.on('error', reject); }); } finally { client.release(); } }",
    },
    {
      name: 'executor stream releases',
      code: "async function f() { const client = await pool.connect(); await new Promise((resolve, reject) => { const s = client.query(new QueryStream('x')); s.on('end', () => { client.release(); resolve(); }); s.on('error', (e) => { client.release(); reject(e); }); }); }",
    },
    {
      name: 'executor gives client',
      code: "async function f() { const client = await new Promise((resolve, reject) => pool.connect((e, c) => e ? reject(e) : resolve(c))); try { await client.query('x'); } finally { client.release(); } }",
    },
    {
      name: 'executor gives client leaks',
      code: leaking(
        'notReleasedOnThrow',
        "async function f() { const client = await new Promise((resolve, reject) => pool.connect((e, c) => e ? reject(e) : resolve(c))); await client.query('x'); client.release(); }",
      ),
    },
    {
      name: 'async executor',
      code: "const f = () => new Promise(async (resolve, reject) => { const client = await pool.connect(); try { resolve(await client.query('x')); } catch (e) { reject(e); } finally { client.release(); } });",
    },
    {
      name: 'async executor leaks',
      code: leaking(
        'notReleasedOnSomePath',
        "const f = () => new Promise(async (resolve, reject) => { const client = await pool.connect(); try { const r = await client.query('x'); client.release(); resolve(r); } catch (e) { reject(e); } });",
      ),
    },
  ]);
});

describe('a promise that gave its client once gives it again', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'awaited in the try and in the finally',
      code: 'async function f(method) { const client = pool.connect(); try { return await method(await client); } finally { (await client).release(); } }',
    },
    {
      name: 'under a name first',
      code: "async function f() { const pending = pool.connect(); const client = await pending; try { return await client.query('x'); } finally { (await pending).release(); } }",
    },
    {
      name: 'in a variable that changes no more',
      code: "async function f() { let pending = pool.connect(); try { const client = await pending; await client.query('x'); } catch (e) { log(e); } finally { await (await pending).release(); } }",
    },
    {
      name: 'the release is left out',
      code: leaking(
        'notReleasedOnSomePath',
        "async function f(ok) { const client = pool.connect(); try { return await (await client).query('x'); } finally { if (ok) (await client).release(); } }",
      ),
    },
    {
      name: 'something else fails before the release',
      code: leaking(
        'notReleasedOnThrow',
        "async function f() { const client = pool.connect(); try { return await (await client).query('x'); } finally { await audit(); (await client).release(); } }",
      ),
    },
  ]);
});
