import { expect, test } from 'vitest';
import { readSqlTokens } from '../../../src/sql/sql-tokens.ts';

test.each([
  ["SELECT E'it\\'", 'a string that is never closed'],
  ["SELECT U&'d", 'a string that is never closed'],
  ['SELECT U&"d', 'a double quote that is never closed'],
  ['SELECT $a$ b $', 'a dollar-quoted string that is never closed'],
  ['SELECT 1 /* /* */', 'a comment that is never closed'],
])('what never closes is a problem: %s', (sql, what) => {
  expect(readSqlTokens(sql)).toEqual({ kind: 'problem', what });
});

test('a word is folded as the server does it, and strings stay as they are written', () => {
  expect(readSqlTokens(`İd"A""b" U&"d\\0061t" E'x' 1..f`)).toEqual({
    kind: 'tokens',
    tokens: [
      { kind: 'word', text: 'İd' },
      { kind: 'quoted', text: 'A"b' },
      { kind: 'quoted', text: 'dat' },
      { kind: 'string', text: "E'x'" },
      { kind: 'number', text: '1' },
      { kind: 'mark', text: '..' },
      { kind: 'word', text: 'f' },
    ],
  });
});

test('a blank beyond ASCII is a part of a name, as the server reads it', () => {
  expect(readSqlTokens('x\u00A0pg_sleep(1)')).toMatchObject({
    tokens: [{ kind: 'word', text: 'x\u00A0pg_sleep' }, {}, {}, {}],
  });
});
