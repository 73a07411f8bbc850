import pg from 'pg';
import OlderPool from 'pg-pool-older';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setMax } from '../../../monitor/pools/pg-pool/pg-pool.ts';
import type { InnerPool } from '../../../monitor/pools/pg-pool/pool-shape.ts';
import { createFreshDatabase, type FreshDatabase } from '../../support/fresh-database.ts';
import { watched } from './watched.ts';

let database: FreshDatabase;
let looker: pg.Client;

beforeAll(async () => {
  database = await createFreshDatabase();
  looker = new pg.Client(database.url);
  await looker.connect();
});

afterAll(async () => {
  await looker.end();
  await database.drop();
});

async function countSessions(application: string): Promise<number> {
  const { rows } = await looker.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1',
    [application],
  );
  return rows[0]?.count ?? Number.NaN;
}

/** Callers who ask again and again; `stop` waits for all of them, and rejects when one was refused. */
function startCallers(pool: pg.Pool, count: number): { readonly stop: () => Promise<number> } {
  let isStopped = false;
  const call = async (caller: number) => {
    let answers = 0;
    for (; !isStopped; answers++) {
      if (caller % 2 === 0) await pool.query('SELECT pg_sleep(0.002)');
      else await borrow(pool);
    }
    return answers;
  };
  const callers = Array.from({ length: count }, (_, caller) => call(caller));
  return {
    stop: async () => {
      isStopped = true;
      return (await Promise.all(callers)).reduce((sum, answers) => sum + answers, 0);
    },
  };
}

async function borrow(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_sleep(0.002)');
  } finally {
    client.release();
  }
}

test.each([
  ['of today', pg.Pool],
  ['3.2.2, which cannot expire clients', OlderPool as typeof pg.Pool],
])(
  'under load, 10 to 3 to 10: connections follow, nobody is refused, lost or stuck (pg-pool %s)',
  async (name, Pool) => {
    const { pool, onCommand, of } = watched(
      { connectionString: database.url, application_name: name, max: 10 },
      { sampleMs: 10 },
      Pool,
    );
    const callers = startCallers(pool, 24);
    await expect.poll(() => countSessions(name)).toBe(10);
    onCommand({ kind: 'set-max', pool: 1, max: 3 });
    await expect.poll(() => countSessions(name)).toBe(3);
    expect(pool.totalCount).toBe(3);
    onCommand({ kind: 'set-max', pool: 1, max: 10 });
    // Those who wait are served at once, before anybody gives a client back.
    expect(pool.totalCount).toBe(10);
    await expect.poll(() => countSessions(name)).toBe(10);
    expect(await callers.stop()).toBeGreaterThanOrEqual(24);
    expect([pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]);
    expect(of('broken')).toEqual([]);
    await pool.end();
  },
);

test('idle clients beyond the size are closed at once', async () => {
  const { pool, onCommand } = watched({
    connectionString: database.url,
    application_name: 'idle ones',
    max: 6,
  });
  await Promise.all(Array.from({ length: 6 }, () => pool.query('SELECT pg_sleep(0.05)')));
  expect(pool.idleCount).toBe(6);
  onCommand({ kind: 'set-max', pool: 1, max: 2 });
  expect([pool.totalCount, pool.idleCount]).toEqual([2, 2]);
  await expect.poll(() => countSessions('idle ones')).toBe(2);
  await pool.end();
});

test.each([0, -1, 2.5, Number.NaN, 1e9])('%d is no size, and changes nothing', (max) => {
  const pool = new pg.Pool({ max: 4 });
  expect(setMax(pool as unknown as InnerPool, max)).toBe(false);
  expect(pool.options.max).toBe(4);
});
