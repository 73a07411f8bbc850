import { describe, expect, it } from 'vitest';
import { indicesIn, toStretches } from '../../../src/cli/cache/saved-lint.ts';

describe('stretches of a table', () => {
  it.each<[readonly number[], string]>([
    [[0], '0 1'],
    [[5], '5 1'],
    [[0, 1, 2, 40, 41], '0 3 11 2'],
    [[1, 3, 5], '1 1 1 1 1 1'],
  ])('of %j', (indices, stretches) => {
    expect(toStretches(indices)).toBe(stretches);
    expect(indicesIn(stretches, 42)).toEqual(indices);
  });

  it.each([
    '',
    ' ',
    '1',
    '1 ',
    '0 1 ',
    '0 1 2',
    '-1 1',
    '1.5 1',
    '0 1  1 1',
    '0 43',
    '42 1',
    '0 40 1 2',
  ])('are not %j', (stretches) => {
    expect(indicesIn(stretches, 42)).toBeUndefined();
  });
});
