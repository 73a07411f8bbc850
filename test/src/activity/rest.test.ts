import { expect, test } from 'vitest';
import { restMs } from '../../../src/activity/poller.ts';

test.each([
  ['a quick look', 1_000, 10, 2, 1_000],
  ['a slow network', 1_000, 800, 1, 3_200],
  ['a server that works for us long', 1_000, 60, 50, 4_950],
  ['a server that hardly answers', 1_000, 2_000, 1_900, 30_000],
  ['an interval longer than that', 3_600_000, 2_000, 1_900, 3_600_000],
])('%s', (_name, interval, took, server, rest) => {
  expect(restMs(interval, took, server)).toBe(rest);
});
