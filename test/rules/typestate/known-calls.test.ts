import { describe } from 'vitest';
import { checkRule, leaking } from '../../support/marked.ts';

describe('knows what a helper answers', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'helper says it is gone',
      code: "class A { stopped; abandon(client) { if (!this.stopped) return false; client.release(); return true; } async f() { const client = await pool.connect(); if (this.abandon(client)) return; try { await client.query('x'); } finally { client.release(); } } }",
    },
    {
      name: 'async helper says it is gone',
      code: `async function abandon(client, stopped) { if (!stopped) return false; await client.query('x').catch(() => {}); client.release(); return true; }
async function f(stopped) { const client = await pool.connect(); if (await abandon(client, stopped).catch(() => { client.release(); return true; })) return; client.release(); }`,
    },
    {
      name: 'helper says it is gone, wrong way',
      code: leaking(
        'notReleasedOnSomePath',
        `function abandon(client, stopped) { if (!stopped) return false; client.release(); return true; }
async function f(stopped) { const client = await pool.connect(); if (!abandon(client, stopped)) return; }`,
      ),
    },
  ]);
});
