import { describe } from 'vitest';
import { checkRule, withHeader } from '../../support/marked.ts';

const stored = `
import { AsyncLocalStorage } from 'node:async_hooks';
import { Pool, type PoolClient } from 'pg';
const pool = new Pool();
const held = new AsyncLocalStorage<PoolClient>();
async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await held.run(client, work);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
async function byChoice(text: string) { return await (held.getStore() ?? pool).query(text); }
async function byVariable(text: string) { const client = held.getStore() ?? pool; return await client.query(text); }
async function byReturn(text: string) { const client = held.getStore(); if (client) return client.query(text); return await pool.query(text); }
async function byBranch(text: string) { const client = held.getStore(); if (!client) { return await pool.query(text); } return await client.query(text); }
async function byPattern(text: string) { const { client = pool } = boxed.getStore() ?? {}; return await client.query(text); }
const boxed = new AsyncLocalStorage<{ client: PoolClient }>();
class Database {
  private readonly storage = new AsyncLocalStorage<PoolClient>();
  private get current() { return this.storage.getStore() ?? pool; }
  async find(text: string) { return await this.current.query(text); }
  async inTransaction<T>(work: () => Promise<T>) {
    const client = await pool.connect();
    try { return await this.storage.run(client, async () => await work()); } finally { client.release(); }
  }
}
const database = new Database();`;

describe('a client that AsyncLocalStorage keeps for the calls below', () => {
  checkRule(
    'no-nested-checkout',
    withHeader(stored, [
      {
        name: 'is held while they run, and the pool itself gives another',
        code: `
async function move() {
  await inTransaction(async () => {
    await pool.query('SELECT 1');
    //    ^^^^^^^^^^^^^^^^^^^^^^ query
  });
  await database.inTransaction(async () => {
    await pool.query('SELECT 1');
    //    ^^^^^^^^^^^^^^^^^^^^^^ query
  });
}`,
      },
      {
        name: 'serves what asks for it',
        code: `
async function move() {
  await inTransaction(async () => {
    await byChoice('SELECT 1');
    await byVariable('SELECT 1');
    await byReturn('SELECT 1');
    await byBranch('SELECT 1');
    await byPattern('SELECT 1');
  });
  await database.inTransaction(async () => await database.find('SELECT 1'));
}`,
      },
    ]),
  );
  checkRule(
    'no-external-await-while-holding',
    withHeader(stored, [
      {
        name: 'waits with them',
        code: `
async function move() {
  await inTransaction(async () => {
    await fetch('https://example.com');
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ heldInTransaction
  });
}`,
      },
    ]),
  );
  checkRule(
    'no-unreleased-client',
    withHeader(stored, [
      {
        name: 'is lost where what runs there fails',
        code: `
async function move() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  await held.run(client, async () => { await client.query('SELECT 1'); });
  client.release();
}
async function inside() {
  await held.exit(async () => {
    const client = await pool.connect();
    //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
    await client.query('SELECT 1');
    client.release();
  });
}`,
      },
      {
        name: 'comes back around what runs there',
        code: `
async function move() {
  const client = await pool.connect();
  try { return await held.run(client, async () => { return await client.query('SELECT 1'); }); } finally { client.release(); }
}`,
      },
    ]),
  );
});

const traced = `
import { Pool } from 'pg';
import { trace } from '@opentelemetry/api';
const pool = new Pool();
const tracer = trace.getTracer('shop');`;

describe('a callback that a package calls at once', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(traced, [
      {
        name: 'stands in the way of the client around it',
        code: `
async function find() {
  const client = await pool.connect();
  //                   ^^^^^^^^^^^^^^ notReleasedOnThrow
  const result = await tracer.startActiveSpan('find', async (span) => {
    const found = await client.query('SELECT 1');
    client.release();
    span.end();
    return found;
  });
  return result;
}
async function findWell() {
  const client = await pool.connect();
  return await tracer.startActiveSpan('find', {}, async (span) => {
    try { return await client.query('SELECT 1'); } finally { client.release(); span.end(); }
  });
}`,
      },
    ]),
  );
});

/** Transactions that join the one that runs already, in every way to ask for that. */
const ways: Readonly<Record<string, string>> = {
  'a call': 'if (current.getStore()) return work();',
  'a comparison': 'if (current.getStore() !== undefined) { return await work(); }',
  'a name': 'const active = current.getStore(); if (active) return work();',
  'a member': 'if (current.getStore()?.client) return work();',
  'a question to what is kept': "if (current.getStore()?.has('client')) return work();",
  'a function': 'if (isActive()) return work();',
  'a negation': 'if (!!current.getStore()) return work();',
  savepoints:
    "const active = current.getStore(); if (active) { await active.query('SAVEPOINT s'); try { return await work(); } catch (error) { await active.query('ROLLBACK TO s'); throw error; } }",
};

const reentrant = (question: string): string => `
import { AsyncLocalStorage } from 'node:async_hooks';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
const pool = new Pool();
const db = drizzle(pool);
const current = new AsyncLocalStorage<any>();
function isActive() { return current.getStore() !== undefined; }
async function transaction<T>(work: () => Promise<T>): Promise<T> {
  ${question}
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await current.run(client, work);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
async function inDrizzle<T>(work: () => Promise<T>): Promise<T> {
  ${question}
  return await db.transaction((tx) => current.run(tx, work));
}`;

const nested = `
async function inner() { await transaction(async () => { await current.getStore().query('x'); }); }
async function outer() {
  await transaction(async () => {
    await inner();
    await transaction(async () => { await current.getStore().query('x'); });
  });
}
async function rename() { await inDrizzle(async () => { await current.getStore().insert(users); }); }
async function move() {
  await inDrizzle(async () => {
    await rename();
    await inDrizzle(async () => { await current.getStore().insert(users); });
  });
}`;

describe('a transaction that joins the one that runs', () => {
  checkRule(
    'no-nested-checkout',
    Object.entries(ways).map(([name, question]) => ({
      name: `takes no second client: ${name}`,
      header: '',
      code: reentrant(question) + nested,
    })),
  );
  checkRule('no-nested-checkout', [
    {
      name: 'is none where something else is asked',
      header: '',
      code: `${reentrant('if (isQuick()) return work();')}
async function outer() {
  await transaction(async () => {
    await transaction(async () => {});
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^ helper
  });
  await inDrizzle(async () => {
    await inDrizzle(async () => {});
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^ outsideInHelper
  });
}`,
    },
  ]);
});
