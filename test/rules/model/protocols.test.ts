import { expect, test } from 'vitest';
import { postgres, transactionStep, typeorm } from '../../../rules/model/protocols.ts';

test('a method of the row is a step of the transaction', () => {
  expect(transactionStep(typeorm, 'commitTransaction')).toBe('commit');
});

test.for(['toString', 'constructor', 'hasOwnProperty', undefined])(
  'a method that every object has is none: %s',
  (method) => {
    expect(transactionStep(postgres, method)).toBeUndefined();
    expect(transactionStep(typeorm, method)).toBeUndefined();
  },
);
