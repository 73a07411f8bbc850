import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sizeDefaults, workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult, VerdictKind } from '../../src/probe/result.ts';
import { judgePooler } from '../../src/probe/limits/recommend-size.ts';
import { describeTransactions } from '../../src/probe/transaction-text.ts';
import { runProbe } from '../../src/probe/run-probe.ts';
import { accessTo } from '../support/access-to.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { buildProbe, type BuiltProbe } from '../support/probe-process.ts';

let database: Awaited<ReturnType<typeof createOwnedDatabase>>;
let built: BuiltProbe;

beforeAll(async () => {
  [database, built] = await Promise.all([
    createOwnedDatabase({
      tables:
        "CREATE TABLE written (n int); CREATE FUNCTION write_it() RETURNS int LANGUAGE sql AS $$ INSERT INTO written VALUES (1) RETURNING n $$; CREATE FUNCTION keep_lock() RETURNS void LANGUAGE sql AS $$ SELECT pg_advisory_lock_shared(4711) $$; CREATE FUNCTION keep() RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM keep_lock(); EXECUTE 'PREPARE kept AS SELECT 1'; EXCEPTION WHEN duplicate_prepared_statement THEN END $$; CREATE TABLE cities AS SELECT n AS id, 's3cret' || n % 5 AS name FROM generate_series(1, 100) AS n; ANALYZE cities",
    }),
    buildProbe(),
  ]);
});

afterAll(async () => {
  await Promise.all([database[Symbol.asyncDispose](), built.remove()]);
});

function probe(url: string, change: Partial<SizeRequest> = {}): Promise<ProbeEvent<SizeResult>> {
  return runProbe(
    {
      ...sizeDefaults,
      ...accessTo(url),
      workload: workloadOf('SELECT pg_sleep(0.01)'),
      max: 8,
      seconds: 5,
      validate: false,
      ...change,
    },
    {
      signal: new AbortController().signal,
      onEvent: () => undefined,
      processPath: built.quickPath,
    },
  );
}

async function probeForResult(url: string, change: Partial<SizeRequest> = {}): Promise<SizeResult> {
  const last = await probe(url, change);
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  return last.result;
}

/** The verdict that follows from the size that was measured; which size that is, a busy machine has a say in. */
function judgeAgain({ goodSize, sizes, server: { pooler } }: SizeResult): VerdictKind {
  if (goodSize === null) return 'too-noisy';
  const limit = { name: 'default_pool_size', value: pooler?.defaultPoolSize ?? 0 } as const;
  return judgePooler(
    { kind: 'found', because: '' },
    { pick: goodSize },
    { limit, peakWaiting: pooler?.peakWaitingClients ?? 0, mostClients: sizes.at(-1)?.size ?? 0 },
  ).kind;
}

test('what a statement leaves on a backend of the pooler is an error of the result', async () => {
  await using bouncer = await startPgBouncer(database.url, 2);
  const { transactions } = await probeForResult(bouncer.url, {
    workload: workloadOf('SELECT keep(), pg_sleep(0.01)'),
    max: 4,
  });
  const kept =
    /^Backend \d+ of the pooler keeps the prepared statement kept, the advisory lock 0\/4711\.$/;
  expect(transactions?.left).toEqual([expect.stringMatching(kept), expect.stringMatching(kept)]);
  expect(transactions && describeTransactions(transactions)).toMatchObject({
    isAlarm: true,
    sentence: expect.stringContaining('RECONNECT') as string,
  });
  const { transactions: clean } = await probeForResult(bouncer.url, { max: 4 });
  expect(clean?.left).toEqual([]);
});

test('a PgBouncer with two backends is watched, judged by what was measured, and its backends stay as they were', async () => {
  await using bouncer = await startPgBouncer(database.url, 2);
  const result = await probeForResult(bouncer.url, { max: 4, seconds: 12, validate: true });
  const expected = judgeAgain(result);
  expect(expected === 'found' ? ['found', 'client-bound', 'host-bound'] : [expected]).toContain(
    result.verdict.kind,
  );
  if (expected === 'pooler-bound')
    expect(result.recommendation).toMatchObject({ max: result.goodSize, defaultPoolSize: null });
  expect(result.server.pooler).toMatchObject({
    version: '1.18.0',
    mode: 'transaction',
    defaultPoolSize: 2,
    maxClientConnections: 100,
  });
  // By the totals of the console, which no look can miss: four clients share two backends.
  expect(result.server.pooler?.waitShare).toBeGreaterThan(0);
  expect(result.limits.limits).toMatchObject([{ kind: 'pooler-clients', perPool: 100 }]);
  const application = new pg.Client({ connectionString: bouncer.url });
  await application.connect();
  const { rows } = await application.query(
    "SELECT current_setting('statement_timeout') AS timeout, current_setting('transaction_read_only') AS readonly, (SELECT count(*)::int FROM pg_prepared_statements) AS prepared",
  );
  await application.end();
  expect(rows).toEqual([{ timeout: '0', readonly: 'off', prepared: 0 }]);
  // On Linux, for root and the pooler's own user.
  const isSeen = process.platform === 'linux' && process.getuid?.() === 0;
  const others = result.slices.map(({ load }) => load.foreignCores);
  expect(others.some((cores) => cores !== null)).toBe(isSeen);
});

test('where the console may not be asked, the server itself is watched, and that is said', async () => {
  await using bouncer = await startPgBouncer(database.url, 2, {
    users: { app: 'password-of-the-test', [new URL(database.url).username]: 'unused' },
  });
  const url = new URL(bouncer.url);
  Object.assign(url, { username: 'app', password: 'password-of-the-test' });
  const result = await probeForResult(url.href, { server: accessTo(database.url), max: 2 });
  expect(result.server.pooler).toEqual({
    version: null,
    mode: null,
    defaultPoolSize: null,
    maxClientConnections: null,
    peakWaitMs: null,
    peakWaitingClients: null,
    waitShare: null,
  });
  expect(result.notes.join(' ')).toMatch(/What the pooler did is not known: .*stats_users/);
  expect(JSON.stringify(result)).not.toContain('password-of-the-test');
});

test('a --server that is another database is refused', async () => {
  await using bouncer = await startPgBouncer(database.url, 2);
  const other = new URL(postgresUrl());
  expect(await probe(bouncer.url, { server: accessTo(other.href) })).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(/another server, or another database/) as string,
  });
});

test('in session mode each client keeps a backend, and half of them are left to others', async () => {
  await using bouncer = await startPgBouncer(database.url, 9, {
    settings: { pool_mode: 'session' },
  });
  expect(await probe(bouncer.url, { dryRun: true })).toMatchObject({
    kind: 'plan',
    plan: {
      sizes: [1, 2, 3],
      cap: { because: expect.stringMatching(/session mode .*, 8 of 9 are free/) as string },
    },
  });
});

describe('where transactions are refused (statement mode)', () => {
  test('the guards hold without one', async () => {
    await using bouncer = await startPgBouncer(database.url, 4, {
      settings: { pool_mode: 'statement' },
    });
    const [writing, planned] = await Promise.all([
      probe(bouncer.url, { workload: workloadOf('SELECT write_it()') }),
      probe(bouncer.url, { dryRun: true }),
    ]);
    expect(writing).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(/read-only transaction/) as string,
    });
    expect(planned).toMatchObject({
      kind: 'plan',
      plan: { sizes: expect.arrayContaining([1, 2, 4, 8]) as number[] },
    });
  });
});

test('values of columns are found on the path of the application', async () => {
  await using bouncer = await startPgBouncer(database.url, 2);
  const result = await probeForResult(bouncer.url, {
    max: 2,
    sampleValues: true,
    workload: workloadOf('SELECT 1 / count(*) FROM cities WHERE name = $1 AND id > 0 * $2', ['1']),
  });
  expect(result.errors).toEqual({});
  expect(result.workload.statements[0]?.parameters).toEqual(['@public.cities.name', '1']);
  expect(JSON.stringify(result)).not.toContain('s3cret');
});

test('statements that write are refused, since a backend is not kept for them', async () => {
  await using bouncer = await startPgBouncer(database.url, 4);
  expect(await probe(bouncer.url, { allowWrites: true })).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(/name the address of PostgreSQL itself/) as string,
  });
});
