import { beforeAll, describe, expect, test } from 'vitest';
import {
  chooseStatements,
  type Candidate,
  type CandidateSource,
  type ChoiceRules,
} from '../../../../src/probe/workload/choose-statements.ts';
import type { FindColumn } from '../../../../src/probe/workload/column-source.ts';
import { loadSqlParser, type SqlParser } from '../../../../src/probe/workload/sql-parser.ts';

let parse: SqlParser;

beforeAll(async () => {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  parse = loaded.parse;
});

const top: readonly Candidate[] = [
  'SELECT * FROM users WHERE id = $1',
  'UPDATE users SET seen = now()',
  'SELECT count(*) FROM orders',
  'SELECT * FROM pg_stat_activity',
  "SELECT nextval('ids')",
  'SELECT a, b FROM t WHERE a = $1 AND b = $2',
  'TABLE products',
].map((text, at) => ({ text, weight: 100 - at }));

const source: CandidateSource = {
  name: 'the top statements',
  lacksValues: 'pg_stat_statements does not keep',
  none: 'pg_stat_statements shows no statement of this database that can be probed as it is.',
  shows: 'pg_stat_statements shows',
};

function choose(change: Partial<ChoiceRules> = {}, candidates = top) {
  return chooseStatements(candidates, {
    source,
    count: 5,
    parameters: [],
    findColumn: null,
    allowWrites: false,
    parse,
    ...change,
  });
}

test('takes what runs as it is, by calls, and says what was left out', async () => {
  expect(await choose()).toEqual({
    kind: 'chosen',
    statements: [
      { text: 'SELECT count(*) FROM orders', weight: 98, parameters: [] },
      { text: 'TABLE products', weight: 94, parameters: [] },
    ],
    notes: [
      'Left out of the top statements: 2 with parameters, whose values pg_stat_statements does not keep (allow --sample-values to take them from the statistics of their columns, or probe such a one with --sql and --param): SELECT * FROM users WHERE id = $1; SELECT a, b FROM t WHERE a = $1 AND b = $2.',
      "Left out of the top statements: 1 that writes or is no query, 1 that only reads the server's own catalogs, 1 that does not pass the statement check.",
      'pg_stat_statements shows 2 statements that can be probed, not 5.',
    ],
  });
});

test('values that were given fill parameters in order, as far as they go', async () => {
  expect(await choose({ count: 2, parameters: ['1..9', 'x'] })).toMatchObject({
    statements: [
      { text: 'SELECT * FROM users WHERE id = $1', parameters: ['1..9'] },
      { parameters: [] },
    ],
    notes: [
      expect.stringContaining('writes'),
      expect.stringMatching(/1 of the values .* was not needed/),
    ],
  });
});

test('stops at the count, and takes writes where they are allowed', async () => {
  expect(await choose({ count: 1, allowWrites: true })).toMatchObject({
    statements: [{ text: 'UPDATE users SET seen = now()', weight: 99 }],
  });
});

test('a write of a table that calls nothing is no look at the catalogs', async () => {
  const text = 'UPDATE counters SET n = n + 1 WHERE id = 1';
  expect(await choose({ allowWrites: true }, [{ text, weight: 1 }])).toMatchObject({
    statements: [{ text }],
  });
});

test('without any, the reasons are the answer', async () => {
  expect(await choose({}, top.slice(0, 2))).toMatchObject({
    kind: 'refused',
    sentence: expect.stringMatching(
      /^pg_stat_statements shows no statement.*with parameters.*Name statements with --sql\.$/,
    ) as string,
  });
});

describe('where values of columns are read', () => {
  /** Every column has values but those that are called b. */
  const findColumn: FindColumn = (scopes) => {
    const first = scopes[0]?.[0];
    return Promise.resolve(
      first === undefined || first.column === 'b'
        ? { kind: 'unknown', because: 'the server has no statistics of t.b' }
        : { kind: 'column', column: { ...first, schema: 'public' }, draw: () => 'secret' },
    );
  };

  test('parameters are filled by the columns that they are compared with', async () => {
    expect(await choose({ count: 1, findColumn })).toMatchObject({
      statements: [{ text: 'SELECT * FROM users WHERE id = $1', parameters: ['@public.users.id'] }],
      notes: [],
    });
  });

  test('one whose column is unknown is left out, with the reason', async () => {
    expect(await choose({ findColumn }, top.slice(4))).toMatchObject({
      statements: [{ text: 'TABLE products' }],
      notes: expect.arrayContaining([
        'Left out of the top statements: 1 with parameters, whose values are not known (give the missing values with --param, in order): SELECT a, b FROM t WHERE a = $1 AND b = $2 ($2: the server has no statistics of t.b).',
      ]) as string[],
    });
  });

  test('or takes the value that was given', async () => {
    expect(await choose({ findColumn, parameters: ['7'] }, top.slice(5, 6))).toMatchObject({
      statements: [{ parameters: ['@public.t.a', '7'] }],
    });
  });
});
