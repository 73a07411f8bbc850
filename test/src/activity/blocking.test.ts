import { expect, test } from 'vitest';
import { countWaiters, findBlocking, type BlockingNode } from '../../../src/activity/blocking.ts';
import type { Session } from '../../../src/activity/snapshot.ts';
import { aSession } from '../../support/a-session.ts';

/** Sessions by process id with those they wait for. */
function sessions(blockedBy: Readonly<Record<number, readonly number[]>>): Session[] {
  return Object.entries(blockedBy).map(([pid, blockers]) =>
    aSession({ pid: Number(pid), blockedBy: blockers, isWaiting: blockers.length > 0 }),
  );
}

/** `1(2(3) 4)`: 1 blocks 2, which blocks 3, and 4. A ring ends in `!`. */
function draw({ pid, waiters, isCycle }: BlockingNode): string {
  return `${pid}${isCycle ? '!' : ''}${waiters.length === 0 ? '' : `(${waiters.map(draw).join(' ')})`}`;
}

test.each([
  ['nobody waits', { 1: [], 2: [] }, ''],
  ['one waits', { 1: [], 2: [1] }, '1(2)'],
  ['a chain', { 1: [], 2: [1], 3: [2] }, '1(2(3))'],
  [
    'a queue behind one row: each also waits for those before it',
    { 1: [], 2: [1], 3: [1, 2] },
    '1(2(3) 3)',
  ],
  [
    'the one that holds up most comes first',
    { 1: [], 2: [1], 5: [], 6: [5], 7: [5] },
    '5(6 7) 1(2)',
  ],
  ['a blocker that is no client', { 2: [99] }, '99(2)'],
  ['a prepared transaction', { 2: [0] }, '0(2)'],
  ['a ring that the server has not broken yet', { 1: [2], 2: [1] }, '1(2(1!))'],
])('%s', (_name, blockedBy, expected) => {
  expect(findBlocking(sessions(blockedBy)).map(draw).join(' ')).toBe(expected);
});

test('a long queue has a node for each wait, not for each way through it', () => {
  const pids = Array.from({ length: 40 }, (_, at) => at + 1);
  const queue = pids.map((pid) =>
    aSession({ pid, blockedBy: pids.slice(0, pid - 1), isWaiting: pid > 1 }),
  );
  const [root] = findBlocking(queue);
  const size = ({ waiters }: BlockingNode): number =>
    waiters.reduce((sum, each) => sum + size(each), 1);
  expect(root && [countWaiters(root), size(root)]).toEqual([39, 1 + (39 * 40) / 2]);
});

test('those that wait on several ways are counted once', () => {
  const [root] = findBlocking(sessions({ 1: [], 2: [1], 3: [1, 2] }));
  expect(root && countWaiters(root)).toBe(2);
});

test('a blocker outside of the list has no key', () => {
  expect(findBlocking(sessions({ 2: [99] }))[0]).toMatchObject({ key: null, pid: 99 });
});
