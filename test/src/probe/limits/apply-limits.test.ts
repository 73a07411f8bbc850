import { describe, expect, test } from 'vitest';
import {
  applyLimits,
  bindLimits,
  countPools,
  keptForAdmins,
  mostBackends,
  type Granted,
} from '../../../../src/probe/limits/apply-limits.ts';
import { aPooler } from '../../../support/a-pooler.ts';

const one = { workers: 1, instances: 1, deployOverlap: 0 };
const granted: Granted = {
  maxConnections: 100,
  reserved: 3,
  othersNow: 0,
  roleLimit: null,
  databaseLimit: null,
};

function aPoolerOf(config: Readonly<Record<string, string>>) {
  const report = aPooler([{}], config);
  return { report, pool: report.pools[0] ?? null };
}

test.each([
  [1, 1, 0, 1],
  [4, 1, 0, 4],
  [4, 3, 0, 12],
  [4, 3, 1, 24],
  [2, 3, 0.25, 8],
])(
  '%i workers on %i instances, %f of them twice during a deploy, are %i pools',
  (workers, instances, deployOverlap, pools) => {
    expect(countPools({ workers, instances, deployOverlap })).toBe(pools);
  },
);

test.each([
  [1000, 10],
  [100, 10],
  [25, 3],
])('of %i connections %i are kept for people', (maxConnections, kept) => {
  expect(keptForAdmins(maxConnections)).toBe(kept);
});

describe('connected directly', () => {
  test.each<[string, Partial<Granted>, number, readonly string[]]>([
    [
      'one pool',
      {},
      1,
      ['(max_connections 100 − 3 reserved − 10 for administration) / 1 pool = 87'],
    ],
    [
      'what others use',
      { othersNow: 12 },
      4,
      [
        '(max_connections 100 − 3 reserved − 10 for administration − 12 in use by others) / 4 pools = 18',
      ],
    ],
    [
      'limits of role and database, tightest first',
      { roleLimit: 30, databaseLimit: 9 },
      2,
      [
        'CONNECTION LIMIT of the database 9 / 2 pools = 4',
        'CONNECTION LIMIT of the role 30 / 2 pools = 15',
        '(max_connections 100 − 3 reserved − 10 for administration) / 2 pools = 43',
      ],
    ],
    [
      'a server too small for all pools',
      { maxConnections: 20 },
      40,
      ['(max_connections 20 − 3 reserved − 2 for administration) / 40 pools = 0'],
    ],
  ])('%s', (_, change, workers, arithmetic) => {
    expect(
      applyLimits({ ...one, workers }, { ...granted, ...change }).limits.map(
        (limit) => limit.arithmetic,
      ),
    ).toEqual(arithmetic);
  });
});

describe('behind a pooler', () => {
  test('that lends for a transaction, its clients are the limit of the application', () => {
    expect(applyLimits({ ...one, workers: 4 }, granted, aPoolerOf({})).limits).toEqual([
      {
        kind: 'pooler-clients',
        name: 'max_client_conn of the pooler',
        value: 50,
        perPool: 12,
        arithmetic: 'max_client_conn of the pooler 50 / 4 pools = 12',
      },
    ]);
  });

  test('in session mode each client is a backend', () => {
    const { limits } = applyLimits(
      { ...one, workers: 2 },
      granted,
      aPoolerOf({ pool_mode: 'session', max_db_connections: '30', max_user_connections: '5' }),
    );
    expect(limits.map(({ kind, perPool }) => [kind, perPool])).toEqual([
      ['pooler-pool', 1],
      ['pooler-user', 2],
      ['pooler-database', 15],
      ['pooler-clients', 25],
      ['max_connections', 43],
    ]);
  });

  test('the server bounds its backends', () => {
    expect(mostBackends({ ...granted, othersNow: 60, roleLimit: 40 })).toEqual({
      size: 27,
      arithmetic:
        'max_connections 100 − 3 reserved − 10 for administration − 60 in use by others = 27',
    });
    expect(mostBackends({ ...granted, roleLimit: 4 }).size).toBe(4);
  });
});

test('the limit that binds is named; where the measured curve decides there is none', () => {
  const applied = applyLimits({ ...one, workers: 10 }, granted);
  expect(bindLimits(applied, 9).binding).toMatchObject({ kind: 'max_connections', perPool: 8 });
  expect(bindLimits(applied, 8).binding).toBeNull();
});
