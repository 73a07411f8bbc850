import { beforeAll, expect, test } from 'vitest';
import type { TopStatement } from '../../../../src/database/top-statements.ts';
import { chooseTop, type TopRules } from '../../../../src/probe/workload/choose-top.ts';
import { loadSqlParser, type SqlParser } from '../../../../src/probe/workload/sql-parser.ts';

let parse: SqlParser;

beforeAll(async () => {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  parse = loaded.parse;
});

const top: readonly TopStatement[] = [
  'SELECT * FROM users WHERE id = $1',
  'UPDATE users SET seen = now()',
  'SELECT count(*) FROM orders',
  'SELECT * FROM pg_stat_activity',
  "SELECT nextval('ids')",
  'SELECT a, b FROM t WHERE a = $1 AND b = $2',
  'TABLE products',
].map((text, at) => ({ text, calls: 100 - at, totalMs: 1000 - at }));

function choose(change: Partial<TopRules> = {}) {
  return chooseTop(top, {
    count: 5,
    parameters: [],
    allowWrites: false,
    parse,
    hidden: 0,
    ...change,
  });
}

test('takes what runs as it is, by calls, and says what was left out', () => {
  expect(choose()).toEqual({
    kind: 'chosen',
    statements: [
      { text: 'SELECT count(*) FROM orders', weight: 98, parameters: [] },
      { text: 'TABLE products', weight: 94, parameters: [] },
    ],
    notes: [
      'Left out of the top statements: 2 with parameters, whose values pg_stat_statements does not keep (probe such a one with --sql and --param): SELECT * FROM users WHERE id = $1; SELECT a, b FROM t WHERE a = $1 AND b = $2.',
      "Left out of the top statements: 1 that writes or is no query, 1 that only reads the server's own catalogs, 1 that does not pass the statement check.",
      'pg_stat_statements shows 2 statements that can be probed, not 5.',
    ],
  });
});

test('values that were given fill parameters in order, as far as they go', () => {
  expect(choose({ count: 2, parameters: ['1..9', 'x'] })).toMatchObject({
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

test('stops at the count, and takes writes where they are allowed', () => {
  expect(choose({ count: 1, allowWrites: true })).toMatchObject({
    statements: [{ text: 'UPDATE users SET seen = now()', weight: 99 }],
  });
});

test('without any, the reasons are the answer', () => {
  const answer = chooseTop(top.slice(0, 2), {
    count: 3,
    parameters: [],
    allowWrites: false,
    parse,
    hidden: 4,
  });
  expect(answer).toMatchObject({
    kind: 'refused',
    sentence: expect.stringMatching(
      /^pg_stat_statements shows no statement.*with parameters.*4 statements of other roles.*Name statements with --sql\.$/,
    ) as string,
  });
});
