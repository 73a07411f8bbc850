import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedServer, type EmbeddedServer } from '../../scripts/embedded-server.ts';
import { createOrdinaryDatabase } from '../../scripts/ordinary-database.ts';
import { workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import { startProbedDatabase, type ProbedDatabase } from '../support/probed-database.ts';
import { runOn } from '../support/run-on.ts';

let probed: ProbedDatabase;
const expectNoSessionLeft: ProbedDatabase['expectNoSessionLeft'] = () =>
  probed.expectNoSessionLeft();

beforeAll(async () => {
  probed = await startProbedDatabase();
  await probed.admin.query('CREATE TABLE users (id serial PRIMARY KEY, name text, born date)');
  await probed.admin.query(
    "INSERT INTO users (name, born) SELECT 'name ' || n, '2000-01-01' FROM generate_series(1, 500) AS n",
  );
});

afterAll(() => probed.stop());

/** Of two connections at most: what is run matters here, not how often. */
const probe: ProbedDatabase['probe'] = (change, options, url) =>
  probed.probe({ max: 2, ...change }, options, url);

describe('statements that cannot be probed', () => {
  test.each<readonly [string, Partial<SizeRequest>, RegExp]>([
    [
      'an error',
      { workload: workloadOf('SELECT nme FROM users') },
      /^The statement does not run\..*column "nme" does not exist/,
    ],
    [
      'an error of one among several',
      {
        workload: {
          kind: 'statements',
          statements: [
            { text: 'SELECT 1', weight: 1, parameters: [] },
            { text: 'SELECT 1 / $1::int', weight: 1, parameters: ['0'] },
          ],
        },
      },
      /^Statement 2 \(SELECT 1 \/ \$1::int\) does not run\..*division by zero.* Its values were \$1 = "0"\./,
    ],
    [
      'values for no parameter',
      { workload: workloadOf('SELECT 1', ['1']) },
      /no parameter such as \$1, and values were given for 1/,
    ],
    [
      'no values',
      { workload: workloadOf('SELECT $1, $2') },
      /parameters \$1 to \$2, and no values were given.*--param/,
    ],
    [
      'a write',
      { workload: workloadOf("INSERT INTO users (name) VALUES ('x')") },
      /writes \(INSERT\).*--allow-writes/,
    ],
    [
      'ten seconds',
      { workload: workloadOf('SELECT pg_sleep(10)') },
      /^The statement still ran after 4\.5 s and was cancelled.*Size the pool by demand: max = /,
    ],
    [
      'no pg_stat_statements',
      { workload: { kind: 'top', count: 3 } },
      /pg_stat_statements is not in this database.*CREATE EXTENSION/,
    ],
  ])('%s', async (_, change, sentence) => {
    expect(await probe(change)).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(sentence) as string,
    });
  });

  // On a busy machine the time may be over before so much of the answer came, as long as a megabyte did.
  test.each<readonly [string, Partial<SizeRequest>, RegExp]>([
    [
      'a gigabyte of rows',
      { workload: workloadOf("SELECT repeat('x', 100000) FROM generate_series(1, 10000)") },
      /^The statement (?:returns more than 64 MB|still ran after 4\.5 s .* with \d+ MB of its answer sent).*add LIMIT/,
    ],
    [
      'hundreds of megabytes in one value',
      { workload: workloadOf("SELECT repeat(repeat('x', 1000000), 100)") },
      /^The statement (?:returns more than 64 MB|still ran after 4\.5 s .* with \d+ MB of its answer sent).*add LIMIT/,
    ],
    [
      'much on many connections',
      { workload: workloadOf("SELECT repeat(repeat('x', 1000000), 30)"), max: 32 },
      /returns 30 MB, which 32 connections would hold at once.*--max 17/,
    ],
  ])('%s', async (_, change, sentence) => {
    expect(await probe(change)).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(sentence) as string,
    });
    await expectNoSessionLeft();
  });

  test('leave nothing on the server', () => expectNoSessionLeft());
});

test('a cancel during the first run ends its statement', async () => {
  const ending = new AbortController();
  await probed.brake();
  const last = probe({ workload: workloadOf(probed.brakedStatement) }, { signal: ending.signal });
  await expect
    .poll(() => probed.probePids("state = 'active' AND query LIKE '%braked()%'"), { interval: 10 })
    .toHaveLength(1);
  ending.abort();
  expect(await last).toEqual({ kind: 'cancelled' });
  await expectNoSessionLeft();
  await probed.letGo();
});

test('weighted statements with values, one of which writes: all of it is rolled back', async () => {
  const last = await probe({
    allowWrites: true,
    workload: {
      kind: 'statements',
      statements: [
        {
          text: 'SELECT name FROM users WHERE id = $1 AND born BETWEEN $2 AND now()',
          weight: 3,
          parameters: ['1..500', '1990-01-01..1999-12-31'],
        },
        {
          text: 'INSERT INTO users (name, born) VALUES ($1, $2) RETURNING id',
          weight: 1,
          parameters: ["'it''s'|null", 'null'],
        },
      ],
    },
  });
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  expect(last.result.workload).toMatchObject({
    origin: 'given',
    inTransaction: true,
    statements: [
      { share: 0.75, parameters: ['1..500', '1990-01-01..1999-12-31'] },
      { share: 0.25 },
    ],
  });
  expect(last.result.workload.statements.every(({ meanMs }) => (meanMs ?? 0) > 0)).toBe(true);
  expect(last.result.notes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/rolled back and never committed.*Sequences are still advanced/),
    ]),
  );
  expect(last.result.errors).toEqual({});
  const { rows } = await probed.admin.query<{ rows: number; last: number }>(
    'SELECT count(*)::int AS rows, (SELECT last_value::int FROM users_id_seq) AS last FROM users',
  );
  expect(rows[0]?.rows).toBe(500);
  // They did write.
  expect(rows[0]?.last).toBeGreaterThan(500);
  await expectNoSessionLeft();
});

test('of several statements the one that queues is named, and processes are held against the room', async () => {
  await probed.admin.query('CREATE TABLE counters AS SELECT 0 AS n');
  await probed.admin.query(`GRANT ALL ON counters TO ${new URL(probed.url).username}`);
  const texts = ['SELECT 1', 'UPDATE counters SET n = n + 1 RETURNING pg_sleep(0.02)'];
  const last = await probe({
    max: 3,
    seconds: 60,
    workers: 3,
    allowWrites: true,
    workload: {
      kind: 'statements',
      // One client keeps the lock nearly all the time, which is seen on any machine if there is time for it.
      statements: texts.map((text, at) => ({ text, weight: at === 0 ? 1 : 4, parameters: [] })),
    },
  });
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  const { statementLoads: loads, processes, verdict } = last.result;
  expect(verdict).toMatchObject({ kind: 'lock-bound' });
  expect(loads?.binding).toMatchObject({
    at: 1,
    because: expect.stringMatching(
      /^UPDATE counters SET n = n \+ 1 RETURNING pg_sleep\(0\.02\) limits the pool size: \d+ % of the time that statements spend waiting for locks is its own/,
    ) as string,
  });
  const [waiting, locking] = loads?.statements ?? [];
  expect(locking?.aloneMs).toBeGreaterThan(20);
  expect(locking?.meanMs).toBeGreaterThan((locking?.aloneMs ?? 0) * 1.5);
  expect(waiting?.queueShare).toBeLessThan(0.2);
  expect(processes?.rows.map((row) => row.processes)).toEqual([1, 2, 3, 4, 6, 8, 16]);
  expect(
    processes?.rows.every(({ direct, processes: n }) => direct.connections === n * direct.max),
  ).toBe(true);
});

describe('the top statements', () => {
  let server: EmbeddedServer;

  beforeAll(async () => {
    server = await startEmbeddedServer({
      inMemory: true,
      settings: { shared_preload_libraries: 'pg_stat_statements' },
    });
  });

  afterAll(() => server.stop());

  test('those that run as they are, by calls, and what was left out', async () => {
    const url = await createOrdinaryDatabase(server.url(), 'shop');
    const client = new pg.Client({ connectionString: server.url('shop') });
    await client.connect();
    await client.query(
      'CREATE SCHEMA "odd ""schema"; CREATE EXTENSION pg_stat_statements SCHEMA "odd ""schema"; GRANT USAGE ON SCHEMA "odd ""schema" TO shop; CREATE TABLE users (id int, name text)',
    );
    for (let time = 0; time < 3; time += 1) await client.query('SELECT count(*) FROM users');
    await client.query("SELECT * FROM users WHERE name = 'secret'");
    await client.query("INSERT INTO users VALUES (1, 'x')");
    await client.end();
    const last = await probe({ workload: { kind: 'top', count: 5 }, dryRun: true }, {}, url);
    expect(last).toMatchObject({
      kind: 'plan',
      plan: { statements: ['SELECT count(*) FROM users'] },
    });
    const notes = last.kind === 'plan' ? last.plan.notes.join('\n') : '';
    expect(notes).toMatch(/1 with parameters.*SELECT \* FROM users WHERE name = \$1/);
    expect(notes).toMatch(/\d that write or are no query/);
    const filled = await probe(
      { workload: { kind: 'top', count: 5, parameters: ['x'] }, dryRun: true },
      {},
      url,
    );
    expect(filled).toMatchObject({
      plan: {
        statements: expect.arrayContaining(['SELECT * FROM users WHERE name = $1']) as string[],
      },
    });
  });

  test('those with parameters take values of the columns, where that is allowed', async () => {
    const url = await createOrdinaryDatabase(server.url(), 'sampled');
    const admin = server.url('sampled');
    await runOn(
      admin,
      `CREATE EXTENSION pg_stat_statements; CREATE TABLE users AS SELECT n AS id, 's3cret' || n % 5 AS name FROM generate_series(1, 500) AS n;
       ANALYZE users; GRANT SELECT ON users TO sampled`,
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("SELECT id FROM users WHERE name = 's3cret1'");
    await client.query('SELECT name FROM users LIMIT 7');
    await client.end();
    const asked = { workload: { kind: 'top', count: 5 }, dryRun: true } as const;
    const without = await probe(asked, {}, url);
    expect(without).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('allow --sample-values to take them') as string,
    });
    const last = await probe({ ...asked, sampleValues: true }, {}, url);
    expect(last).toMatchObject({
      kind: 'plan',
      plan: { statements: ['SELECT id FROM users WHERE name = $1'] },
    });
    const notes = last.kind === 'plan' ? last.plan.notes.join('\n') : '';
    expect(notes).toMatch(
      /SELECT name FROM users LIMIT \$1 \(\$1: it is compared with no column\)/,
    );
    expect(JSON.stringify(last)).not.toContain('s3cret');
  });

  test.each([
    [
      'that the extension does not own',
      'ALTER EXTENSION pg_stat_statements DROP FUNCTION pg_stat_statements(boolean)',
    ],
    [
      'of another owner',
      'CREATE ROLE borrower; ALTER FUNCTION pg_stat_statements(boolean) OWNER TO borrower',
    ],
    [
      'in another language',
      `ALTER EXTENSION pg_stat_statements DROP VIEW pg_stat_statements; DROP VIEW pg_stat_statements;
       ALTER EXTENSION pg_stat_statements DROP FUNCTION pg_stat_statements(boolean); DROP FUNCTION pg_stat_statements(boolean);
       CREATE FUNCTION pg_stat_statements(boolean) RETURNS SETOF pg_database LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''called''; END';
       ALTER EXTENSION pg_stat_statements ADD FUNCTION pg_stat_statements(boolean)`,
    ],
  ])('a function pg_stat_statements %s is not called', async (name, change) => {
    const database = `with_${name.replaceAll(' ', '_')}`;
    await runOn(server.url(), `CREATE DATABASE ${database}`);
    const url = Object.assign(new URL(server.url()), { pathname: database }).href;
    await runOn(url, `CREATE EXTENSION pg_stat_statements SCHEMA public; ${change}`);
    const last = await probe(
      {
        workload: { kind: 'top', count: 5 },
        dryRun: true,
        allowRole: 'postgres',
        trustOwners: ['borrower'],
      },
      {},
      url,
    );
    expect(last).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('pg_stat_statements is not in this database') as string,
    });
  });
});
