import { expect, test } from 'vitest';
import { liveText } from '../../../../src/editor/linking/live-text.ts';
import { linkCode } from '../../../../src/linking/linked-code.ts';
import type { Session } from '../../../../src/activity/snapshot.ts';
import { aSession } from '../../../support/a-session.ts';
import { aStatement } from '../../../support/a-statement.ts';

const finding = { uri: 'file:///shop/src/users.ts', rule: 'no-unreleased-client', line: 40 };
const sql = 'SELECT id FROM users WHERE id = $1';
const flagged = aStatement(sql, { findings: [{ rule: finding.rule, line: finding.line }] });
const code = linkCode({
  statements: [flagged, aStatement('SELECT id FROM orders')],
  pools: [],
  isCut: false,
  queries: [],
});
const stuck = (pid: number, ageMs: number): Session =>
  aSession({ pid, state: 'idle in transaction', stateAgeMs: ageMs, query: sql });

function said(
  sessions: readonly Session[],
  { isLive = true, shown = finding, known = code } = {},
): string | undefined {
  return liveText(shown, known, { sessions, at: 1_000_000, isLive }, 1_012_000);
}

test.each([
  [
    'one session',
    [stuck(4711, 240_000)],
    'Live now: 1 session idle in transaction here, for 4 min (pid 4711).',
  ],
  [
    'several',
    [stuck(4712, 1_000), stuck(4711, 240_000)],
    'Live now: 2 sessions idle in transaction here, longest 4 min (pid 4711, 4712).',
  ],
  [
    'many',
    [1, 2, 3, 4, 5, 6, 7].map((pid) => stuck(pid, 1_000 * (8 - pid))),
    'Live now: 7 sessions idle in transaction here, longest 7.0 s (pid 1, 2, 3, 4, 5 and 2 more).',
  ],
  [
    'other states',
    [aSession({ pid: 1, state: 'active', query: sql }), aSession({ pid: 2, query: sql })],
    'Live now: 1 session running a statement of it, for 10 ms (pid 1); 1 session idle after a statement of it, for 10 ms (pid 2).',
  ],
])('%s', (_what, sessions, text) => {
  expect(said(sessions)).toBe(text);
});

test.each([
  ['no session', []],
  ['a session elsewhere', [aSession({ query: 'SELECT id FROM orders' })]],
  ['a session without a place', [aSession({ query: 'SELECT pid FROM pg_locks' })]],
  ['our own session', [{ ...stuck(1, 1), isOwn: true }]],
])('%s is no word', (_what, sessions) => {
  expect(said(sessions)).toBeUndefined();
});

test('another finding has no word of it', () => {
  expect(said([stuck(1, 1)], { shown: { ...finding, line: 41 } })).toBeUndefined();
  expect(
    said([stuck(1, 1)], { shown: { ...finding, rule: 'no-nested-checkout' } }),
  ).toBeUndefined();
});

test('an old look says how old it is', () => {
  expect(said([stuck(1, 1_000)], { isLive: false })).toBe(
    'As of 12 s ago: 1 session idle in transaction here, for 1.0 s (pid 1).',
  );
});

test('a statement of several places may be of another one', () => {
  const known = linkCode({
    statements: [flagged, aStatement(sql, { line: 90 })],
    pools: [],
    isCut: false,
    queries: [],
  });
  expect(said([stuck(1, 1_000)], { known })).toBe(
    'Live now: 1 session idle in transaction here, for 1.0 s (pid 1). The same statement appears elsewhere, too.',
  );
});
