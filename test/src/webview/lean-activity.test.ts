import { expect, test } from 'vitest';
import {
  emptyActivity,
  nextActivity,
  type ActivityModel,
} from '../../../src/activity/activity-model.ts';
import type { Session } from '../../../src/activity/snapshot.ts';
import {
  capActivity,
  fillActivity,
  leanActivity,
  longestStatement,
} from '../../../src/webview/lean-activity.ts';
import { aReport, aSession } from '../../support/a-session.ts';

function seen(...sessions: readonly Session[]): ActivityModel {
  return nextActivity(emptyActivity, aReport(sessions));
}

const first = seen(
  aSession({ pid: 1, query: 'SELECT 1' }),
  aSession({ pid: 2, query: 'SELECT 2' }),
);
const second = seen(
  aSession({ pid: 1, query: 'SELECT 1', stateAgeMs: 99 }),
  aSession({ pid: 2, query: 'SELECT 3' }),
  aSession({ pid: 3, query: '' }),
);

test('a statement that did not change is not sent again, and the page has it all the same', () => {
  const lean = leanActivity(second, first);
  expect(lean.report?.sessions.map(({ query }) => query)).toEqual([null, 'SELECT 3', '']);
  expect(fillActivity(lean, first)).toEqual(second);
});

test('a process id that another backend got is another session', () => {
  const reused = seen(aSession({ pid: 1, backendStart: 'later', query: 'SELECT 1' }));
  expect(leanActivity(reused, first).report?.sessions.map(({ query }) => query)).toEqual([
    'SELECT 1',
  ]);
});

test('a page that has not got what was sent before cannot fill it', () => {
  expect(fillActivity(leanActivity(second, first), emptyActivity)).toBeUndefined();
  expect(fillActivity(leanActivity(second, emptyActivity), emptyActivity)).toEqual(second);
  expect(fillActivity(leanActivity(emptyActivity, first), first)).toEqual(emptyActivity);
});

test('a long statement is cut and says by how much; what is short is the same model', () => {
  const long = capActivity(seen(aSession({ query: 'x'.repeat(longestStatement + 1_234) })));
  expect(long.report?.sessions[0]?.query).toBe(
    `${'x'.repeat(longestStatement)} … cut: 1,234 more characters. Copying the statement gives all of it.`,
  );
  expect(capActivity(first)).toBe(first);
});
