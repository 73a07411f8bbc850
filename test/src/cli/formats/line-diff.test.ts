import { expect, test } from 'vitest';
import { lineDiff } from '../../../../src/cli/formats/line-diff.ts';

const numbers = Array.from({ length: 20 }, (_, index) => String(index + 1));
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

test('what is the same shows nothing', () => {
  expect(lineDiff(text(numbers), text(numbers))).toBe('');
});

test('changes are shown with three lines around them, those that are apart in blocks of their own', () => {
  const after = numbers.flatMap((line) =>
    line === '2' ? ['two'] : line === '15' ? ['15', 'new'] : line === '17' ? [] : [line],
  );
  expect(lineDiff(text(numbers), text(after))).toBe(`@@ -1 +1 @@
 1
-2
+two
 3
 4
 5
@@ -13 +13 @@
 13
 14
 15
+new
 16
-17
 18
 19
 20
`);
});

test('lines at the end are added and taken away', () => {
  expect(lineDiff('a\n', 'a\nb\n')).toBe('@@ -1 +1 @@\n a\n+b\n');
  expect(lineDiff('a\nb\n', 'b\n')).toBe('@@ -1 +1 @@\n-a\n b\n');
  expect(lineDiff('a\r\nb\r\n', 'a\r\nc\r\n')).toBe('@@ -1 +1 @@\n a\n-b\n+c\n');
});
