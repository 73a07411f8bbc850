import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';
import { checkSuggestions } from '../support/suggestions.ts';

const rule = 'no-end-pooled-client';

describe('reports end() on a client that a pool lent', () => {
  checkRule(rule, [
    {
      name: 'in place of the release',
      code: `
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { await client.end(); }
  //                                               ^^^^^^^^^^^^ neverReleased
}`,
    },
    {
      name: 'at the end of a function that fails without',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x');
  await client.end();
  //    ^^^^^^^^^^^^ neverReleased
}`,
    },
    {
      name: 'on one of the ways',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('x');
    client.release();
  } catch (error) {
    await client.end();
    //    ^^^^^^^^^^^^ neverReleased
    throw error;
  }
}`,
    },
    {
      name: 'in each round of a loop',
      code: `
async function f(ids: number[]) {
  for (const id of ids) {
    const client = await pool.connect();
    try { await client.query('x', [id]); } finally { await client.end(); }
    //                                                     ^^^^^^^^^^^^ neverReleased
  }
}`,
    },
    {
      name: 'in a callback',
      code: `
function f(callback: (error: Error | null, rows?: unknown[]) => void) {
  pool.connect((error, client, done) => {
    if (error) return callback(error);
    client.query('x', (failure, result) => {
      client.end();
    //^^^^^^^^^^^^ neverReleased
      callback(failure, result.rows);
    });
  });
}`,
    },
    {
      name: 'of a getter',
      code: `
async function getClient() { return await pool.connect(); }
async function f() {
  const client = await getClient();
  try { await client.query('x'); } finally { client.end(); }
  //                                         ^^^^^^^^^^^^ neverReleased
}`,
    },
    {
      name: 'before the release',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('x');
  } finally {
    await client.end();
    //    ^^^^^^^^^^^^ closed
    client.release();
  }
}`,
    },
  ]);
});

describe('leaves alone', () => {
  checkRule(rule, [
    {
      name: 'a client of its own',
      filename: 'own.ts',
      code: `
import { Client } from 'pg';
export async function f() {
  const client = new Client();
  await client.connect();
  try { await client.query('x'); } finally { await client.end(); }
}`,
    },
    {
      name: 'a client of unknown origin',
      code: `
export async function f(client: { query(text: string): Promise<void>; end(): Promise<void> }) {
  await client.query('x');
  await client.end();
}`,
    },
    {
      name: 'the pool, and a client that goes back before',
      code: `
export async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release(); }
  await pool.end();
}`,
    },
    {
      name: 'a broken connection that is closed and released',
      code: `
export async function f() {
  const client = await pool.connect();
  try {
    await client.query('x');
    client.release();
  } catch (error) {
    await client.end();
    client.release(true);
    throw error;
  }
}`,
    },
    {
      name: 'a stream that ends',
      code: `
export async function f(stream: NodeJS.WritableStream) {
  const client = await pool.connect();
  try { const { rows } = await client.query('x'); stream.end(String(rows)); } finally { client.release(); }
}`,
    },
    {
      name: 'the pool that pg kept for each configuration until version 7, which noticed',
      filename: 'old.js',
      code: `
import pg from 'pg';
export function f(url, callback) {
  pg.connect(url, (error, client, done) => {
    if (error) return callback(error);
    client.query('x', (error, result) => { client.end(); callback(error, result); });
  });
}`,
    },
    {
      name: 'a client that is kept elsewhere',
      code: `
class Listener {
  client: PoolClient | undefined;
  async start() { this.client = await pool.connect(); await this.client.query('LISTEN a'); }
  async stop() { await this.client?.end(); }
}`,
    },
  ]);
});

describe('suggests', () => {
  checkSuggestions(rule, [
    {
      name: 'release(true) where nothing else is missing',
      code: `
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { await client.end(); }
}`,
      outputs: [
        `
async function f() {
  const client = await pool.connect();
  try { await client.query('x'); } finally { client.release(true); }
}`,
      ],
    },
    {
      name: 'the same of a client that may be missing',
      code: `
async function f() {
  let client: PoolClient | undefined;
  try { client = await pool.connect(); await client.query('x'); } finally { await client?.end(); }
}`,
      outputs: [
        `
async function f() {
  let client: PoolClient | undefined;
  try { client = await pool.connect(); await client.query('x'); } finally { client?.release(true); }
}`,
      ],
    },
    {
      name: 'one call for both',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('x');
  } finally {
    await client.end();
    client.release();
  }
}`,
      outputs: [
        `
async function f() {
  const client = await pool.connect();
  try {
    await client.query('x');
  } finally {
    client.release(true);
  }
}`,
      ],
    },
    {
      name: 'nothing where failures would still lose the client',
      code: `
async function f() {
  const client = await pool.connect();
  await client.query('x');
  await client.end();
}`,
      outputs: [],
    },
  ]);
});
