import { expect, test } from 'vitest';
import { mayHoldCode } from '../../../src/lint/file-code.ts';

test.each([
  ['a statement', "const text = 'SELECT 1';"],
  ['behind a comment', 'const text = `-- all of them\n  SELECT 1`;'],
  ['behind a comment in a line', "const text = '/* list */ update users set seen = now()';"],
  ['in parentheses', "const text = '(SELECT 1) UNION (SELECT 2)';"],
  ['a call', 'await db.query(text);'],
  ['a query that a library builds', 'await db.selectFrom(users).execute();'],
])('%s is seen', (_what, text) => {
  expect(mayHoldCode(text)).toBe(true);
});

test('plain words are not', () => {
  expect(mayHoldCode("const label = 'Choose a colour'; // or create one")).toBe(false);
});

test.each(['"--', '"/*', '"((((', '"-- ', '"\n--'])(
  'no file takes long: %j again and again',
  (part) => {
    // What grew with the square of the length would not end within the time limit of any test.
    expect(mayHoldCode(part.repeat(Math.ceil(2_000_000 / part.length)))).toBe(false);
  },
);
