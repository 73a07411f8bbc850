import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';

describe('a proxy of a client is the client', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'under a name of its own',
      code: `
async function f() {
  const client = new Proxy(await pool.connect(), { get: (target, name) => target[name] });
  //                             ^^^^^^^^^^^^^^ notReleasedOnThrow
  await client.query('x');
  client.release();
}`,
    },
    {
      name: 'given by a getter',
      code: `
async function take() {
  const client = await pool.connect();
  return new Proxy(client, { get: (target, name) => target[name] });
}
async function f() {
  const client = await take();
  //                   ^^^^^^ notReleasedOnThrow
  await client.query('x');
  client.release();
}`,
    },
    {
      name: 'released under either name',
      code: `
async function f() {
  const client = await pool.connect();
  try {
    const proxy = new Proxy(client, { get: (target, name) => target[name] });
    await proxy.query('x');
  } finally { client.release(); }
}
async function g() {
  const proxy = new Proxy(await pool.connect(), { get: (target, name) => target[name] });
  try { await proxy.query('x'); } finally { proxy.release(); }
}`,
    },
    {
      name: 'but not where its handler has its own way with the release',
      code: `
async function f(count) {
  const client = await pool.connect();
  const proxy = new Proxy(client, {
    get(target, name) { return name === 'close' ? () => target.release() : target[name]; },
  });
  await proxy.query('x');
  proxy.close();
}
async function g(count) {
  const client = await pool.connect();
  const proxy = new Proxy(client, {
    get(target, name) { return name === 'end' ? () => count() : target[name]; },
  });
  try { await proxy.query('x'); } finally { proxy.end(); }
}`,
    },
    {
      name: 'nor where the handler is not seen',
      code: `
import { handler } from 'elsewhere';
async function f() {
  const client = await pool.connect();
  const proxy = new Proxy(client, handler);
  await proxy.query('x');
  proxy.close();
}`,
    },
  ]);
  checkRule('no-open-transaction-release', [
    {
      name: 'in which a transaction is begun and never ended',
      code: `
class Database {
  constructor(private readonly pool: Pool) {}
  async client() {
    const client = await this.pool.connect();
    return new Proxy(client, {
      get: (target, name) => (name === 'query' ? (...all) => target.query(...all) : target[name]),
    });
  }
}
class Users {
  constructor(private readonly database: Database) {}
  async rename(id: number) {
    const client = await this.database.client();
    try {
      await client.query('BEGIN');
      await client.query('UPDATE users SET a = 1 WHERE id = $1', [id]);
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
  //  ^^^^^^^^^^^^^^^^ open
    }
  }
}`,
    },
  ]);
});
