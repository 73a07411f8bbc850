import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startExample, type ExampleApp, type ExampleName } from '../scripts/start/example-app.ts';
import { createFreshDatabase, type FreshDatabase } from './support/fresh-database.ts';

const run = promisify(execFile);
const examples = join(import.meta.dirname, '../examples');

/** Every route once, with the answer that both services give. */
const calls = [
  { method: 'GET', path: '/users', status: 200 },
  { method: 'GET', path: '/users/1', status: 200 },
  { method: 'POST', path: '/users', body: { email: 'ada@example.com', name: 'Ada' }, status: 201 },
  { method: 'GET', path: '/orders/1', status: 200 },
  { method: 'POST', path: '/orders', body: { userId: 1, total: 12 }, status: 201 },
  { method: 'POST', path: '/orders/1/cancel', status: 200 },
  { method: 'GET', path: '/orders/1/paid', status: 200 },
  { method: 'POST', path: '/orders/2/ship', status: 200 },
  { method: 'GET', path: '/reports/top-customers', status: 200 },
  { method: 'GET', path: '/reports/sales', status: 200 },
  { method: 'GET', path: '/reports/tenants/tenant-1', status: 200 },
  { method: 'POST', path: '/reports/rebuild', status: 200 },
  { method: 'GET', path: '/legacy/invoices/1', status: 200 },
  { method: 'GET', path: '/legacy/audit/1', status: 200 },
  { method: 'GET', path: '/health', status: 200 },
] as const;

/** Calls that take the unhappy path; each costs the leaky service one client. */
const unhappyCalls = [
  { method: 'GET', path: '/users/999999', pool: 'pool' },
  { method: 'GET', path: '/orders/abc', pool: 'pool' },
  { method: 'POST', path: '/orders/abc/cancel', pool: 'pool' },
  { method: 'GET', path: '/health/ready', pool: 'pool' },
  { method: 'GET', path: '/legacy/invoices/abc', pool: 'legacyPool' },
  { method: 'GET', path: '/legacy/audit/abc', pool: 'legacyPool' },
] as const;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

interface Counts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

type Health = Readonly<Record<'pool' | 'legacyPool', Counts>>;

function send(app: ExampleApp, { method, path, body }: Call): Promise<Response> {
  return fetch(app.url + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

async function checkedOut(app: ExampleApp, pool: keyof Health = 'pool'): Promise<number> {
  const health = (await (await send(app, { method: 'GET', path: '/health' })).json()) as Health;
  return health[pool].totalCount - health[pool].idleCount;
}

async function withExample<T>(
  name: ExampleName,
  work: (app: ExampleApp, database: FreshDatabase) => Promise<T>,
): Promise<T> {
  const database = await createFreshDatabase();
  try {
    const app = await startExample(name, {
      databaseUrl: database.url,
      poolMax: 4,
      standInDelayMs: 20,
    });
    try {
      return await work(app, database);
    } finally {
      await app.stop();
    }
  } finally {
    await database.drop();
  }
}

test('the examples type-check', async () => {
  await run(process.execPath, [
    join(examples, '../node_modules/typescript/bin/tsc'),
    '-p',
    examples,
  ]);
});

describe.each(['leaky-api', 'healthy-api'] as const)('%s', (name) => {
  test('answers on every route', async () => {
    const answers = await withExample(name, async (app) => {
      const seen: { method: string; path: string; status: number }[] = [];
      for (const call of calls)
        seen.push({ method: call.method, path: call.path, status: (await send(app, call)).status });
      return seen;
    });
    expect(answers).toEqual(calls.map(({ method, path, status }) => ({ method, path, status })));
  });
});

describe('the unhappy paths', () => {
  let leaky: ExampleApp;
  let healthy: ExampleApp;
  let database: FreshDatabase;

  beforeAll(async () => {
    database = await createFreshDatabase();
    // One after the other, since both create the same tables.
    leaky = await startExample('leaky-api', {
      databaseUrl: database.url,
      poolMax: 10,
      standInDelayMs: 20,
    });
    healthy = await startExample('healthy-api', {
      databaseUrl: database.url,
      poolMax: 10,
      standInDelayMs: 20,
    });
  });

  afterAll(async () => {
    await Promise.all([leaky.stop(), healthy.stop()]);
    await database.drop();
  });

  test.each(unhappyCalls)(
    '$method $path keeps a client in leaky-api only',
    async ({ pool, ...call }) => {
      const before = [await checkedOut(leaky, pool), await checkedOut(healthy, pool)];
      await Promise.all([send(leaky, call), send(healthy, call)]);
      expect([await checkedOut(leaky, pool), await checkedOut(healthy, pool)]).toEqual([
        (before[0] ?? 0) + 1,
        before[1],
      ]);
    },
  );
});

test('leaky-api runs out of clients, and PostgreSQL shows the transaction that nobody ends', async () => {
  await withExample('leaky-api', async (app, database) => {
    await send(app, { method: 'POST', path: '/orders/abc/cancel' });
    for (let request = 0; request < 3; request += 1)
      await send(app, { method: 'GET', path: '/users/999999' });
    expect(await checkedOut(app)).toBe(4);
    const starved = await send(app, { method: 'GET', path: '/users' });
    expect([starved.status, await starved.json()]).toEqual([
      500,
      { error: 'timeout exceeded when trying to connect' },
    ]);
    expect(await statesOf('leaky-api', database)).toContain('idle in transaction (aborted)');
    expect(await app.stop()).toBe(1);
  });
});

test('healthy-api has every client back after the same calls, and ends by itself', async () => {
  await withExample('healthy-api', async (app, database) => {
    await send(app, { method: 'POST', path: '/orders/abc/cancel' });
    for (let request = 0; request < 10; request += 1)
      await send(app, { method: 'GET', path: '/users/999999' });
    expect(await checkedOut(app)).toBe(0);
    expect((await send(app, { method: 'GET', path: '/users' })).status).toBe(200);
    expect(new Set(await statesOf('healthy-api', database))).toEqual(new Set(['idle']));
    expect(await app.stop()).toBe(0);
  });
});

test('a second call shows what the first one left in the session', async () => {
  const twice = async (app: ExampleApp, call: Call) => [
    (await send(app, call)).status,
    (await send(app, call)).status,
  ];
  const sales = { method: 'GET', path: '/reports/sales' };
  expect(await withExample('leaky-api', (app) => twice(app, sales))).toEqual([200, 500]);
  expect(await withExample('healthy-api', (app) => twice(app, sales))).toEqual([200, 200]);
});

async function statesOf(
  application: ExampleName,
  { url }: FreshDatabase,
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ state: string }>(
      'SELECT state FROM pg_stat_activity WHERE application_name = $1',
      [application],
    );
    return rows.map(({ state }) => state);
  } finally {
    await client.end();
  }
}
