import { expect, test } from 'vitest';
import { codeQueries, isSentQuery } from '../../../../src/editor/probe/code-queries.ts';
import { fillHoles, shapeOf, wordsBefore } from '../../../../src/editor/probe/statement-shape.ts';
import type { CodeStatement } from '../../../../src/linking/code-statement.ts';

test.each([
  ['SELECT 1', 0],
  ['  (select id from a) union all select $2::int;', 2],
  ["VALUES ('$9', $1)", 1],
  ['WITH a AS (SELECT 1) TABLE a -- $4', 0],
])('%j takes %d values', (sql, parameters) => {
  expect(shapeOf(sql)).toEqual({ kind: 'statement', parameters });
});

test.each([
  ['', /empty/],
  [' ; ', /empty/],
  ['SELECT 1; SELECT 2', /several/],
  ['UPDATE a SET b = 1', /read-only/],
  ['BEGIN', /read-only/],
  ["SELECT 'a", /never closed/],
  ['SELECT * FROM a FOR UPDATE', /locks rows/],
  ['SELECT $101', /more than 100/],
])('%j is refused', (sql, because) => {
  const shape = shapeOf(sql);
  expect(shape.kind === 'refused' && shape.sentence).toMatch(because);
});

test('the question for a value says where it goes', () => {
  expect(wordsBefore('SELECT *\n  FROM orders\n WHERE customer_id = $1 AND total > $10', 1)).toBe(
    'SELECT * FROM orders WHERE customer_id = $1',
  );
  expect(wordsBefore('SELECT * FROM orders WHERE customer_id = $1 AND total > $10', 10)).toBe(
    '… * FROM orders WHERE customer_id = $1 AND total > $10',
  );
  expect(wordsBefore('SELECT 1', 1)).toBe('');
});

test('holes become parameters, numbered on', () => {
  expect(fillHoles(['SELECT $2, ', ' FROM a WHERE b = ', ''])).toBe(
    'SELECT $2, $3 FROM a WHERE b = $4',
  );
  expect(fillHoles(['SELECT 1'])).toBe('SELECT 1');
});

const statement = (
  pieces: readonly string[],
  rest: Partial<CodeStatement> = {},
): CodeStatement => ({
  uri: 'file:///a.ts',
  path: 'a.ts',
  line: 1,
  column: 0,
  isAside: false,
  pieces,
  isSent: true,
  findings: [],
  ...rest,
});

test('each text of the code once, those of tests last, and none with holes or that writes', () => {
  const queries = codeQueries([
    statement(['SELECT 2'], { isAside: true, line: 2 }),
    statement(['SELECT $1::int'], { line: 3 }),
    statement(['SELECT 2 '], { line: 4 }),
    statement(['SELECT ', ' FROM a']),
    statement(['DELETE FROM a']),
  ]);
  expect(
    queries.map(({ text, parameters, place, others }) => [text, parameters, place.line, others]),
  ).toEqual([
    ['SELECT $1::int', 1, 3, 0],
    ['SELECT 2', 0, 4, 1],
  ]);
});

test('a lens stands where a query is sent, with holes or without, and not in tests', () => {
  const lenses = [
    statement(['SELECT 1']),
    statement(['SELECT ', ' FROM a']),
    statement(['SELECT 1'], { isSent: false }),
    statement(['SELECT 1'], { isAside: true }),
    statement(['INSERT INTO a VALUES ($1)']),
  ].map(isSentQuery);
  expect(lenses).toEqual([true, true, false, false, false]);
});
