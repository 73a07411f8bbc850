import { describe } from 'vitest';
import { checkRule, leaking } from '../../support/marked.ts';

describe('follows chains', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'then only',
      code: leaking(
        'notReleasedOnThrow',
        "function f() { return pool.connect().then((client) => { return client.query('x').then((r) => { client.release(); return r; }); }); }",
      ),
    },
    {
      name: 'then + swallow',
      code: leaking(
        'notReleasedOnSomePath',
        "function f() { return pool.connect().then((client) => { return client.query('x').then((r) => { client.release(); return r; }).catch((e) => { console.error(e); }); }); }",
      ),
    },
    {
      name: 'then ok/fail',
      code: "function f() { return pool.connect().then((client) => client.query('x').then((r) => { client.release(); return r; }, (e) => { client.release(); throw e; })); }",
    },
    {
      name: 'then catch rethrow',
      code: "function f() { return pool.connect().then((client) => client.query('x').then((r) => { client.release(); return r; }).catch((e) => { client.release(); throw e; })); }",
    },
    {
      name: 'finally release',
      code: "function f() { return pool.connect().then((client) => client.query('x').finally(() => client.release())); }",
    },
    {
      name: 'finally release ref',
      code: "function f() { return pool.connect().then((client) => client.query('x').finally(client.release)); }",
    },
    {
      name: 'outer finally',
      code: "function f() { let client; return pool.connect().then((c) => { client = c; return client.query('x'); }).finally(() => { if (client) client.release(); }); }",
    },
    {
      name: 'outer finally optional',
      code: "function f() { let client; return pool.connect().then((c) => { client = c; return client.query('x'); }).then((r) => r.rows).finally(() => client?.release()); }",
    },
    {
      name: 'outer then',
      code: leaking(
        'notReleasedOnThrow',
        "function f() { let client; return pool.connect().then((c) => { client = c; return client.query('x'); }).then((r) => { client.release(); return r; }); }",
      ),
    },
    {
      name: 'outer then + catch',
      code: "function f() { let client; return pool.connect().then((c) => { client = c; return client.query('x'); }).then((r) => { client.release(); return r; }).catch((e) => { if (client) client.release(); throw e; }); }",
    },
    {
      name: 'catch before then',
      code: leaking(
        'notReleasedOnThrow',
        "function f() { return pool.connect().catch((e) => { throw e; }).then((client) => client.query('x').then(() => client.release())); }",
      ),
    },
    {
      name: 'void chain',
      code: "function f() { pool.connect().then(async (client) => { try { await client.query('x'); } finally { client.release(); } }).catch(console.error); }",
    },
    {
      name: 'async then handler',
      code: leaking(
        'notReleasedOnThrow',
        "function f() { pool.connect().then(async (client) => { await client.query('x'); client.release(); }); }",
      ),
    },
    {
      name: 'async then handler caught',
      code: leaking(
        'notReleasedOnSomePath',
        "function f() { pool.connect().then(async (client) => { await client.query('x'); client.release(); }).catch(console.error); }",
      ),
    },
    {
      name: 'await chain mixed',
      code: "async function f() { const client = await pool.connect(); return await client.query('x').then((r) => r.rows).finally(() => client.release()); }",
    },
    {
      name: 'await chain mixed leaks',
      code: leaking(
        'notReleasedOnThrow',
        "async function f() { const client = await pool.connect(); const r = await client.query('x').then((r) => r.rows); client.release(); return r; }",
      ),
    },
    {
      name: 'Promise.all then',
      code: "async function f() { const client = await pool.connect(); return Promise.all([client.query('x'), client.query('y')]).finally(() => client.release()); }",
    },
  ]);
});
