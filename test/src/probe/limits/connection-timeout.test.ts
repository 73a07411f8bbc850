import { expect, test } from 'vitest';
import { toConnectionTimeout } from '../../../../src/probe/limits/connection-timeout.ts';
import { aLoad } from '../../../support/probe-result.ts';

const waiting = (p95Ms: number | null, maxMs = 0) => ({
  max: 2,
  closed: null,
  open: {
    rate: 100,
    load: { ...aLoad, wait: { count: 300, averageMs: 1, p50Ms: 1, p95Ms, p99Ms: null, maxMs } },
  },
});

test.each([
  ['a second at least', waiting(3), 2, 1000],
  ['ten times the wait of nearly all, in whole seconds', waiting(210), 2, 3000],
  ['ten seconds at most', waiting(4000), 2, 10_000],
  ['the longest wait of few', waiting(null, 150), 2, 2000],
  ['the mean of a statement, where nothing else is known', null, 170, 2000],
])('%s', (_, validation, meanMs, timeoutMs) => {
  expect(toConnectionTimeout(validation, meanMs)).toBe(timeoutMs);
});
