import { describe, expect, test } from 'vitest';
import { describeAge } from '../../../src/activity/age.ts';
import { findConcerns } from '../../../src/activity/concern.ts';
import { groupByPool } from '../../../src/activity/group-by-pool.ts';
import { shorten, toPlainText } from '../../../src/activity/plain-text.ts';
import { defaultThresholds, toThresholds } from '../../../src/activity/thresholds.ts';
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
  ['\u001B]0;title\u0007\u001B[31mred', '\\u001b]0;title\\u0007\\u001b[31mred'],
  ['\u009B2J', '\\u009b2J'],
  ['abc\u202Ecba', 'abc\\u202ecba'],
  ['naïve 日本 😀', 'naïve 日本 😀'],
])('%j is harmless as %j', (text, expected) => {
  expect(toPlainText(text)).toBe(expected);
});

test('shortens by characters, not by halves of them', () => {
  expect(shorten('😀😀😀😀', 3)).toBe('😀😀…');
});

describe('pools', () => {
  test('one for each application, role, database and client address, the largest first and ours last', () => {
    const own = [
      session({ application: 'poolguard', isOwn: true }),
      session({ application: 'poolguard', isOwn: true }),
      session({ application: 'poolguard', isOwn: true }),
    ];
    const groups = groupByPool(
      report([
        session({ application: 'worker' }),
        session(),
        session({ user: 'other' }),
        session(),
        ...own,
      ]),
    );
    expect(
      groups.map(({ application, user, count, isOwn }) => [application, user, count, isOwn]),
    ).toEqual([
      ['api', 'app', 2, false],
      ['api', 'other', 1, false],
      ['worker', 'app', 1, false],
      ['poolguard', 'app', 3, true],
    ]);
  });

  test('names the longest idle in transaction, failed transactions included', () => {
    const [group] = groupByPool(
      report([
        session({ state: 'idle in transaction', stateAgeMs: 5 }),
        session({ state: 'idle in transaction (aborted)', stateAgeMs: 7 }),
        session({ state: 'active', stateAgeMs: 99 }),
      ]),
    );
    expect(group).toMatchObject({
      longestIdleInTransactionMs: 7,
      split: { active: 1, idleInTransaction: 1, aborted: 1 },
    });
  });
});

describe('concerns', () => {
  const { idleInTransactionMs, lockWaitMs, transactionMs } = defaultThresholds;

  test.each([
    ['an idle session, however old', session({ stateAgeMs: 1e9 })],
    [
      'idle in transaction up to the threshold',
      session({ state: 'idle in transaction', stateAgeMs: idleInTransactionMs }),
    ],
    [
      'a wait up to the threshold',
      session({ state: 'active', isWaiting: true, blockedBy: [2], stateAgeMs: lockWaitMs }),
    ],
    ['a hidden session', session({ state: 'hidden', stateAgeMs: null })],
  ])('none for %s', (_name, quiet) => {
    expect(findConcerns(report([quiet]))).toEqual([]);
  });

  test.each([
    [
      'idle-in-transaction',
      session({ state: 'idle in transaction', stateAgeMs: idleInTransactionMs + 1 }),
      'Session 1 has been idle in transaction for 1 min: a client is held while no statement runs.',
    ],
    [
      'blocked',
      session({ state: 'active', isWaiting: true, blockedBy: [2], stateAgeMs: lockWaitMs + 1 }),
      'Session 1 has been blocked by a lock for 5.0 s. The blocking tree shows who holds it.',
    ],
    [
      'long-transaction',
      session({ state: 'active', transactionAgeMs: transactionMs + 1 }),
      'Session 1 has had a transaction open for 1 min.',
    ],
  ])('%s', (kind, loud, sentence) => {
    expect(findConcerns(report([loud]))).toEqual([
      { kind, severity: 'warning', sentence, pids: [1] },
    ]);
  });

  const busy = (count: number, idle: number) =>
    Array.from({ length: count }, (_, pid) =>
      session({ pid, state: pid < idle ? 'idle' : 'active', transactionAgeMs: 1 }),
    );

  test.each([
    ['a pool of nine that is at work', busy(9, 0), []],
    ['a pool of ten with one idle', busy(10, 1), []],
    [
      'a pool of ten without one',
      busy(10, 0),
      ['10 of the 10 sessions of a pool are taken: 0 left for the next caller.'],
    ],
    [
      'a pool of twenty with one idle',
      busy(20, 1),
      ['19 of the 20 sessions of a pool are taken: 1 left for the next caller.'],
    ],
    [
      'a pool whose states are hidden',
      busy(10, 0).map((each) => ({ ...each, state: 'hidden' as const })),
      [],
    ],
    ['our own probe', busy(10, 0).map((each) => ({ ...each, isOwn: true })), []],
  ])('%s', (_name, sessions, sentences) => {
    expect(findConcerns(report(sessions)).map(({ sentence }) => sentence)).toEqual(sentences);
  });

  test.each([
    [9, []],
    [10, ['10 sessions wait for locks at the same time.']],
  ])('%i sessions that wait', (count, sentences) => {
    const waiting = Array.from({ length: count }, (_, pid) =>
      session({ pid, application: String(pid), state: 'active', isWaiting: true }),
    );
    expect(findConcerns(report(waiting)).map(({ sentence }) => sentence)).toEqual(sentences);
  });

  test('few free connections, although the share would do', () => {
    const thresholds = toThresholds({ keptFree: 50, usedWarningPercent: 100 });
    expect(findConcerns(report(busy(45, 45)), thresholds)).toEqual([]);
    expect(findConcerns(report(busy(46, 46)), thresholds).map(({ sentence }) => sentence)).toEqual([
      '46 of 95 usable connections are taken (48 %): 49 left.',
    ]);
    expect(
      findConcerns(report(busy(6, 6), 20), thresholds).map(({ severity }) => severity),
    ).toEqual(['warning']);
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
