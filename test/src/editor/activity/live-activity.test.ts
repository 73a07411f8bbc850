import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/activity/clock.ts';
import { defaultThresholds } from '../../../../src/activity/thresholds.ts';
import { LiveActivity } from '../../../../src/editor/activity/live-activity.ts';
import { accessTo } from '../../../support/access-to.ts';
import { FakeServer } from '../../../support/fake-server.ts';

test('of two connects that overlap the later one is left, and Disconnect leaves none', async () => {
  const server = new FakeServer();
  const live = new LiveActivity({
    createSource: (open, onOpen) => server.source(open, onOpen),
    endSession: (_watching, _open, _request, signal) => server.terminate(signal),
    clock: systemClock,
    intervalSeconds: 2,
    thresholds: defaultThresholds,
    code: () => undefined,
    onChange: () => undefined,
    onRefused: () => undefined,
  });
  live.setWatched(true);
  live.connect(accessTo('postgres://app@here/shop'));
  live.connect(accessTo('postgres://app@there/shop'));
  await expect.poll(() => server.sessions).toBe(1);
  expect(live.connectionState()).toMatchObject({ label: 'app@there:5432/shop' });
  await live.disconnect();
  expect(server.sessions).toBe(0);
});
