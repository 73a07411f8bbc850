import { expect, test } from 'vitest';
import { tellSeconds } from '../../../src/sweep/tell-seconds.ts';

test('every second is told while the work lasts', async () => {
  let ms = 0;
  const told: number[] = [];
  let finish = (_: string): void => undefined;
  const work = new Promise<string>((resolve) => (finish = resolve));
  const clock = {
    now: () => ms,
    wait: (each: number, signal: AbortSignal) =>
      new Promise<void>((go) => {
        ms += each;
        if (ms > 3000) signal.addEventListener('abort', () => go(), { once: true });
        else go();
        if (ms > 3000) finish('done');
      }),
  };
  expect(await tellSeconds(work, clock, (seconds) => told.push(seconds))).toBe('done');
  expect(told).toEqual([0, 1, 2, 3]);
});
