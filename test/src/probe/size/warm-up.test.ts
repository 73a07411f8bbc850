import { expect, test } from 'vitest';
import { findSteadyStart } from '../../../../src/probe/size/warm-up.ts';

test.each([
  ['steady from the start', [10, 10, 11, 9, 10, 11, 9, 10], 0],
  ['cold for two looks', [1, 3, 10, 10, 11, 9, 10, 10], 2],
  ['rising to the end', [1, 2, 3, 4, 5, 6, 7, 8], 4],
  ['nothing at all', [0, 0, 0, 0], 0],
])('%s', (_, counts, start) => {
  expect(findSteadyStart(counts)).toBe(start);
});
