import { expect, test } from 'vitest';
import type { ActivitySource } from '../../../src/activity/poller.ts';
import { pollUntil } from '../../../src/cli/watch.ts';

test('an error of our own ends the command with its stack, after the connection is closed', async () => {
  const error = new TypeError('rows is not iterable');
  let isOpen = false;
  const source: ActivitySource<{ readonly takenAt: string }> = {
    open: () => {
      isOpen = true;
      return Promise.resolve({
        kind: 'opened',
        reader: {
          read: () => Promise.reject(error),
          onLost: () => () => undefined,
          close: () => {
            isOpen = false;
            return Promise.resolve();
          },
        },
      });
    },
  };
  const states: string[] = [];
  const watched = pollUntil(new AbortController().signal, {
    source,
    seconds: 1,
    onState: ({ kind }) => states.push(kind),
  });
  await expect(watched).rejects.toBe(error);
  expect(isOpen).toBe(false);
  expect(states).toEqual(['connecting']);
});
