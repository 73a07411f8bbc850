import { describe, expect, test } from 'vitest';
import { sessionColumns } from '../../../src/activity/session-list.ts';
import { sessionKey } from '../../../src/activity/snapshot.ts';
import { keysOf } from '../../../src/cli/keys-of.ts';
import { sparkline } from '../../../src/cli/terminal-cells.ts';
import {
  followSelected,
  pressKey,
  toOrder,
  type KeyAnswer,
  type WatchChoice,
  type Watched,
} from '../../../src/cli/watch-choice.ts';
import { aSession } from '../../support/a-session.ts';

const start: WatchChoice = {
  intervalSeconds: 2,
  isPaused: false,
  listsAll: false,
  order: null,
  selected: null,
  question: null,
  notice: '',
  showsHelp: false,
};
const active = aSession({ pid: 1, state: 'active' });
const leaking = aSession({ pid: 2, state: 'idle in transaction' });
const own = aSession({ pid: 3, isOwn: true, state: 'active' });
const hidden = aSession({ pid: 4, state: 'hidden' });
const others = [5, 6, 7, 8].map((pid) => aSession({ pid }));
const watched: Watched = {
  sessions: [active, leaking, own, hidden, ...others],
  takenAt: '2026-01-01T00:00:00.000Z',
  page: 3,
};
const [up, down, pageUp, pageDown, home, end] = ['A', 'B', '5~', '6~', 'H', 'F'].map(
  (key) => `\u001B[${key}`,
) as [string, string, string, string, string, string];

function press(keys: string, from: WatchChoice = start): KeyAnswer {
  return keysOf(keys).reduce<KeyAnswer>(
    (answer, key) => pressKey(key, 'choice' in answer ? answer.choice : from, watched),
    { kind: 'choice', choice: from },
  );
}

function after(keys: string, from: WatchChoice = start): WatchChoice {
  return keysOf(keys).reduce((choice, key) => {
    const answer = pressKey(key, choice, watched);
    return 'choice' in answer ? answer.choice : choice;
  }, from);
}

test.each<[string, Partial<WatchChoice>]>([
  ['p', { isPaused: true }],
  ['p ', {}],
  ['+', { intervalSeconds: 5 }],
  ['++++', { intervalSeconds: 10 }],
  ['----', { intervalSeconds: 1 }],
  ['s', { order: { column: 'pid', isDescending: false } }],
  ['sr', { order: { column: 'pid', isDescending: true } }],
  ['sss', { order: { column: 'state-age', isDescending: true } }],
  ['\u001B[C', { order: { column: 'pid', isDescending: false } }],
  ['\u001B[D', { order: { column: 'query', isDescending: false } }],
  ['6', { order: { column: 'transaction-age', isDescending: true } }],
  ['66', { order: { column: 'transaction-age', isDescending: false } }],
  ['3', { order: { column: 'application', isDescending: false } }],
  ['r', {}],
  ['a', { listsAll: true }],
  ['?', { showsHelp: true }],
  ['?x', {}],
  ['?q', {}],
  ['xyz', {}],
])('the keys %j', (keys, change) => {
  expect(after(keys)).toEqual({ ...start, ...change });
});

test('the columns end where they began', () => {
  expect(after('s'.repeat(sessionColumns.length + 1))).toEqual(start);
});

test('an interval that the command line chose is left by the next step', () => {
  expect(after('+', { ...start, intervalSeconds: 3 }).intervalSeconds).toBe(5);
  expect(after('-', { ...start, intervalSeconds: 30 }).intervalSeconds).toBe(10);
});

test.each([
  ['q', 'quit'],
  ['\u0003', 'quit'],
  [`${down}c\u0003`, 'quit'],
  ['l', 'look'],
  ['\u001B', 'nothing'],
  ['\u001B[99~', 'nothing'],
  ['__proto__', 'nothing'],
])('%j: %s', (keys, kind) => {
  expect(press(keys).kind).toBe(kind);
});

describe('selection', () => {
  test.each([
    [down, 0],
    [up, 0],
    [down + down, 1],
    [down + down + up, 0],
    [pageDown, 3],
    [pageDown + pageDown, 6],
    [pageDown + pageDown + pageDown, 7],
    [end, 7],
    [end + pageUp, 4],
    [end + home, 0],
    ['\u001BOB\u001BOB', 1],
  ])('%j selects the session at %i', (keys, at) => {
    const session = watched.sessions[at];
    expect(after(keys).selected).toEqual({ key: session && sessionKey(session), at });
  });

  test('follows a session through another order, and is what took its place when it has ended', () => {
    const { selected } = after(down + down);
    expect(followSelected([...watched.sessions].reverse(), selected)).toEqual({
      key: sessionKey(leaking),
      at: 6,
    });
    expect(followSelected([active, own], selected)).toEqual({ key: sessionKey(own), at: 1 });
    expect(followSelected([active], selected)).toEqual({ key: sessionKey(active), at: 0 });
    expect(followSelected([], selected)).toBeNull();
  });
});

describe('ending a session', () => {
  const asked = { session: active, seenAt: watched.takenAt };

  test.each([
    ['c', 'cancel'],
    ['k', 'terminate'],
    ['t', 'terminate'],
  ])('%s asks before it would %s', (key, action) => {
    expect(press(down + key)).toEqual({
      kind: 'choice',
      choice: { ...after(down), question: { action, ...asked } },
    });
  });

  test.each(['y', 'Y'])('%s is a yes', (yes) => {
    expect(press(`${down}k${yes}`)).toMatchObject({
      kind: 'end',
      question: { action: 'terminate', ...asked },
      choice: { question: null, notice: 'Terminating session 1 …' },
    });
  });

  test.each(['n', '\r', '\u001B', 'q', 'k', up, ' '])('%j is a no', (no) => {
    expect(press(`${down}k${no}`)).toEqual({
      kind: 'choice',
      choice: { ...after(down), notice: 'Nothing was done.' },
    });
  });

  test.each([
    ['k', 'No session is selected: select one with the arrow keys.'],
    [`${down}${down}c`, 'Session 2 of api is no longer running a statement'],
    [`${down}${down}${down}k`, "Session 3 of api is Poolguard's own and cannot be ended."],
    [`${pageDown}${down}`, ''],
    [`${pageDown}k`, 'To see every session, GRANT pg_monitor to it.'],
    [`${end}c`, 'Session 8 of api is no longer running a statement'],
  ])('%j: %s', (keys, notice) => {
    expect(after(keys)).toMatchObject({
      question: null,
      notice: expect.stringContaining(notice) as string,
    });
  });

  test('a session that has left the list since it was shown is not asked about', () => {
    const selected = { key: '99@gone', at: 0 };
    expect(after('k', { ...start, selected }).question).toBeNull();
  });
});

test.each([
  ['ab', ['a', 'b']],
  ['\u001B[B\u001B[B', ['\u001B[B', '\u001B[B']],
  ['\u001BOAq', ['\u001BOA', 'q']],
  ['\u001B[1;5Ck', ['\u001B[1;5C', 'k']],
  ['\u001B', ['\u001B']],
  ['é👍', ['é', '👍']],
  ['', []],
])('the input %j is the keys %j', (text, keys) => {
  expect(keysOf(text)).toEqual(keys);
});

test('ages show the oldest first', () => {
  expect(
    [toOrder('transaction-age'), toOrder('application'), toOrder('pid')].map(
      ({ isDescending }) => isDescending,
    ),
  ).toEqual([true, false, false]);
});

test.each([
  [[], ''],
  [[0, 0], '▁▁'],
  [[0, 1, 2, 4, 8], '▁▂▃▅█'],
  [[9, 1, 1], '▁▁'],
])('the curve of %j', (values, curve) => {
  expect(sparkline(values, values[0] === 9 ? 2 : 20)).toBe(values[0] === 9 ? '██' : curve);
});
