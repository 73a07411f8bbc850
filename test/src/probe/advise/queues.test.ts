import { describe, expect, test } from 'vitest';
import {
  erlangB,
  erlangC,
  fewestClients,
  squareRootStaffing,
} from '../../../../src/probe/advise/formulas.ts';
import { clientsInUse } from '../../../../src/probe/users/users-at.ts';

describe('Erlang', () => {
  test.each<readonly [clients: number, offered: number, blocked: number]>([
    [1, 1, 0.5],
    [2, 1, 0.2],
    [5, 3, 0.1101],
    [10, 5, 0.0184],
    [100, 80, 0.00399],
  ])('B of %d clients under %d', (clients, offered, blocked) => {
    expect(erlangB(clients, offered)).toBeCloseTo(blocked, 4);
  });

  test('C of one client is the share of time in use', () => {
    expect(erlangC(1, 0.8)).toBeCloseTo(0.8, 10);
  });

  test('C of a pool with as much work as clients: everybody waits', () => {
    expect(erlangC(12, 12)).toBeCloseTo(1, 10);
  });

  test('800/s of 15 ms: 13 is the bare minimum, 19 has room for chance', () => {
    expect(squareRootStaffing(12, 2)).toBe(19);
    expect(fewestClients(12, 15, { share: 0.95, waitMs: 1e6 })).toBe(13);
    const comfortable = fewestClients(12, 15, { share: 0.95, waitMs: 5 }) ?? 0;
    expect([comfortable > 13, comfortable <= 19]).toEqual([true, true]);
  });

  test('no pool makes waits shorter than nothing', () => {
    expect(fewestClients(9_999.5, 15, { share: 1, waitMs: 0 })).toBeNull();
  });
});

test('150 users of 100 ms pauses, who hold a client for 222 ms, use about 100', () => {
  expect(clientsInUse({ users: 150, thinkMs: 100, holdMs: 222 })).toBeCloseTo(103, 0);
});
