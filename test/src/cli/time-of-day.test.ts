import { afterEach, expect, test, vi } from 'vitest';
import { timeOfDay } from '../../../src/cli/time-of-day.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['UTC', '09:48:09'],
  ['Asia/Kathmandu', '15:33:09'],
  ['America/New_York', '04:48:09'],
])('a moment is told by the clock of the terminal, in %s', (zone, told) => {
  vi.stubEnv('TZ', zone);
  expect(timeOfDay('2026-11-22T09:48:09.965Z')).toBe(told);
});

test('what is no moment stays as it is', () => {
  expect(timeOfDay('soon')).toBe('soon');
});
