import { expect, test } from 'vitest';
import {
  startPoller,
  type ActivitySource,
  type PollerClock,
  type PollerState,
} from '../../../src/activity/poller.ts';
import { createStateLog } from '../../support/state-log.ts';

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

test('a server that breaks the protocol is not connected to again by itself', async () => {
  const log = createStateLog<PollerState<number>>();
  const sentence = 'The server at db sent DataRow without being asked.';
  const source: ActivitySource<number> = {
    open: () =>
      Promise.resolve({ kind: 'failed', failure: { kind: 'breach', sentence, code: null } }),
  };
  const poller = startPoller({ source, clock: endless, onState: log.add });
  expect(await log.until(({ kind }) => kind === 'lost')).toMatchObject({
    retryInMs: null,
    failure: { sentence },
  });
  await poller.stop();
});

test('an error of our own says what it is, not what may be wrong with the network, and is not tried again', async () => {
  const error = new TypeError('rows is not iterable');
  const log = createStateLog<PollerState<number>>();
  let attempts = 0;
  const source: ActivitySource<number> = {
    open: () => {
      attempts += 1;
      return Promise.reject(error);
    },
  };
  const poller = startPoller({ source, clock: endless, onState: log.add });
  expect(await log.until(({ kind }) => kind === 'lost')).toMatchObject({
    retryInMs: null,
    failure: {
      kind: 'unexpected',
      sentence: 'Poolguard failed unexpectedly: rows is not iterable.',
      error,
    },
  });
  poller.setIntervalMs(1);
  expect(attempts).toBe(1);
  poller.refresh();
  await log.next(({ kind }) => kind === 'lost');
  expect(attempts).toBe(2);
  await poller.stop();
});
