import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CodePlace } from '../../../monitor/report.ts';
import { alertText } from '../../../monitor/reporters/console-lines.ts';
import { createFreshDatabase, type FreshDatabase } from '../../support/fresh-database.ts';
import { watched } from './watched.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
});

afterAll(() => database.drop());

const quick = { sampleMs: 5, heldMs: 30 };

/** Where the first of a stack's places is, as file and function. */
function top(places: readonly CodePlace[] | undefined): string {
  const [place] = places ?? [];
  return place === undefined ? '' : `${place.file.split('/').at(-1)} ${place.function}`;
}

test('a pool says what it is, and looks say what it has', async () => {
  const { pool, of } = watched(
    {
      connectionString: database.url,
      application_name: 'shop',
      max: 2,
      connectionTimeoutMillis: 900,
    },
    quick,
  );
  await Promise.all(Array.from({ length: 5 }, () => pool.query('SELECT pg_sleep(0.02)')));
  await expect.poll(() => of('look').reduce((sum, { look }) => sum + look.acquired, 0)).toBe(5);
  const address = new URL(database.url);
  expect(of('pool')).toMatchObject([
    {
      pool: {
        id: 1,
        name: 'shop',
        applicationName: 'shop',
        host: address.hostname,
        port: Number(address.port),
        database: database.name,
        max: 2,
        connectionTimeoutMs: 900,
      },
    },
  ]);
  expect(JSON.stringify(of('pool'))).not.toContain(address.password);
  const looks = of('look').map(({ look }) => look);
  expect(looks.at(-1)).toMatchObject({ total: 2, idle: 2, waiting: 0, max: 2 });
  expect(Math.max(...looks.map(({ peakWaiting }) => peakWaiting))).toBe(3);
  expect(looks.reduce((sum, { hold }) => sum + (hold?.count ?? 0), 0)).toBe(5);
  expect(Math.max(...looks.map(({ wait }) => wait?.maxMs ?? 0))).toBeGreaterThan(35);
  await pool.end();
  await expect.poll(() => of('ended')).toHaveLength(1);
});

test('a checkout that is out for too long is told with its place and its backend, and told when it comes back', async () => {
  const { pool, of } = watched({ connectionString: database.url }, quick);
  const client = await (async function takeOne() {
    return await pool.connect();
  })();
  const { rows } = await client.query<{ pid: number; port: number }>(
    'SELECT pg_backend_pid() AS pid, inet_client_port() AS port',
  );
  await expect.poll(() => of('held')).toHaveLength(1);
  const held = of('held')[0]?.held;
  expect(held).toMatchObject({ checkout: 1, backendPid: rows[0]?.pid, clientPort: rows[0]?.port });
  expect(top(held?.acquiredAt)).toBe('watch-pool.integration.test.ts takeOne');
  expect(of('returned')).toEqual([]);
  client.release();
  expect(of('returned')).toMatchObject([{ pool: 1, checkout: 1 }]);
  expect(of('returned')[0]?.forMs).toBeGreaterThanOrEqual(30);
  await pool.end();
});

test('a second release is told with all three stacks, and still throws', async () => {
  const { pool, of } = watched({ connectionString: database.url });
  const client = await (async function take() {
    return await pool.connect();
  })();
  (function giveBack() {
    client.release();
  })();
  function giveBackAgain() {
    client.release();
  }
  expect(giveBackAgain).toThrow(
    'Release called on client which has already been released to the pool.',
  );
  const [told] = of('mistake');
  expect(told?.mistake.mistake).toBe('double-release');
  expect([
    top(told?.mistake.acquiredAt),
    top(told?.mistake.releasedAt),
    top(told?.mistake.misusedAt),
  ]).toEqual([
    'watch-pool.integration.test.ts take',
    'watch-pool.integration.test.ts giveBack',
    'watch-pool.integration.test.ts giveBackAgain',
  ]);
  await pool.end();
});

test('a client that is used after its release is told, and still answers', async () => {
  const { pool, of } = watched({ connectionString: database.url });
  const client = await pool.connect();
  client.release();
  async function useLate() {
    return (await client.query<{ one: number }>('SELECT 1 AS one')).rows;
  }
  expect(await useLate()).toEqual([{ one: 1 }]);
  expect(of('mistake').map(({ mistake }) => [mistake.mistake, top(mistake.misusedAt)])).toEqual([
    ['use-after-release', 'watch-pool.integration.test.ts useLate'],
  ]);
  await pool.end();
});

test('listeners of the pool may use a client while it is given out or back', async () => {
  const { pool, of } = watched({ connectionString: database.url });
  pool.on(
    'connect',
    (client) => void client.query('SET statement_timeout = 1000').catch(() => undefined),
  );
  pool.on('release', (_error, client) => void client.query('DISCARD ALL').catch(() => undefined));
  for (let turn = 0; turn < 3; turn++) (await pool.connect()).release();
  await pool.query('SELECT 1');
  expect(of('mistake')).toEqual([]);
  await pool.end();
});

test('a release with an open transaction is told; a finished one, or one that is being finished, is not', async () => {
  const { pool, of } = watched({ connectionString: database.url, max: 1 });
  const begin = async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    return client;
  };
  const committed = await begin();
  await committed.query('COMMIT');
  committed.release();
  const rolledBack = await begin();
  const ending = rolledBack.query('ROLLBACK').catch(() => undefined);
  rolledBack.release();
  await ending;
  const thrownAway = await begin();
  thrownAway.release(true);
  expect(of('mistake')).toEqual([]);
  const forgotten = await begin();
  forgotten.release();
  expect(of('mistake').map(({ mistake }) => mistake.mistake)).toEqual(['open-transaction']);
  await pool.end();
});

test('who inherits an open transaction is not told of: only who left it', async () => {
  const { pool, of } = watched({ connectionString: database.url, max: 1 }, quick);
  const culprit = await pool.connect();
  await culprit.query('BEGIN');
  culprit.release();
  for (let borrower = 0; borrower < 2; borrower += 1) {
    const innocent = await pool.connect();
    await innocent.query('SELECT 1');
    innocent.release();
  }
  await pool.query('SELECT 1');
  const closer = await pool.connect();
  await closer.query('COMMIT');
  closer.release();
  expect(of('mistake')).toHaveLength(1);
  const second = await pool.connect();
  await second.query('BEGIN');
  second.release();
  expect(of('mistake')).toHaveLength(2);
  await pool.end();
});

test('a name and thresholds that come later hold from then on', async () => {
  const { pool, of, watchAgain } = watched(
    { connectionString: database.url, max: 1 },
    { sampleMs: 5 },
  );
  watchAgain({ name: 'orders', heldMs: 30 });
  expect(of('pool').map(({ pool: { id, name } }) => [id, name])).toEqual([
    [1, 'pool 1'],
    [1, 'orders'],
  ]);
  const client = await pool.connect();
  await expect.poll(() => of('held')).toHaveLength(1);
  client.release();
  watchAgain({});
  expect(of('pool')).toHaveLength(2);
  await pool.end();
});

test('what is no pool, and an option that makes no sense, are said in a sentence, once', () => {
  const { said, watchAgain, watchAnything } = watched(
    { connectionString: database.url, max: 1 },
    quick,
  );
  watchAgain({ heldMs: -5 });
  watchAgain({ heldMs: -5 });
  watchAnything({});
  watchAnything(null);
  expect(said).toEqual([
    '[poolguard] The option heldMs must be a number from 1 to 86400000, but is -5: 5000 is used.',
    '[poolguard] The argument of watchPool is not a pool of pg, Knex, Sequelize or postgres.js, so nothing is watched.',
  ]);
});

test('who gives up is counted, and hears what pg-pool says', async () => {
  const { pool, of } = watched({ connectionString: database.url, max: 1 }, quick);
  const client = await pool.connect();
  pool.options.connectionTimeoutMillis = 40;
  await expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded when trying to connect');
  client.release();
  await pool.end();
  await expect(pool.connect()).rejects.toThrow('Cannot use a pool after calling end on the pool');
  await expect.poll(() => of('ended')).toHaveLength(1);
  const looks = of('look').map(({ look }) => look);
  expect([
    looks.reduce((sum, look) => sum + look.failed, 0),
    looks.reduce((sum, look) => sum + (look.timedOut ?? 0), 0),
  ]).toEqual([2, 1]);
});

test('a server that cannot be reached fails the caller and is counted', async () => {
  const { pool, of } = watched({ host: '127.0.0.1', port: 1 }, quick);
  await expect(pool.query('SELECT 1')).rejects.toThrow('ECONNREFUSED');
  await expect.poll(() => of('look').reduce((sum, { look }) => sum + look.failed, 0)).toBe(1);
});

test('a full pool without idle clients is an alert, which ends when they are back', async () => {
  const { pool, of } = watched(
    { connectionString: database.url, max: 1 },
    { sampleMs: 5, alertWaiting: 2 },
  );
  const client = await pool.connect();
  const callers = Array.from({ length: 3 }, () => pool.query('SELECT 1'));
  await expect
    .poll(() => of('alert').map(({ alert, isOver }) => [alert, isOver]))
    .toEqual([
      ['waiting', true],
      ['idle', true],
    ]);
  client.release();
  await Promise.all(callers);
  await expect
    .poll(() =>
      of('alert')
        .slice(2)
        .map(({ alert, isOver }) => [alert, isOver])
        .toSorted(),
    )
    .toEqual([
      ['idle', false],
      ['waiting', false],
    ]);
  await pool.end();
});

test('clients that are closed while one is out are not called idle again', async () => {
  const { pool, of } = watched({ connectionString: database.url, max: 2 }, { sampleMs: 5 });
  const [listener, leaked] = await Promise.all([pool.connect(), pool.connect()]);
  await expect
    .poll(() => of('alert').map(alertText))
    .toEqual(['ALERT: all clients are open and fewer than 10 % of them are idle']);
  listener.release(true);
  await expect
    .poll(() => of('alert').slice(1).map(alertText))
    .toEqual(['the pool may open clients again']);
  leaked.release();
  await pool.end();
});

test('of a pool without a client nobody is called idle again', async () => {
  const { pool, of } = watched({ connectionString: database.url, max: 1 }, { sampleMs: 5 });
  const client = await pool.connect();
  await expect.poll(() => of('alert')).toHaveLength(1);
  client.release(true);
  await expect
    .poll(() => of('alert').slice(1).map(alertText))
    .toEqual(['the pool may open clients again']);
  await pool.end();
});

test('what pool.end() waits for is told once, after a moment, and the end when it has come back', async () => {
  const { pool, of } = watched(
    { connectionString: database.url, max: 3 },
    { sampleMs: 5, heldMs: 30 },
  );
  const clients = await (async function takeTwo() {
    return await Promise.all([pool.connect(), pool.connect()]);
  })();
  const query = pool.query('SELECT pg_sleep(0.5)');
  const ended = pool.end();
  expect(of('ending')).toEqual([]);
  await expect.poll(() => of('ending')).toHaveLength(1);
  expect(of('ending')[0]?.out.map(({ pool: id, acquiredAt }) => [id, top(acquiredAt)])).toEqual([
    [1, 'watch-pool.integration.test.ts takeTwo'],
    [1, 'watch-pool.integration.test.ts takeTwo'],
  ]);
  await query;
  expect(of('ending')).toHaveLength(1);
  for (const client of clients) client.release();
  await ended;
  await expect.poll(() => of('ended')).toHaveLength(1);
});

test('a pool whose clients come back soon after pool.end() is not told as waiting', async () => {
  const { pool, of } = watched({ connectionString: database.url, max: 2 }, { sampleMs: 5 });
  const client = await pool.connect();
  const ended = pool.end();
  await setImmediate();
  client.release();
  await ended;
  await expect.poll(() => of('ended')).toHaveLength(1);
  expect(of('ending')).toEqual([]);
});

test('methods look as before, callers are called as before, and a pool of the same class that is not watched is left alone', async () => {
  const { pool, of, unwatch } = watched({ connectionString: database.url });
  const other = new pg.Pool({ connectionString: database.url });
  expect([pool.connect.name, pool.connect.length, pool.query.name, pool.query.length]).toEqual([
    'connect',
    1,
    'query',
    3,
  ]);
  expect(Object.keys(pool)).toEqual(Object.keys(other));
  const answered = await new Promise<readonly unknown[]>((resolve, reject) => {
    pool.connect((error, client, done) => {
      if (error || client === undefined) return reject(error ?? new Error('no client'));
      client.query('SELECT 2 AS two', (problem: Error | null, result) => {
        done();
        resolve([
          problem,
          result.rows,
          client.release.length,
          Object.keys(client).some((key) => key.includes('poolguard')),
        ]);
      });
    });
  });
  expect(answered).toEqual([null, [{ two: 2 }], 1, false]);
  await other.query('SELECT 1');
  unwatch();
  await pool.query('SELECT 1');
  expect(of('ended')).toHaveLength(1);
  await Promise.all([pool.end(), other.end()]);
});
