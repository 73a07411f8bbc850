import { describe, expect, test } from 'vitest';
import type { HeldCheckout, CounterSample, Times } from '../../../monitor/report.ts';
import { poolHealth } from '../../../src/running/health.ts';
import { heldByPlace } from '../../../src/running/held-by-place.ts';
import type { RunningPool } from '../../../src/running/running-app.ts';
import { heldSince, lookAt, place, watchedPool } from '../../support/monitor-reports.ts';

const now = 60_000;

function poolWith(
  looks: readonly CounterSample[],
  held: readonly HeldCheckout[] = [],
): RunningPool {
  return {
    pool: watchedPool(),
    look: looks.at(-1) ?? null,
    history: looks,
    held,
    mistakes: [],
    alerts: [],
    acquired: 0,
    failed: 0,
    isEnded: false,
  };
}

/** Twice a second, up to now. */
function steadily(given: Partial<CounterSample>, seconds = 8): readonly CounterSample[] {
  return Array.from({ length: seconds * 2 + 1 }, (_, index) =>
    lookAt(now - seconds * 1_000 + index * 500, {
      acquired: 100,
      peakWaiting: given.waiting ?? 0,
      ...given,
    }),
  );
}

function times(p95Ms: number, count = 100): Times {
  return { count, averageMs: p95Ms / 2, p50Ms: p95Ms / 2, p95Ms, p99Ms: p95Ms, maxMs: p95Ms };
}

const cases: readonly (readonly [what: string, RunningPool, kind: string, sentence: string])[] = [
  ['no look yet', poolWith([]), 'unknown', 'The pool has no samples yet.'],
  [
    'a quiet pool',
    poolWith(steadily({ acquired: 0, total: 3, idle: 3 })),
    'unused',
    'No client was checked out in the last 8 s; 3 of 10 clients are open.',
  ],
  [
    'a pool with idle clients',
    poolWith(steadily({ wait: times(0.4) })),
    'healthy',
    'No caller waited, 95 % of callers got a client within 1 ms, and 5 of 10 clients are free.',
  ],
  [
    'a short queue',
    poolWith(steadily({ waiting: 9 })),
    'healthy',
    'Up to 9 callers waited, and 5 of 10 clients are free.',
  ],
  [
    'a pool that may still open clients',
    poolWith(steadily({ total: 2, idle: 0 })),
    'healthy',
    'No caller waited, and 8 of 10 clients are free.',
  ],
  [
    'a pool of one, in use',
    poolWith(steadily({ total: 1, idle: 0, max: 1 })),
    'healthy',
    'No caller waited, and 0 of 1 client is free.',
  ],
  [
    'no idle client for long',
    poolWith(steadily({ idle: 0 })),
    'no-reserve',
    'In the last 8 s none of 10 clients was free for the next caller.',
  ],
  [
    'no idle client for a moment',
    poolWith([...steadily({}).slice(0, -1), lookAt(now, { idle: 0 })]),
    'healthy',
    'No caller waited, and 0 of 10 clients are free.',
  ],
  [
    'a queue',
    poolWith(steadily({ idle: 0, waiting: 12 })),
    'queue',
    'Up to 12 callers waited for one of 10 clients in the last 8 s.',
  ],
  [
    'a queue between two looks',
    poolWith(steadily({ peakWaiting: 25 })),
    'queue',
    'Up to 25 callers waited for one of 10 clients in the last 8 s.',
  ],
  [
    'the queue of the field report',
    poolWith(steadily({ idle: 0, waiting: 130, wait: times(1_200) })),
    'grow',
    'At least 130 callers waited throughout the last 8 s, and none of 10 clients was idle. A larger pool helps if the database has CPU to spare (usage below 50 %).',
  ],
  [
    'a long queue for a second',
    poolWith(steadily({ idle: 0, waiting: 130 }, 1)),
    'queue',
    'Up to 130 callers waited for one of 10 clients in the last 1 s.',
  ],
  [
    'slow waits',
    poolWith(steadily({ waiting: 5, wait: times(1_500) })),
    'slow-waits',
    '5 % of callers waited for 1.5 s or longer in the last 8 s.',
  ],
  [
    'one slow wait among many',
    poolWith([
      ...steadily({ wait: times(5) }),
      lookAt(now, { acquired: 1, wait: times(3_000, 1) }),
    ]),
    'healthy',
    'No caller waited, 95 % of callers got a client within 5 ms, and 5 of 10 clients are free.',
  ],
  [
    'slow holds',
    poolWith(steadily({ hold: times(2_000) })),
    'slow-holds',
    '5 % of checkouts lasted for 2.0 s or longer in the last 8 s.',
  ],
  [
    'timeouts',
    poolWith(steadily({ idle: 0, waiting: 12, failed: 1, timedOut: 1 })),
    'timeouts',
    '17 callers timed out waiting for a client in the last 8 s, while up to 12 waited.',
  ],
  [
    'refused connections are no timeouts',
    poolWith(steadily({ failed: 1, timedOut: 0 })),
    'healthy',
    'No caller waited, and 5 of 10 clients are free.',
  ],
  [
    'a queue behind held clients',
    poolWith(steadily({ idle: 0, waiting: 40 }), [
      heldSince(now - 42_000),
      heldSince(now - 9_000),
      heldSince(now - 7_000),
    ]),
    'held',
    '3 of 10 clients have been checked out for long, one for 42 s, while up to 40 callers waited. Find out why they are not released; a larger pool does not help.',
  ],
  [
    'one held client of one',
    poolWith(steadily({ total: 1, idle: 0, max: 1, waiting: 1 }), [heldSince(now - 6_000)]),
    'held',
    '1 of 1 client has been checked out for 6.0 s, while up to 1 caller waited. Find out why it is not released; a larger pool does not help.',
  ],
  [
    'a held client that nobody misses',
    poolWith(steadily({}), [heldSince(now - 42_000)]),
    'healthy',
    'No caller waited, and 5 of 10 clients are free.',
  ],
  [
    'looks of a minute ago',
    poolWith([lookAt(now - 50_000, { waiting: 90, peakWaiting: 90, idle: 0 }), ...steadily({})]),
    'healthy',
    'No caller waited, and 5 of 10 clients are free.',
  ],
];

test.each(cases)('%s', (_, pool, kind, sentence) => {
  expect(poolHealth(pool, now)).toEqual({ kind, sentence });
});

test('every threshold can be another', () => {
  const card = {
    queue: 5,
    growQueue: 100,
    freeShare: 0.6,
    p95Ms: 50,
    heldShare: 0.1,
    windowMs: 10_000,
    steadyMs: 1_000,
  };
  const kinds = [steadily({ waiting: 5 }), steadily({ wait: times(50) }), steadily({})].map(
    (looks) => poolHealth(poolWith(looks), now, card).kind,
  );
  expect(kinds).toEqual(['queue', 'slow-waits', 'no-reserve']);
});

describe('what is held, by place', () => {
  const orders = place('/srv/orders/src/orders.ts', 12);
  const users = place('/srv/orders/src/users.ts', 7);
  const held = [
    heldSince(50_000),
    heldSince(18_000, { acquiredAt: [users] }),
    heldSince(40_000),
    heldSince(30_000, { acquiredAt: [] }),
    heldSince(20_000, { acquiredAt: [] }),
  ];

  test('tells the most first, then the longest, and the longest of each', () => {
    const places = heldByPlace(poolWith([], held), now);
    expect(places.map(({ place: at, count, longestMs }) => [at, count, longestMs])).toEqual([
      [null, 2, 40_000],
      [orders, 2, 20_000],
      [users, 1, 42_000],
    ]);
    expect(places[1]?.checkouts.map(({ since }) => since)).toEqual([40_000, 50_000]);
  });

  test('two places of one line are two', () => {
    const column = [5, 30].map((at) => heldSince(at, { acquiredAt: [place('/a.ts', 1, at)] }));
    expect(heldByPlace(poolWith([], column), now)).toHaveLength(2);
  });
});
