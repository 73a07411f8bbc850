import fc from 'fast-check';
import pg from 'pg';
import { expect } from 'vitest';
import { watched } from '../monitor/watch/watched.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { fuzz } from './support/fuzz.ts';

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      text: fc.constantFrom('SELECT 1 AS a', 'SELECT', 'SELEC', 'SELECT 1/0', "SELECT 'x' AS b"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('connect' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      which: fc.nat(3),
      how: fc.constantFrom(undefined, true, false, 'error' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('client query' as const),
      which: fc.nat(3),
      text: fc.constantFrom('BEGIN', 'COMMIT', 'SELECT 2 AS c', 'nonsense'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('callback' as const),
      text: fc.constantFrom('SELECT 3 AS d', 'nonsense'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Long enough for a new connection on a busy machine; short where the pool is exhausted, as nobody gives a client back during a step. */
const timeouts = { connecting: 30_000, exhausted: 50 };

/** What an application sees of its pool: results, refusals, counts. */
async function use(pool: pg.Pool, steps: readonly Step[]): Promise<readonly unknown[]> {
  const clients: pg.PoolClient[] = [];
  const seen: unknown[] = [];
  for (const each of steps) {
    const isExhausted = pool.totalCount === pool.options.max && pool.idleCount === 0;
    pool.options.connectionTimeoutMillis = isExhausted ? timeouts.exhausted : timeouts.connecting;
    seen.push(
      await take(each, pool, clients).catch((error: unknown) =>
        error instanceof Error ? error.message : 'no error',
      ),
      [pool.totalCount, pool.idleCount, pool.waitingCount],
    );
  }
  for (const client of clients) attempt(() => client.release());
  await pool.end();
  return seen;
}

async function take(each: Step, pool: pg.Pool, clients: pg.PoolClient[]): Promise<unknown> {
  if (each.kind === 'query') return (await pool.query(each.text)).rows;
  if (each.kind === 'callback')
    return new Promise((resolve) =>
      pool.query(each.text, (error: Error | undefined, result: pg.QueryResult | undefined) =>
        resolve(error?.message ?? result?.rows),
      ),
    );
  if (each.kind === 'connect') return void clients.push(await pool.connect());
  const client = clients[each.which];
  if (client === undefined) return 'none';
  if (each.kind === 'client query') return (await client.query(each.text)).rows;
  return attempt(() =>
    client.release(each.how === 'error' ? new Error('given back broken') : each.how),
  );
}

function attempt(release: () => void): string {
  try {
    release();
    return 'released';
  } catch (error) {
    return String(error);
  }
}

fuzz(
  'an application sees the same of its pool with a monitor and without',
  fc.array(step, { maxLength: 14 }),
  async (steps) => {
    const config: pg.PoolConfig = { connectionString: postgresUrl(), max: 2 };
    const alone = new pg.Pool(config);
    alone.on('error', () => undefined);
    const { pool, unwatch } = watched(config);
    const [without, under] = [await use(alone, steps), await use(pool, steps)];
    unwatch();
    expect(under).toEqual(without);
  },
  10,
);
