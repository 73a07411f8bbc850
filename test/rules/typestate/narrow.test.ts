import { describe } from 'vitest';
import { checkRule, leaking } from '../../support/marked.ts';

describe('correlates a condition with the release that it guards', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'owns const',
      code: "async function f(external) { const owns = !external; const client = external ?? await pool.connect(); try { await client.query('x'); } finally { if (owns) client.release(); } }",
    },
    {
      name: 'shouldRelease opts',
      code: "async function f(opts) { const shouldRelease = !opts.client; const client = opts.client ?? await pool.connect(); try { await client.query('x'); } finally { if (shouldRelease) client.release(); } }",
    },
    {
      name: 'shouldRelease opts ||',
      code: "async function f(opts) { const shouldRelease = !opts.client; const client = opts.client || await pool.connect(); try { await client.query('x'); } finally { if (shouldRelease) { client.release(); } } }",
    },
    {
      name: 'owns undefined',
      code: "async function f(tx) { const own = tx === undefined; const client = own ? await pool.connect() : tx; try { await client.query('x'); } finally { if (own) client.release(); } }",
    },
    {
      name: 'let reassigned',
      code: "async function f(c) { let client = c; const owns = !client; if (!client) client = await pool.connect(); try { await client.query('x'); } finally { if (owns) client.release(); } }",
    },
    {
      name: 'a flag that a conditional expression gives',
      code: "async function f(client) { const owns = client ? false : true; if (!client) client = await pool.connect(); try { await client.query('x'); } finally { if (owns) client.release(); } }",
    },
    {
      name: 'a flag that a conditional expression in another gives',
      code: "async function f(client, mode) { const owns = client ? false : client ? mode : !client; client = client ? client : await pool.connect(); try { await client.query('x'); } finally { if (owns) client.release(); } }",
    },
    {
      name: 'a word that a conditional expression gives',
      code: "async function f(client) { const release = client === undefined ? true : false; client ??= await pool.connect(); try { await client.query('x'); } finally { if (release === true) client.release(); } }",
    },
    {
      name: 'param reassigned',
      code: "async function f(client) { const owns = !client; if (owns) client = await pool.connect(); try { await client.query('x'); } finally { if (owns) client.release(); } }",
    },
    {
      name: 'param reassigned flag let',
      code: "async function f(client) { let owns = false; if (!client) { client = await pool.connect(); owns = true; } try { await client.query('x'); } finally { if (owns) client.release(); } }",
    },
    {
      name: 'early return not owning',
      code: "async function f(c) { const ownsClient = c === undefined; const client = c ?? (await pool.connect()); try { return await client.query('x'); } finally { release(); } function release() { if (!ownsClient) return; client.release(); } }",
    },
    {
      name: 'alias of member',
      code: "async function f(opts) { const given = opts.client; const client = given ?? await pool.connect(); try { await client.query('x'); } finally { if (!opts.client) client.release(); } }",
    },
    {
      name: 'alias by destructuring',
      code: "async function f(opts) { const { client: given } = opts; const client = given ?? await pool.connect(); try { await client.query('x'); } finally { if (!opts.client) client.release(); } }",
    },
    {
      name: 'default in destructuring',
      code: "async function f(opts) { const { client = await pool.connect() } = opts; try { await client.query('x'); } finally { if (!opts.client) client.release(); } }",
    },
    {
      name: 'default in destructuring leak',
      code: leaking(
        'notReleasedOnThrow',
        "async function f(opts) { const { client = await pool.connect() } = opts; await client.query('x'); if (!opts.client) client.release(); }",
      ),
    },
    {
      name: 'bang bang',
      code: "async function f(tx) { const client = tx ? tx : await pool.connect(); try { await client.query('x'); } finally { if (!!tx === false) client.release(); } }",
    },
    {
      name: 'Boolean()',
      code: "async function f(tx) { const hasTx = Boolean(tx); const client = hasTx ? tx : await pool.connect(); try { await client.query('x'); } finally { if (!hasTx) client.release(); } }",
    },
    {
      name: 'typeof',
      code: "async function f(tx) { const client = typeof tx === 'undefined' ? await pool.connect() : tx; try { await client.query('x'); } finally { if (typeof tx === 'undefined') client.release(); } }",
    },
    {
      name: 'client !== undefined &&',
      code: "async function f() { let client; try { client = await pool.connect(); await client.query('x'); } finally { if (client !== undefined && client !== null) client.release(); } }",
    },
    {
      name: 'client && release',
      code: "async function f() { let client; try { client = await pool.connect(); await client.query('x'); } finally { client && client.release(); } }",
    },
    {
      name: 'typeof client.release',
      code: "async function f() { let client = null; try { client = await pool.connect(); await client.query('x'); } finally { if (client && typeof client.release === 'function') client.release(); } }",
    },
    {
      name: 'same client as given',
      code: "async function f(given) { const client = given || await pool.connect(); try { await client.query('x'); } finally { if (client !== given) client.release(); } }",
    },
    {
      name: 'same client as given member',
      code: "async function f(o) { const client = o.client ?? await pool.connect(); try { await client.query('x'); } finally { if (client !== o.client) client.release(); } }",
    },
    {
      name: 'equals then return',
      code: "async function f(given) { const client = given || await pool.connect(); try { await client.query('x'); } finally { if (client === given) return; client.release(); } }",
    },
    {
      name: 'flag released',
      code: "async function f() { const client = await pool.connect(); let released = false; try { await client.query('x'); client.release(); released = true; await other(); } catch (e) { if (!released) { released = true; client.release(e); } throw e; } }",
    },
    {
      name: 'flag released closure',
      code: "async function f() { const client = await pool.connect(); let released = false; const giveBack = (e) => { if (released) return; released = true; client.release(e); }; try { await client.query('x'); giveBack(); } catch (e) { giveBack(e); throw e; } }",
    },
    {
      name: 'and-conditions',
      code: 'async function f(cond) { let client; if (cond && ready()) client = await pool.connect(); try { await go(); } finally { if (cond && client) client.release(); } }',
    },
    {
      name: 'and twice',
      code: 'async function f(a, b) { let client; const own = a && b; if (own) { client = await pool.connect(); } try { await go(); } finally { if (own) client.release(); } }',
    },
    {
      name: 'counter compare',
      code: "async function f(mode) { let client; if (mode === 'rw') client = await pool.connect(); try { await go(); } finally { if (mode === 'rw') client.release(); } }",
    },
    {
      name: 'switch mode',
      code: "async function f(mode) { let client; switch (mode) { case 'rw': client = await pool.connect(); break; default: } try { await go(); } finally { if (client) client.release(); } }",
    },
    {
      name: 'error kept',
      code: "async function f() { const client = await pool.connect(); let error; try { await client.query('x'); } catch (e) { error = e; } if (error) { client.release(error); throw error; } client.release(); }",
    },
    {
      name: 'wrong guard',
      code: leaking(
        'notReleasedOnSomePath',
        "async function f(a, b) { const client = await pool.connect(); try { await client.query('x'); } finally { if (a && !b) client.release(); } }",
      ),
    },
    {
      name: 'ternary release',
      code: "async function f(e) { const client = await pool.connect(); try { await client.query('x'); } finally { e ? client.release(e) : client.release(); } }",
    },
    {
      name: 'a flag of a conditional expression, the wrong way round',
      code: leaking(
        'neverReleased',
        "async function f(external) { const owns = external ? true : false; const client = external ?? await pool.connect(); try { await client.query('x'); } finally { if (owns) client.release(); } }",
      ),
    },
    {
      name: 'owns const leak',
      code: leaking(
        'notReleasedOnThrow',
        "async function f(external) { const owns = !external; const client = external ?? await pool.connect(); await client.query('x'); if (owns) client.release(); }",
      ),
    },
    {
      name: 'flag set in closure',
      code: leaking(
        'notReleasedOnSomePath',
        "async function f(signal) { let aborted = false; signal.onabort = () => { aborted = true; }; const client = await pool.connect(); try { if (aborted) return; await client.query('x'); client.release(); } catch (e) { client.release(); throw e; } }",
      ),
    },
    {
      name: 'logical assign',
      code: "async function f(client) { const owns = !client; client ??= await pool.connect(); try { await client.query('x'); } finally { if (owns) client.release(); } }",
    },
    {
      name: 'let owned ||=',
      code: "async function f(tx) { let client = tx; let mine = false; if (!client) { mine = true; client = await pool.connect(); } try { await client.query('x'); } finally { mine && client.release(); } }",
    },
    {
      name: 'isTransaction',
      code: "async function f(conn) { const isTransaction = conn != null; const client = isTransaction ? conn : await pool.connect(); try { return await client.query('x'); } catch (e) { throw e; } finally { if (!isTransaction) { client.release(); } } }",
    },
    {
      name: 'release fn var',
      code: "async function f(tx) { let client = tx, release; if (!client) { client = await pool.connect(); release = () => client.release(); } try { await client.query('x'); } finally { release?.(); } }",
    },
    {
      name: 'release fn var if',
      code: "async function f(tx) { let client = tx, release = null; if (!client) { client = await pool.connect(); release = client.release; } try { await client.query('x'); } finally { if (release) release(); } }",
    },
    {
      name: 'release bind',
      code: "async function f() { const client = await pool.connect(); const release = client.release.bind(client); try { await client.query('x'); } finally { release(); } }",
    },
    {
      name: 'release bind leak',
      code: leaking(
        'notReleasedOnThrow',
        "async function f() { const client = await pool.connect(); const release = client.release.bind(client); await client.query('x'); release(); }",
      ),
    },
    {
      name: 'release call',
      code: "async function f() { const client = await pool.connect(); const original = client.release; try { await client.query('x'); } finally { original.call(client); } }",
    },
    {
      name: 'retry loop',
      code: "async function f() { for (let i = 0; i < 3; i++) { let client; try { client = await pool.connect(); await client.query('x'); return; } catch (e) { if (i === 2) throw e; } finally { client?.release(); } } }",
    },
    {
      name: 'retry loop reset',
      code: "async function f() { let client = null; while (true) { try { if (!client) client = await pool.connect(); await client.query('x'); return; } catch (e) { if (client) { client.release(e); client = null; } } finally { if (client) { client.release(); client = null; } } } }",
    },
  ]);
});
