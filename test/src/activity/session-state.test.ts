import { expect, test } from 'vitest';
import { sortSessions } from '../../../src/activity/session-list.ts';
import { runningMs } from '../../../src/activity/session-state.ts';
import { aSession } from '../../support/a-session.ts';

test('only a statement that runs has an age: query_start of a session that rests is of one that has ended', () => {
  const forgotten = aSession({ pid: 1, state: 'idle in transaction', queryAgeMs: 60_000 });
  const running = aSession({ pid: 2, state: 'active', queryAgeMs: 500 });
  expect([forgotten, running, aSession({ pid: 3 })].map(runningMs)).toEqual([null, 500, null]);
  expect(
    sortSessions([forgotten, running], { column: 'query-age', isDescending: true }).map(
      ({ pid }) => pid,
    ),
  ).toEqual([2, 1]);
});
