import { expect, test } from 'vitest';
import { expectToRead } from '../../support/spoilt.ts';
import { firstIntent, foldPool, parseIntent, type Intent } from '../../../src/webview/intent.ts';

const intent: Intent = {
  list: { order: { column: 'pid', isDescending: true }, filter: 'api', hidesIdle: true },
  folds: { a: true, b: false },
};

test('what a page kept is read back, and anything else is a wish that can be kept', () => {
  expectToRead([intent, firstIntent], parseIntent);
});

test.each([
  [undefined],
  [null],
  ['text'],
  [[]],
  [{}],
  [
    {
      list: {
        order: { column: 'no such column', isDescending: true },
        filter: '',
        hidesIdle: false,
      },
    },
  ],
  [{ list: { order: { column: 'pid', isDescending: 'yes' }, filter: '', hidesIdle: false } }],
  [{ list: { order: { column: 'pid', isDescending: true }, filter: 7, hidesIdle: false } }],
  [
    {
      list: {
        order: { column: 'pid', isDescending: true },
        filter: 'x'.repeat(1_001),
        hidesIdle: false,
      },
    },
  ],
  [{ folds: 'all' }],
  [{ folds: { a: 1 } }],
])('%j is as at first', (value) => {
  expect(parseIntent(value)).toEqual(firstIntent);
});

test('a fold by hand replaces the one before, and only the last hundred are kept', () => {
  expect(foldPool(intent, 'a', false).folds).toEqual({ b: false, a: false });
  const many = Array.from({ length: 150 }, (_, n) => String.fromCodePoint(0x4e00 + n)).reduce(
    (before, key) => foldPool(before, key, true),
    intent,
  );
  expect(Object.keys(many.folds)).toHaveLength(100);
  expect(Object.keys(parseIntent(many).folds)).toHaveLength(100);
});
