import { expect, test } from 'vitest';
import { readWorkloadFile } from '../../../../src/probe/workload/workload-file.ts';

test('reads statements with their weights and parameters', () => {
  const text = `
-- The shop at noon.
-- weight: 3
-- params: 1..1000, 'a, b'|c
SELECT * FROM users WHERE id = $1 AND name = $2; -- trailing; words

/* weight: 0.5 */
SELECT ';' -- weight: 9
  FROM orders;
;
SELECT 2`;
  expect(readWorkloadFile(text)).toEqual({
    kind: 'statements',
    statements: [
      {
        text: 'SELECT * FROM users WHERE id = $1 AND name = $2',
        weight: 3,
        parameters: ['1..1000', "'a, b'|c"],
      },
      { text: "SELECT ';' -- weight: 9\n  FROM orders", weight: 0.5, parameters: [] },
      { text: 'SELECT 2', weight: 1, parameters: [] },
    ],
  });
});

test('a mark at the beginning of the file is no part of a statement', () => {
  expect(readWorkloadFile('\uFEFFSELECT 1')).toMatchObject({ statements: [{ text: 'SELECT 1' }] });
});

test.each([
  ['', 1, /no statement/],
  ['-- only a comment\n;', 1, /no statement/],
  ["SELECT 1;\n\nSELECT 'open", 3, /string that is never closed/],
  ['SELECT 1;\n-- weight: none\nSELECT 2', 3, /above 0.*"none"/],
  ['-- weight: 0\nSELECT 2', 2, /above 0/],
])('says what is wrong with %j, and in which line', (text, line, sentence) => {
  expect(readWorkloadFile(text)).toEqual({
    kind: 'problem',
    line,
    sentence: expect.stringMatching(sentence) as string,
  });
});
