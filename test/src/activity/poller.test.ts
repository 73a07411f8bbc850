import { expect, test } from 'vitest';
import {
  startPoller,
  type ActivitySource,
  type PollerClock,
} from '../../../src/activity/poller.ts';

/** Sleeps until it is woken. */
const endless: PollerClock = {
  now: () => 0,
  sleep: (_milliseconds, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    }),
};

/** Each look is answered by hand, with its number. */
function createLooks() {
  const answers: (() => void)[] = [];
  const source: ActivitySource<number> = {
    open: () =>
      Promise.resolve({
        kind: 'opened',
        reader: {
          read: () =>
            new Promise((resolve) => {
              const number = answers.length + 1;
              answers.push(() => resolve({ kind: 'report', report: number }));
            }),
          onLost: () => () => undefined,
          close: () => Promise.resolve(),
        },
      }),
  };
  return { source, answers };
}

test('who asks for a look during a look gets another one: the one on its way may have begun too early', async () => {
  const { source, answers } = createLooks();
  const poller = startPoller({ source, clock: endless, onState: () => undefined });
  await expect.poll(() => answers.length).toBe(1);
  poller.refresh();
  answers[0]?.();
  await expect.poll(() => answers.length, { timeout: 1_000 }).toBe(2);
  const stopped = poller.stop();
  answers[1]?.();
  await stopped;
});

test('nothing begins after the end', async () => {
  const { source, answers } = createLooks();
  const poller = startPoller({
    source,
    clock: endless,
    onState: () => undefined,
    startPaused: true,
  });
  await poller.stop();
  poller.resume();
  poller.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toEqual([]);
});
