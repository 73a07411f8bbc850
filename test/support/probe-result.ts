import type { PoolLoad } from '../../src/probe/load/pool-load.ts';
import type { ResultHead } from '../../src/probe/result-head.ts';
import type { ProbePlan, SizeResult } from '../../src/probe/result.ts';
import type { ProbeHistory } from '../../src/webview/to-view.ts';

/** What every result begins with. */
export const aHead: Omit<ResultHead, 'verdict'> = {
  schemaVersion: 2,
  probeId: 'abc123',
  startedAt: '2026-01-02T03:04:05.000Z',
  elapsedMs: 8700,
  server: { version: '18.4', host: 'localhost', port: 5432, database: 'shop', pooler: null },
  machine: { cores: 2, platform: 'linux x64', node: '22.13.0' },
  workload: {
    origin: 'stand-in',
    statements: [{ text: 'SELECT 1', share: 1, parameters: [], meanMs: 2 }],
    inTransaction: false,
  },
  transactions: {
    rolledBack: 2000,
    failed: 0,
    committed: 0,
    wrote: 0,
    database: { commits: 40, rowsWritten: 0 },
  },
  partial: null,
  notes: ['The statement is a stand-in.'],
  errors: {},
};

/** A load of 2,000 requests in two seconds. */
export const aLoad: PoolLoad = {
  seconds: 2,
  requests: 2000,
  throughput: 950,
  latency: { count: 2000, averageMs: 8.4, p50Ms: 8.2, p95Ms: 12, p99Ms: 15.2, maxMs: 31 },
  wait: { count: 2000, averageMs: 6.3, p50Ms: 6.2, p95Ms: 9, p99Ms: 12, maxMs: 28 },
  database: { count: 2000, averageMs: 2.1, p50Ms: 2, p95Ms: 3, p99Ms: 3.2, maxMs: 5 },
  peakWaiting: 6,
  errors: {},
  dropped: 0,
  lagP99Ms: null,
};

/** A probe that found two clients on a two-core machine. */
export const foundTwo: SizeResult = {
  ...aHead,
  experiment: 'size',
  verdict: {
    kind: 'found',
    because:
      'Modelled, 2 clients do 980 statements/s, 98 % of peak throughput (1,000 statements/s with 4).',
  },
  recommendation: {
    max: 2,
    interval: [2, 3],
    confidence: 0.93,
    limitedBy: 'the measured throughput: 90 % of its peak takes 2 connections',
    defaultPoolSize: null,
    connectionTimeoutMs: 5000,
  },
  sizes: [
    { size: 1, throughput: 500, low: 480, high: 520, meanMs: 2, slices: 5 },
    { size: 2, throughput: 980, low: 940, high: 1010, meanMs: 2.04, slices: 6 },
    { size: 4, throughput: 1000, low: 900, high: 1100, meanMs: 4, slices: 5 },
  ],
  knee: 2,
  goodSize: 2,
  cap: { size: 4, because: 'as requested' },
  rounds: 5,
  slices: [],
  limits: { pools: 1, limits: [], binding: null },
  memory: null,
  validation: { max: 2, closed: { callers: 8, load: aLoad }, open: null },
  advice: { guesses: [], observed: null },
};

/** What three probes of one statement recommended. */
export const aHistory: ProbeHistory = {
  statement: 'select * from orders where customer_id = $1',
  runs: [
    { at: Date.UTC(2026, 0, 2, 12), max: 4, interval: [3, 5], server: '18.4' },
    { at: Date.UTC(2026, 0, 1, 12), max: 6, interval: [6, 6], server: '18.4' },
    { at: Date.UTC(2025, 11, 1, 12), max: 4, interval: [4, 8], server: '17.2' },
  ],
};

/** What a probe of sizes is about to do. */
export const aPlan: ProbePlan = {
  experiment: 'size',
  place: { host: 'localhost', port: 5432, database: 'shop', user: 'app' },
  role: { name: 'app', power: null },
  free: 17,
  statements: ['SELECT * FROM orders WHERE customer_id = $1'],
  calls: ['public.order_total(integer): plpgsql, volatile'],
  sizes: [1, 2, 3, 4, 6, 8],
  steps: [
    'open 8 connections, once',
    'run the statement at each size for slices of 250 ms, in random order',
    'check the answer with a real pool',
  ],
  connections: 9,
  expectedMs: 11_800,
  cap: { size: 8, because: 'half of the 17 connections that are free' },
  notes: ['The server is on another machine: its processor cannot be watched.'],
};
