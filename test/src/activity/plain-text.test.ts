import { expect, test } from 'vitest';
import { toShortText } from '../../../src/activity/plain-text.ts';

test.each([
  ['orders', 10, 'orders'],
  ['orders-api', 10, 'orders-api'],
  ['orders-api-2', 10, 'orders-ap…'],
  ['a\n\tb', 3, 'a b'],
  ['\u200b', 6, '\\u200b'],
  ['\u200bab', 6, '\\u200…'],
  ['', 10, ''],
])('%j in %i characters is %j', (text, length, expected) => {
  expect(toShortText(text, length)).toBe(expected);
});

test('what is cut off is not read, and its lack is shown', () => {
  expect(toShortText(`${' '.repeat(1_000_000)}end`, 10)).toBe(' …');
  expect(toShortText(`${'🐘'.repeat(1_000_000)}end`, 3)).toBe('🐘🐘…');
});
