import { expect, test } from 'vitest';
import {
  emptyActivity,
  nextActivity,
  linkActivity,
} from '../../../../src/activity/activity-model.ts';
import { toHeadroom } from '../../../../src/activity/headroom.ts';
import { toThresholds } from '../../../../src/activity/thresholds.ts';
import type { ActivityReport, Session } from '../../../../src/activity/snapshot.ts';
import { describeHeadroom } from '../../../../src/editor/activity/headroom-status.ts';
import type { ConnectionState } from '../../../../src/webview/to-view.ts';
import { aReport, aSession } from '../../../support/a-session.ts';

const live: ConnectionState = { kind: 'live', label: 'shop' };

function status(connection: ConnectionState, report: ActivityReport | null) {
  const activity = report === null ? emptyActivity : nextActivity(emptyActivity, report);
  return describeHeadroom({ connection, activity });
}

const many = (count: number, change: Partial<Session> = {}) =>
  Array.from({ length: count }, (_, pid) => aSession({ pid, ...change }));

test.each<[ConnectionState]>([[{ kind: 'none', saved: 1 }], [{ kind: 'untrusted' }]])(
  'nothing for %j',
  (connection) => {
    expect(status(connection, null)).toBeUndefined();
  },
);

test.each([
  ['much room', many(12), '$(database) 12/95 connections', false],
  ['a warning', many(80), '$(database) 80/95 connections', false],
  ['hardly any room', many(90), '$(database) 90/95 connections', true],
  [
    'a leak',
    many(1, { state: 'idle in transaction', stateAgeMs: 61_000 }),
    '$(database) 1/95 connections',
    false,
  ],
])('%s', (_name, sessions, text, isCritical) => {
  expect(status(live, aReport(sessions))).toMatchObject({ text, isCritical });
});

test('the tooltip names concerns, split, limits and when it was seen', () => {
  const user = 'app\u202E';
  const sessions = [
    ...many(3, { user }),
    aSession({ pid: 9, user, application: 'poolguard', isOwn: true }),
  ];
  const headroom = toHeadroom(
    {
      maxConnections: 100,
      superuserReserved: 3,
      reserved: 2,
      limits: [{ scope: 'role', name: user, limit: 4, isOwn: true }],
    },
    sessions,
  );
  expect(status(live, { ...aReport(sessions), headroom })?.tooltip.split('\n')).toEqual([
    'This role has 4 of the 4 connections that its own limit allows (100 %): 0 left.',
    '4 of 95 connections used, 91 free: 3 idle, 1 Poolguard’s own.',
    'this role, app\\u202e: 4 of its own limit of 4 used, 0 free',
    "This role could open 0 more; the role's own limit binds first.",
    "Sampled at 00:00:00 UTC by the server's clock.",
  ]);
});

test('a figure that is no longer fresh says so, and raises no alarm', () => {
  const paused = status({ kind: 'paused', label: 'shop' }, aReport(many(90)));
  expect(paused).toMatchObject({ text: '$(debug-pause) 90/95 connections', isCritical: false });
  expect(paused?.tooltip).toMatch(/open the Poolguard sidebar to refresh\.$/);
});

test('a lost connection says why', () => {
  expect(
    status(
      { kind: 'lost', label: 'shop', sentence: 'Nothing listens on db:5432.', retryInMs: 1 },
      aReport([]),
    ),
  ).toMatchObject({
    text: '$(debug-disconnect) Connection lost',
    tooltip: 'Nothing listens on db:5432.',
    isCritical: false,
  });
});

test('other thresholds judge the same look', () => {
  const activity = nextActivity(emptyActivity, aReport(many(90)));
  expect(
    linkActivity(
      activity,
      undefined,
      toThresholds({ usedWarningPercent: 99, usedCriticalPercent: 100, keptFree: 1 }),
    ).concerns,
  ).toEqual([]);
  expect(linkActivity(emptyActivity, undefined, toThresholds())).toBe(emptyActivity);
});
