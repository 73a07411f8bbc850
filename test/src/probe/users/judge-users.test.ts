import { describe, expect, test } from 'vitest';
import type { PoolLoad } from '../../../../src/probe/load/pool-load.ts';
import { judgeUsers } from '../../../../src/probe/users/judge-users.ts';
import { toUsersRows } from '../../../../src/probe/users/users-experiment.ts';
import { aLoad } from '../../../support/probe-result.ts';

const demand = { users: 150, thinkMs: 100 };

function rowsOf(
  table: readonly (readonly [
    max: number,
    requests: number,
    peakWaiting: number,
    change?: Partial<PoolLoad>,
  ])[],
) {
  return toUsersRows(
    table.map(([max, requests, peakWaiting, change]) => ({
      max,
      run: { load: { ...aLoad, requests, peakWaiting, ...change }, samples: [] },
    })),
  );
}

const fieldReport = rowsOf([
  [10, 4040, 130],
  [15, 6969, 120],
  [20, 8605, 114],
  [
    40,
    13_680,
    88,
    { database: { count: 13_680, averageMs: 222, p50Ms: 220, p95Ms: 300, p99Ms: 400, maxMs: 500 } },
  ],
]);

test('gains are as in the field report: 72.5 %, 113 %, 239 %', () => {
  expect(
    fieldReport.map(({ gain }) => (gain === null ? null : Math.round(gain * 1000) / 10)),
  ).toEqual([null, 72.5, 113, 238.6]);
  expect(
    fieldReport.map(({ gainPerConnection }) =>
      gainPerConnection === null ? null : Math.round(gainPerConnection),
    ),
  ).toEqual([null, 586, 327, 254]);
});

test('the field report is read as what it is: not saturated at 40', () => {
  const { pick, verdict } = judgeUsers(fieldReport, demand);
  expect({ pick, kind: verdict.kind }).toEqual({ pick: null, kind: 'not-saturated' });
  expect(verdict.because).toBe(
    'A pool of 40 serves 59 % more requests than one of 20, and up to 88 users still wait for a client. ' +
      'Each further connection brought 586 more requests from 10 to 15, 327 more requests from 15 to 20, 254 more requests from 20 to 40: returns diminish. ' +
      'With requests that hold a client for 222 ms and pauses of 100 ms, 150 users keep about 104 clients busy.',
  );
});

describe('otherwise', () => {
  test.each<readonly [string, Parameters<typeof rowsOf>[0], number | null, string]>([
    [
      'a flat curve gives its smallest size, though users wait: more connections do not help',
      [
        [2, 1000, 50],
        [4, 1020, 48],
        [8, 1010, 40],
      ],
      2,
      'found',
    ],
    [
      'a curve that bends gives the bend',
      [
        [2, 500, 50],
        [4, 950, 20],
        [8, 1000, 4],
      ],
      4,
      'found',
    ],
    [
      'where nobody waits at the end, demand is met',
      [
        [2, 500, 50],
        [8, 1000, 0],
      ],
      8,
      'found',
    ],
    ['one size is no comparison', [[10, 500, 5]], null, 'one-size'],
    [
      'no answer is none',
      [
        [10, 0, 5],
        [20, 0, 0],
      ],
      null,
      'no-answers',
    ],
  ])('%s', (_, table, pick, kind) => {
    expect(judgeUsers(rowsOf(table), demand)).toMatchObject({ pick, verdict: { kind } });
  });

  test('the smallest of all is said to be that', () => {
    expect(
      judgeUsers(
        rowsOf([
          [2, 1000, 0],
          [4, 1020, 0],
        ]),
        demand,
      ).verdict.because,
    ).toMatch(
      /^A pool of 2 serves 1,000 requests, 98 % of peak throughput \(1,020 with 4\)\. No user waits for one of the 2 clients\..*a smaller one may be enough\.$/,
    );
  });
});
