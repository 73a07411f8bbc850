import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workloadOf, type WorkloadRequest } from '../../src/probe/request.ts';
import type { ProbeEvent } from '../../src/probe/result.ts';
import { startProbedDatabase, type ProbedDatabase } from '../support/probed-database.ts';

/** What no plan, result or sentence may hold. */
const secret = /s3cret/;

let probed: ProbedDatabase;

beforeAll(async () => {
  probed = await startProbedDatabase();
  const role = new URL(probed.url).username;
  await probed.admin.query(`
    CREATE SCHEMA shop AUTHORIZATION ${role};
    CREATE TABLE users (id serial PRIMARY KEY, city text, born date, email text);
    CREATE TABLE shop."Orders" (id int, "userId" int, note text);
    INSERT INTO users (city, born, email)
      SELECT CASE WHEN n % 4 = 0 THEN 's3cret ''; DROP TABLE users; --' ELSE 's3cret "\\' || n % 7 END,
             DATE '2000-01-01' + n % 300, 's3cret' || n || '@example.com'
        FROM generate_series(1, 2000) AS n;
    INSERT INTO shop."Orders" SELECT n, 1 + n % 50, 's3cret' FROM generate_series(1, 500) AS n;
    CREATE TABLE unseen (id int, code text); INSERT INTO unseen SELECT n, 's3cret' FROM generate_series(1, 100) AS n;
    CREATE TABLE guarded (id int); INSERT INTO guarded SELECT generate_series(1, 100);
    ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
    CREATE TABLE fresh (id int); ALTER TABLE fresh SET (autovacuum_enabled = off);
    GRANT SELECT ON users, guarded, fresh, shop."Orders" TO ${role}; REVOKE ALL ON unseen FROM ${role}; GRANT SELECT (id) ON unseen TO ${role};
    ANALYZE users, shop."Orders", unseen, guarded;
  `);
});

afterAll(() => probed.stop());

function probe(workload: WorkloadRequest, change: Parameters<ProbedDatabase['probe']>[0] = {}) {
  return probed.probe({ max: 2, sampleValues: true, workload, ...change });
}

/** Only a value that some row has makes it succeed. */
const finds = (condition: string, from = 'users') =>
  `SELECT 1 / count(*) FROM ${from} WHERE ${condition}`;

function resultOf(event: ProbeEvent) {
  if (event.kind !== 'result') throw new Error(JSON.stringify(event));
  return event.result;
}

test('values come from the columns that parameters are compared with, and rows have them', async () => {
  const statements = [
    finds('city = $1'),
    finds('users.id = $1 AND $2 < 5 + users.id'),
    finds(
      "u.city = $1 AND u.born BETWEEN $2 AND DATE '2001-01-01' + 0 * id OR city = $1",
      'users AS u',
    ),
    finds('id = ANY($1::int[])'),
    finds('"userId" = $1', 'shop."Orders" JOIN users ON users.id = "userId"'),
  ].map((text) => ({ text, weight: 1, parameters: text.includes('$2 < 5') ? ['4'] : [] }));
  const result = resultOf(await probe({ kind: 'statements', statements }));
  expect(result.errors).toEqual({});
  expect(result.workload.statements.map(({ parameters }) => parameters)).toEqual([
    ['@public.users.city'],
    ['@public.users.id', '4'],
    ['@public.users.city', '@public.users.born'],
    ['@public.users.id[]'],
    ['@shop."Orders"."userId"'],
  ]);
  expect(result.notes.join('\n')).toContain('Values were drawn from the statistics of columns');
  expect(JSON.stringify(result)).not.toMatch(secret);
  await probed.expectNoSessionLeft();
});

test('a column can be named', async () => {
  const workload = workloadOf(finds("city = 'x' || right($1, 0) OR id = $2"), [
    '@users.city',
    '@users.id',
  ]);
  expect(resultOf(await probe(workload)).errors).toEqual({});
  expect(await probe(workload, { sampleValues: false })).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(
      /^\$1: a parameter that begins with @ .*--sample-values only/,
    ) as string,
  });
});

test('a message of the server that repeats a value is not shown', async () => {
  const last = await probe(workloadOf('SELECT city::int FROM users WHERE city = $1'));
  expect(last).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(
      /^The statement does not run\. The server answered with 22P02; .*--sample-values/,
    ) as string,
  });
  expect(JSON.stringify(last)).not.toMatch(secret);
});

describe('a parameter without values', () => {
  test.each([
    [
      'a column that the role may not read',
      'SELECT id FROM unseen WHERE code = $1',
      'this role may not read unseen.code',
    ],
    [
      'row-level security',
      'SELECT id FROM guarded WHERE id = $1',
      'row-level security hides the values of guarded.id from this role',
    ],
    [
      'no ANALYZE',
      'SELECT id FROM fresh WHERE id = $1',
      'the server has no statistics of fresh.id (ANALYZE fresh gathers them)',
    ],
    [
      'no such column',
      'SELECT id FROM users WHERE nothing = $1',
      'no table of the statement has a column nothing',
    ],
    ['no column', 'SELECT id FROM users LIMIT $1', 'it is compared with no column'],
  ])('%s', async (_, text, because) => {
    expect(await probe(workloadOf(text), { dryRun: true })).toEqual({
      kind: 'failed',
      sentence: `The values of a parameter cannot be sampled: $1: ${because}. Give it with --param; those of the other parameters are still sampled.`,
    });
  });

  test('leaves the statement out of a route, with a sentence', async () => {
    const last = await probe(
      {
        kind: 'code',
        from: 'GET /users/:id',
        statements: [
          { text: 'SELECT city FROM users WHERE id = $1', weight: 1 },
          { text: 'SELECT id FROM users ORDER BY id LIMIT $1', weight: 1 },
          { text: 'UPDATE users SET city = $1', weight: 1 },
        ],
        notes: ['Left out of GET /users/:id: 1 query that a library builds.'],
      },
      { dryRun: true },
    );
    expect(last).toMatchObject({
      kind: 'plan',
      plan: {
        statements: ['SELECT city FROM users WHERE id = $1'],
        notes: expect.arrayContaining([
          'Left out of GET /users/:id: 1 with parameters, whose values are not known (give the missing values with --param, in order): SELECT id FROM users ORDER BY id LIMIT $1 ($1: it is compared with no column).',
          'Left out of GET /users/:id: 1 that writes or is no query.',
          'Left out of GET /users/:id: 1 query that a library builds.',
        ]) as string[],
      },
    });
  });

  test('is filled with what was given', async () => {
    const last = await probe({
      kind: 'code',
      from: 'src/users.ts',
      statements: [{ text: 'SELECT id FROM users WHERE city = $2 LIMIT $1', weight: 1 }],
      parameters: ['10'],
      notes: [],
    });
    expect(resultOf(last).workload).toMatchObject({
      origin: 'code',
      from: 'src/users.ts',
      statements: [{ parameters: ['10', '@public.users.city'] }],
    });
  });
});
