import { expect, test } from 'vitest';
import type { ActivitySource } from '../../../src/activity/poller.ts';
import { CouldNotRun } from '../../../src/cli/exit-code.ts';
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

test('a server that breaks the protocol ends the command with a sentence', async () => {
  const sentence = 'The server at db sent DataRow without being asked.';
  const watched = pollUntil(new AbortController().signal, {
    source: {
      open: () =>
        Promise.resolve({ kind: 'failed', failure: { kind: 'breach', sentence, code: null } }),
    },
    seconds: 1,
    onState: () => undefined,
  });
  await expect(watched).rejects.toEqual(new CouldNotRun(sentence));
});
