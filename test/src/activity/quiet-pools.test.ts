import { expect, test } from 'vitest';
import { describeQuietPools } from '../../../src/activity/quiet-pools.ts';
import type { Session } from '../../../src/activity/snapshot.ts';
import { describeActivity } from '../../../src/cli/activity-text.ts';
import { emptyActivity, nextActivity } from '../../../src/activity/activity-model.ts';
import { aReport, aServer, aSession } from '../../support/a-session.ts';

function pool(count: number, change: Partial<Session> = {}): readonly Session[] {
  return Array.from({ length: count }, (_, index) =>
    aSession({ pid: index + 1, stateAgeMs: 42_000 + index, queryAgeMs: 42_000 + index, ...change }),
  );
}

const view = { isColored: false, columns: null, listsAll: false };

test('a pool whose clients were all leaked: what it may mean, and what shows it', () => {
  const text = describeActivity(nextActivity(emptyActivity, aReport(pool(10))), view);
  expect(text).toContain('PostgreSQL reports nothing that needs attention.\n');
  expect(text).toContain(
    'All 10 sessions of a pool have been idle for 42 s or longer, and pg closes clients that are not checked out after 10 s. Either idleTimeoutMillis is longer there, or clients are checked out and never released, and callers wait for them. PostgreSQL cannot see that queue; poolguard-monitor in the application shows it.',
  );
});

test.each<readonly [what: string, sessions: readonly Session[]]>([
  ['a pool at rest, within its idle timeout', pool(10, { stateAgeMs: 9_000 })],
  ['one of whose sessions works', [...pool(9), aSession({ pid: 10, state: 'active' })]],
  ['one of whose sessions has just worked', [...pool(9), aSession({ pid: 10, stateAgeMs: 5 })]],
  ['a terminal', pool(1)],
  ['Poolguard’s own', pool(3, { isOwn: true })],
  ['what this role may not see', pool(3, { state: 'hidden', stateAgeMs: null })],
  ['a server that notes no states down', pool(3, { state: 'disabled', stateAgeMs: null })],
])('nothing is said of %s', (_what, sessions) => {
  expect(describeQuietPools(aReport(sessions))).toBeNull();
});

test('several pools are counted together; behind a pooler nothing is said', () => {
  const both = [...pool(3), ...pool(4, { application: 'worker', stateAgeMs: 13_000 })];
  expect(describeQuietPools(aReport(both))).toMatch(
    /^All 7 sessions of 2 pools have been idle for 13 s or longer/,
  );
  const report = { ...aReport(both), server: { ...aServer, isPooled: true } };
  expect(describeQuietPools(report)).toBeNull();
});
