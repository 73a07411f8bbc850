import { describe, expect, test } from 'vitest';
import {
  balancedThroughput,
  clientsInUse,
  throughputBound,
} from '../../../../src/probe/models/closed-network.ts';
import {
  erlangB,
  erlangC,
  fewestClients,
  squareRootStaffing,
} from '../../../../src/probe/advise/formulas.ts';

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

  test('of one client the share that waits is the share of time in use', () => {
    expect(erlangC(1, 0.8, 10)).toEqual({
      utilisation: 0.8,
      waitingShare: expect.closeTo(0.8, 10) as number,
      averageWaitMs: expect.closeTo(40, 8) as number,
    });
  });

  test('a pool with as much work as clients never catches up', () => {
    expect(erlangC(12, 12, 15)).toBeNull();
    expect(erlangC(13, 12, 15)?.utilisation).toBeCloseTo(0.923, 3);
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

describe('closed networks', () => {
  test.each([
    [1, 0.15],
    [4, 0.44],
    [8, 0.65],
    [16, 0.85],
    [24, 0.94],
  ])('%d clients before eight locks do %d of what 32 do', (clients, share) => {
    expect(balancedThroughput(clients, 8, 5) / balancedThroughput(32, 8, 5)).toBeCloseTo(share, 2);
  });

  test('150 users of 100 ms pauses, who hold a client for 222 ms, use about 100', () => {
    expect(clientsInUse({ users: 150, thinkMs: 100, holdMs: 222 })).toBeCloseTo(103, 0);
    expect(throughputBound({ users: 150, thinkMs: 100, holdMs: 222 }, 40)).toBeCloseTo(180, 0);
    expect(throughputBound({ users: 10, thinkMs: 100, holdMs: 100 }, 40)).toBe(50);
  });
});
