import { describe, expect, test } from 'vitest';
import { describeAge } from '../../../src/activity/age.ts';
import { defaultThresholds, findConcerns } from '../../../src/activity/concern.ts';
import { groupByPool } from '../../../src/activity/group-by-pool.ts';
import { shorten, toPlainText } from '../../../src/activity/plain-text.ts';
import { toHeadroom } from '../../../src/activity/report.ts';
import { aReport as report, aSession as session } from '../../support/a-session.ts';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [9_999, '9.9 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [3_780_000, '1 h 3 min'],
  [93_600_000, '1 d 2 h'],
])('%i ms reads %s', (milliseconds, expected) => {
  expect(describeAge(milliseconds)).toBe(expected);
});

test.each([
  ['SELECT 1\r\n\t  FROM users', 'SELECT 1 FROM users'],
  ['\u001B]0;title\u0007\u001B[31mred', '\uFFFD]0;title\uFFFD\uFFFD[31mred'],
  ['\u009B2J', '\uFFFD2J'],
  ['abc\u202Ecba', 'abc\uFFFDcba'],
  ['naïve 日本 😀', 'naïve 日本 😀'],
])('%j is harmless as %j', (text, expected) => {
  expect(toPlainText(text)).toBe(expected);
});

test('shortens by characters, not by halves of them', () => {
  expect(shorten('😀😀😀😀', 3)).toBe('😀😀…');
});

describe('headroom', () => {
  test('both reserves are taken off, and the parts add up to what is used', () => {
    const sessions = [session(), session({ state: 'active' }), session({ state: 'active', isWaiting: true }), session({ state: 'hidden' }), session({ state: 'starting' }), session({ state: 'idle in transaction (aborted)' })];
    expect(toHeadroom({ maxConnections: 10, superuserReserved: 3, reserved: 2 }, sessions)).toEqual({
      maxConnections: 10,
      superuserReserved: 3,
      reserved: 2,
      usable: 5,
      used: 6,
      free: 0,
      split: { active: 1, waiting: 1, idle: 1, idleInTransaction: 0, aborted: 1, hidden: 1, other: 1 },
    });
  });
});

describe('pools', () => {
  test('one for each application, role, database and client address, the largest first and ours last', () => {
    const own = [session({ application: 'poolguard', isOwn: true }), session({ application: 'poolguard', isOwn: true }), session({ application: 'poolguard', isOwn: true })];
    const groups = groupByPool(report([session({ application: 'worker' }), session(), session({ user: 'other' }), session(), ...own]));
    expect(groups.map(({ application, user, count, isOwn }) => [application, user, count, isOwn])).toEqual([
      ['api', 'app', 2, false],
      ['api', 'other', 1, false],
      ['worker', 'app', 1, false],
      ['poolguard', 'app', 3, true],
    ]);
  });

  test('names the longest idle in transaction, failed transactions included', () => {
    const [group] = groupByPool(report([session({ state: 'idle in transaction', stateAgeMs: 5 }), session({ state: 'idle in transaction (aborted)', stateAgeMs: 7 }), session({ state: 'active', stateAgeMs: 99 })]));
    expect(group).toMatchObject({ longestIdleInTransactionMs: 7, split: { active: 1, idleInTransaction: 1, aborted: 1 } });
  });
});

describe('concerns', () => {
  const { idleInTransactionMs, lockWaitMs, transactionMs } = defaultThresholds;

  test.each([
    ['an idle session, however old', session({ stateAgeMs: 1e9 })],
    ['idle in transaction up to the threshold', session({ state: 'idle in transaction', stateAgeMs: idleInTransactionMs })],
    ['a wait up to the threshold', session({ state: 'active', isWaiting: true, blockedBy: [2], stateAgeMs: lockWaitMs })],
    ['a hidden session', session({ state: 'hidden', stateAgeMs: null })],
  ])('none for %s', (_name, quiet) => {
    expect(findConcerns(report([quiet]))).toEqual([]);
  });

  test.each([
    ['idle-in-transaction', session({ state: 'idle in transaction', stateAgeMs: idleInTransactionMs + 1 }), 'Session 1 idle in transaction, longest 1 min: a client is held while nothing runs on it.'],
    ['blocked', session({ state: 'active', isWaiting: true, blockedBy: [2], stateAgeMs: lockWaitMs + 1 }), 'Session 1 blocked by a lock, longest 5.0 s: see "blocked by" for who holds it.'],
    ['long-transaction', session({ state: 'active', transactionAgeMs: transactionMs + 1 }), 'Session 1 in a transaction that has been open for up to 1 min.'],
  ])('%s', (kind, loud, sentence) => {
    expect(findConcerns(report([loud]))).toEqual([{ kind, severity: 'warning', sentence, pids: [1] }]);
  });

  test.each([
    [75, []],
    [76, ['warning']],
    [85, ['warning']],
    [86, ['critical']],
  ])('%i of 95 usable connections: %j', (used, severities) => {
    const sessions = Array.from({ length: used }, (_, pid) => session({ pid }));
    expect(findConcerns(report(sessions)).map(({ severity }) => severity)).toEqual(severities);
  });
});
