import { expect, test } from 'vitest';
import { mayHoldCode } from '../../../src/lint/file-code.ts';

test.each([
  ['a statement', "const text = 'SELECT 1';"],
  ['behind a comment', 'const text = `-- all of them\n  SELECT 1`;'],
  ['behind a comment in a line', "const text = '/* list */ update users set seen = now()';"],
  ['in parentheses', "const text = '(SELECT 1) UNION (SELECT 2)';"],
  ['a call', 'await db.query(text);'],
])('%s is seen', (_what, text) => {
  expect(mayHoldCode(text)).toBe(true);
});

test('plain words are not', () => {
  expect(mayHoldCode("const label = 'Choose a colour'; // or create one")).toBe(false);
});

test.each(['"--', '"/*', '"((((', '"-- ', '"\n--'])(
  'no file takes long: %j again and again',
  (part) => {
    const once = (length: number): number => {
      const text = part.repeat(Math.ceil(length / part.length));
      const began = performance.now();
      expect(mayHoldCode(text)).toBe(false);
      return performance.now() - began;
    };
    const small = Math.max(1, Math.min(once(50_000), once(50_000)));
    // Linear would be eight times as long, quadratic sixty-four times.
    expect(Math.min(once(400_000), once(400_000)) / small).toBeLessThan(40);
  },
);
