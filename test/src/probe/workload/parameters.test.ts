import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeColumnParameter } from '../../../../src/probe/workload/column-name.ts';
import { readParameter, type ParameterValue } from '../../../../src/probe/workload/parameters.ts';
import { createRandom } from '../../../../src/probe/random.ts';

function draw(text: string, times = 200): readonly ParameterValue[] {
  const read = readParameter(text);
  if (read.kind !== 'values') throw new Error(JSON.stringify(read));
  const random = createRandom(1);
  return Array.from({ length: times }, () => read.draw(random));
}

test.each<readonly [text: string, values: readonly ParameterValue[]]>([
  ['42', ['42']],
  ['-4.50', ['-4.50']],
  ['text', ['text']],
  ['', ['']],
  ["''", ['']],
  ["'it''s'", ["it's"]],
  ["'a|b'", ['a|b']],
  ['null', [null]],
  ['NULL', [null]],
  ["'null'", ['null']],
  ["'1..3'", ['1..3']],
  ['1..3', ['1', '2', '3']],
  ['-1..1', ['-1', '0', '1']],
  ['5..5', ['5']],
  ['0.8..1.05', ['0.80', '0.81', '1.05']],
  ['a|b|null', ['a', 'b', null]],
  ['a | 7..8', ['a', '7', '8']],
  ['2026-02-27..2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
  ['{1,2}', ['{1,2}']],
  ['2026-01-01 10:00', ['2026-01-01 10:00']],
])('%s gives %j', (text, values) => {
  expect(new Set(draw(text))).toEqual(text === '0.8..1.05' ? expect.any(Set) : new Set(values));
  expect(draw(text)).toEqual(expect.arrayContaining([...values]));
});

test.each([
  ['9..1', /ends before it begins: write 1\.\.9/],
  ['2026-03-01..2026-02-01', /ends before/],
  ['2026-02-30..2026-03-01', /day that there is not/],
  ['0..99999999999999999999', /too wide/],
  ["'open", /never closed/],
  ["'a'b", /never closed, or text after it/],
  ['a\0b', /code 0/],
])('refuses %s with a sentence', (text, sentence) => {
  expect(readParameter(text)).toEqual({
    kind: 'problem',
    sentence: expect.stringMatching(sentence) as string,
  });
});

test('a range gives both ends and nothing beyond them, each about as often', () => {
  const values = draw('1..4', 4000).map(Number);
  for (const value of [1, 2, 3, 4])
    expect(values.filter((each) => each === value).length).toBeGreaterThan(850);
  expect(values.every((value) => value >= 1 && value <= 4)).toBe(true);
});

test('whatever is written gives values or a sentence', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readParameter(text);
      if (read.kind === 'problem') return /\.$/.test(read.sentence);
      if (read.kind === 'column') return text.startsWith('@');
      const value = read.draw(() => 0.999);
      return value === null || typeof value === 'string';
    }),
  );
});

test.each([
  ['@users.city', { schema: null, table: 'users', column: 'city' }, false],
  ['@Shop.Users.City', { schema: 'shop', table: 'users', column: 'city' }, false],
  ['@"Shop"."a.b"."say ""hi"""[]', { schema: 'Shop', table: 'a.b', column: 'say "hi"' }, true],
])('%s names a column', (text, column, isList) => {
  expect(readParameter(text)).toEqual({ kind: 'column', parameter: { column, isList } });
});

test.each(['@handle', "'@users.city'", '@a.b.c.d', '@users.', 'x@users.city', '@users.city|3'])(
  '%s is a text',
  (text) => {
    expect(readParameter(text).kind).toBe('values');
  },
);

test('what is written for a column is read as that column', () => {
  fc.assert(
    fc.property(
      fc.record({
        schema: fc.option(fc.string({ minLength: 1 })),
        table: fc.string({ minLength: 1 }),
        column: fc.string({ minLength: 1 }),
      }),
      fc.boolean(),
      (column, isList) => {
        const text = writeColumnParameter({ column, isList });
        if (text === null) return;
        expect(readParameter(text)).toEqual({ kind: 'column', parameter: { column, isList } });
      },
    ),
  );
});
