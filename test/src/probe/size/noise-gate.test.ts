import { expect, test } from 'vitest';
import {
  acceptSlices,
  hasDrifted,
  isQuiet,
  needsCpu,
} from '../../../../src/probe/size/noise-gate.ts';
import type { SliceLoad, WaitSamples } from '../../../../src/probe/size/slice.ts';
import { calm, makeSlices, running, waitingFor } from '../../../support/synthetic-slices.ts';

test.each<readonly [string, Partial<SliceLoad>, boolean]>([
  ['other programs use little', { cores: 2, foreignCores: 0.25, idleCores: 0 }, true],
  ['other programs compete', { cores: 2, foreignCores: 0.3, idleCores: 0 }, false],
  ['the same load on more cores', { cores: 8, foreignCores: 0.3, idleCores: 0 }, true],
  [
    'other programs use much, but cores are idle',
    { cores: 8, foreignCores: 3, idleCores: 0.25 },
    true,
  ],
  ['the backends are out of sight', { foreignCores: null, idleCores: 0 }, true],
])('a slice is quiet when %s: %o', (_, load, quiet) => {
  expect(isQuiet({ ...calm, ...load })).toBe(quiet);
});

test.each([
  [100, 124, false],
  [100, 126, true],
  [100, 76, false],
  [100, 74, true],
])('from %i to %i is drift: %s', (first, again, drifted) => {
  expect(hasDrifted(first, again)).toBe(drifted);
});

test.each<readonly [string, readonly WaitSamples[], boolean]>([
  ['nothing was seen yet', [], true],
  [
    'too little was seen',
    [{ size: 1, running: 0, waiting: [{ type: 'Timeout', event: 'PgSleep', count: 19 }] }],
    true,
  ],
  ['backends were running', running([1, 2, 4]), true],
  ['backends were sleeping', waitingFor('Timeout', 'PgSleep', [2, 4, 8]), false],
])('needs the CPU when %s', (_, samples, expected) => {
  expect(needsCpu(samples)).toBe(expected);
});

test('disturbed slices count only for a statement that waits', () => {
  const slices = makeSlices({ sizes: [1, 2], rounds: 2, throughput: () => 100, quiet: false });
  expect(acceptSlices(slices, running([1, 2]))).toEqual([]);
  expect(acceptSlices(slices, waitingFor('Lock', 'tuple', [4, 8]))).toEqual(slices);
});
