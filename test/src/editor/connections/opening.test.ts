import { expect, test } from 'vitest';
import type { OpenConnection } from '../../../../src/editor/activity/live-connection.ts';
import { Opening } from '../../../../src/editor/connections/opening.ts';
import { accessTo } from '../../../support/access-to.ts';

function createOpening() {
  let open: string | undefined;
  const opening = new Opening({
    live: {
      connect: ({ target }) => (open = target.host),
      disconnect: () => {
        open = undefined;
        return Promise.resolve();
      },
    },
    probe: { clear: () => Promise.resolve() },
  });
  return { opening, open: () => open };
}

/** Works, but takes until it is let go; `signal` ends the wait. */
function slowly(host: string) {
  let letGo: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (letGo = resolve));
  const tryOut = async (signal: AbortSignal): Promise<OpenConnection> => {
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.race([ready, ended]);
    return accessTo(`postgres://app@${host}/shop`);
  };
  return { tryOut, letGo };
}

test('a slow server that was asked for first does not take the place of the one asked for last', async () => {
  const { opening, open } = createOpening();
  const [slow, quick] = [slowly('slow'), slowly('quick')];
  quick.letGo();
  const both = Promise.all([opening.open(slow.tryOut), opening.open(quick.tryOut)]);
  slow.letGo();
  expect(await both).toEqual([false, true]);
  expect(open()).toBe('quick');
});

test('what is still tried out when somebody disconnects is not opened afterwards', async () => {
  const { opening, open } = createOpening();
  const slow = slowly('slow');
  const opened = opening.open(slow.tryOut);
  await opening.close();
  slow.letGo();
  expect(await opened).toBe(false);
  expect(open()).toBeUndefined();
});
