import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Paced } from '../../../../src/editor/running/paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first is done at once, those after it together at the end of the span, and nothing more', () => {
  const acts: number[] = [];
  const paced = new Paced(() => acts.push(Date.now()), 250);
  const begin = Date.now();
  for (let each = 0; each < 10; each += 1) paced.ask();
  vi.advanceTimersByTime(1000);
  expect(acts).toEqual([begin, begin + 250]);
  paced.ask();
  expect(acts).toEqual([begin, begin + 250, begin + 1000]);
});

test('nothing is done once it is disposed', () => {
  let acts = 0;
  const paced = new Paced(() => (acts += 1), 250);
  paced.ask();
  paced.ask();
  paced.dispose();
  vi.advanceTimersByTime(1000);
  expect(acts).toBe(1);
});
