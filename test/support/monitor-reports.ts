import type {
  CodePlace,
  HeldCheckout,
  Mistake,
  CounterSample,
  Report,
  WatchedPool,
} from '../../monitor/report.ts';

/** What a monitor would say, with what matters to a test put in. */
export const hello: Extract<Report, { readonly kind: 'hello' }> = {
  kind: 'hello',
  version: 1,
  token: '',
  pid: 4711,
  parentPid: 4700,
  threadId: 0,
  script: '/srv/orders/dist/server.js',
  folder: '/srv/orders',
  node: 'v22.13.0',
  startedAt: 1_000,
};

export function watchedPool(given: Partial<WatchedPool> = {}): WatchedPool {
  return {
    id: 1,
    name: 'orders',
    applicationName: 'orders',
    host: 'localhost',
    port: 5432,
    database: 'shop',
    max: 10,
    connectionTimeoutMs: 5_000,
    driverVersion: '3.14.0',
    madeAt: place('/srv/orders/src/db.ts', 3),
    ...given,
  };
}

export function lookAt(at: number, given: Partial<CounterSample> = {}): CounterSample {
  return {
    pool: 1,
    at,
    total: 10,
    idle: 5,
    waiting: 0,
    max: 10,
    peakWaiting: 0,
    acquired: 0,
    failed: 0,
    wait: null,
    hold: null,
    ...given,
  };
}

export function place(file: string, line: number, column = 5): CodePlace {
  return { file, line, column, function: 'listOrders' };
}

export function heldSince(since: number, given: Partial<HeldCheckout> = {}): HeldCheckout {
  return {
    pool: 1,
    checkout: since,
    since,
    backendPid: 900,
    clientPort: 50_000,
    acquiredAt: [place('/srv/orders/src/orders.ts', 12)],
    ...given,
  };
}

export function mistakeAt(at: number, given: Partial<Mistake> = {}): Mistake {
  return {
    pool: 1,
    mistake: 'double-release',
    at,
    acquiredAt: [place('/srv/orders/src/orders.ts', 12)],
    releasedAt: [place('/srv/orders/src/orders.ts', 20)],
    misusedAt: [place('/srv/orders/src/orders.ts', 22)],
    ...given,
  };
}

/** One report of each kind, together with every field that may be missing. */
export const everyReport: readonly Report[] = [
  hello,
  { kind: 'pool', pool: watchedPool({ library: 'Knex', min: 2 }) },
  {
    kind: 'look',
    look: lookAt(1_500, {
      timedOut: 1,
      failed: 1,
      wait: { count: 3, averageMs: 1.5, p50Ms: 1, p95Ms: 2, p99Ms: 3, maxMs: 3 },
    }),
  },
  { kind: 'held', held: heldSince(1_200) },
  { kind: 'returned', pool: 1, checkout: 1_200, forMs: 6_000 },
  { kind: 'mistake', mistake: mistakeAt(1_700) },
  { kind: 'alert', pool: 1, alert: 'waiting', isOver: true, value: 42, threshold: 20 },
  { kind: 'ending', pool: 1, out: [heldSince(1_250)] },
  { kind: 'ended', pool: 1 },
  { kind: 'exit', out: [heldSince(1_300)] },
  { kind: 'broken', sentence: 'It failed.' },
];
