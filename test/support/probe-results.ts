import type { K6Result } from '../../src/k6/k6-result.ts';
import type { AdviseResult } from '../../src/probe/advise/advice.ts';
import type { CompareResult, Strategy } from '../../src/probe/compare/compare-result.ts';
import type { ConnectResult } from '../../src/probe/connect/connect-result.ts';
import type { Latency, PoolLoad, PoolSample } from '../../src/probe/load/pool-load.ts';
import { shareProcesses } from '../../src/probe/limits/share-processes.ts';
import { findStatementLoads } from '../../src/probe/size/binding-statement.ts';
import type { StatementTime } from '../../src/probe/size/lanes.ts';
import { createRandom } from '../../src/probe/random.ts';
import type { RampCell, RampResult } from '../../src/probe/ramp/ramp-result.ts';
import type { Limit, LimitsApplied } from '../../src/probe/result-head.ts';
import type { ReportedResult, SizeResult } from '../../src/probe/result.ts';
import { estimatePick, findKnee, toMeanMs } from '../../src/probe/size/statistics.ts';
import type { SpikeResult } from '../../src/probe/spike/spike-result.ts';
import type { SweepResult, SweepRow } from '../../src/sweep/sweep-result.ts';
import type { UsersResult } from '../../src/probe/users/users-result.ts';
import { aHead } from './probe-result.ts';
import { calm, makeSlices } from './synthetic-slices.ts';

/** Times that spread as a queue's do: the 95th percentile is 1.7 averages, the 99th 2.6. */
export function latencyOf(averageMs: number, count: number): Latency {
  return {
    count,
    averageMs,
    p50Ms: averageMs * 0.9,
    p95Ms: count < 200 ? null : averageMs * 1.7,
    p99Ms: count < 1000 ? null : averageMs * 2.6,
    maxMs: averageMs * 4.2,
  };
}

/** A load of `waitMs` before a client and `databaseMs` with it. */
function loadOf(
  throughput: number,
  waitMs: number,
  databaseMs: number,
  rest: Partial<PoolLoad> = {},
): PoolLoad {
  const seconds = rest.seconds ?? 3;
  const requests = Math.round(throughput * seconds);
  return {
    seconds,
    requests,
    throughput,
    latency: latencyOf(waitMs + databaseMs, requests),
    wait: latencyOf(waitMs, requests),
    database: latencyOf(databaseMs, requests),
    peakWaiting: Math.round((waitMs / 1000) * throughput * 2),
    errors: {},
    dropped: 0,
    lagP99Ms: null,
    ...rest,
  };
}

const users: SizeResult['workload'] = {
  origin: 'given',
  inTransaction: false,
  statements: [
    {
      text: 'SELECT id, email, name FROM users WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 100',
      share: 0.7,
      parameters: ['1..1000'],
      meanMs: 3.1,
    },
    {
      text: 'SELECT count(*) FROM orders WHERE state = $1',
      share: 0.3,
      parameters: ['open|paid|sent'],
      meanMs: 6.4,
    },
  ],
};

const head = {
  ...aHead,
  workload: users,
  notes: ['The probe itself used 0.3 cores at most.'],
};

/** Others block four tenths of the clients. */
const besideOthers = (size: number) => ({
  ...calm,
  idleCores: 0,
  foreignCores: 1.4,
  backendCores: 1,
  waiting: { backends: 0.4 * size, probe: 0 },
});

const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24];
const slices = makeSlices({
  sizes,
  rounds: 6,
  noise: 0.06,
  seed: 7,
  throughput: (size) => 250 * Math.min(size, 5.2 - 0.02 * size),
}).map((slice, index) =>
  index === 13 || index === 31
    ? { ...slice, throughput: slice.throughput * 0.6, load: besideOthers(slice.size) }
    : slice,
);
const estimate = estimatePick(slices, createRandom(3));

const server: Limit = {
  kind: 'max_connections',
  name: 'max_connections',
  value: 100,
  perPool: 43,
  arithmetic: '(100 − 3 reserved − 10 for administration) / 2 pools = 43',
};
const role: Limit = {
  kind: 'role',
  name: 'CONNECTION LIMIT of app',
  value: 20,
  perPool: 10,
  arithmetic: '20 / 2 pools = 10',
};
const limits: LimitsApplied = { pools: 2, limits: [role, server], binding: null };

const guesses: AdviseResult['advice'] = {
  guesses: [
    {
      name: 'PostgreSQL wiki',
      arithmetic: '2 × 2 cores + 1 disk',
      size: [5, 5],
      source: 'https://wiki.postgresql.org/wiki/Number_Of_Database_Connections',
    },
    {
      name: 'node-postgres default',
      arithmetic: 'max: 10',
      size: [10, 10],
      source: 'https://node-postgres.com/apis/pool',
    },
    {
      name: 'Share of the server',
      arithmetic: '(100 − 13) / 2 pools',
      size: [43, 43],
      source: 'https://www.postgresql.org/docs/current/runtime-config-connection.html',
    },
  ],
  observed: { busyShare: 0.62, meanActive: 2.4, since: '2025-12-24T08:00:00.000Z' },
};

function runsOf(completed: number, meanMs: number): StatementTime {
  return { completed, totalMs: completed * meanMs };
}

const size: SizeResult = {
  ...head,
  experiment: 'size',
  verdict: {
    kind: 'found',
    because:
      'Modelled, 6 clients do 1,472 statements/s, 99 % of peak throughput (1,490 statements/s with 8).',
  },
  recommendation: {
    max: 3,
    interval: [3, 4],
    confidence: 0.93,
    limitedBy:
      'the measured throughput: 90 % of its peak takes 6 connections: 6 for all 2 pools together',
    defaultPoolSize: null,
    connectionTimeoutMs: 2000,
  },
  sizes: estimate.curve.map((point) => ({
    ...point,
    meanMs: toMeanMs(point),
    slices: 6,
  })),
  knee: findKnee(estimate.curve),
  goodSize: estimate.pick,
  cap: {
    size: 24,
    because: 'asked for; the server (max_connections 100, 3 reserved) had 89 free connections',
  },
  rounds: 6,
  slices,
  limits,
  processes: shareProcesses({
    kind: 'found',
    pick: 6,
    asked: 2,
    granted: {
      maxConnections: 100,
      reserved: 3,
      roleLimit: 20,
      databaseLimit: null,
      othersNow: 9,
    },
  }),
  statementLoads: findStatementLoads(
    [
      { size: 1, statements: [runsOf(700, 3.2), runsOf(300, 6.1)] },
      { size: 6, statements: [runsOf(1400, 3.6), runsOf(600, 9.2)] },
      { size: 24, statements: [runsOf(1400, 8.1), runsOf(600, 52)] },
    ],
    6,
    { kind: 'found', statements: users.statements },
  ),
  memory: {
    bytes: 9.4 * 1024 * 1024,
    method: 'memory contexts, without shared_buffers (pg_backend_memory_contexts)',
    workMemBytes: 4 * 1024 * 1024,
  },
  validation: {
    max: 6,
    closed: { callers: 24, load: loadOf(1430, 12.6, 4.2) },
    open: { rate: 1000, load: loadOf(997, 1.6, 4.1, { lagP99Ms: 1.1, peakWaiting: 9 }) },
  },
  advice: guesses,
};

const usersResult: UsersResult = {
  ...head,
  experiment: 'users',
  verdict: {
    kind: 'found',
    because: 'From 10 clients on, more bring nearly nothing: 20 answer 1 % more requests.',
  },
  stages: [
    { seconds: 2, users: 20 },
    { seconds: 4, users: 100 },
    { seconds: 2, users: 0 },
  ],
  thinkMs: 100,
  rows: [
    usersRow(2, loadOf(280, 251, 7, { seconds: 8 }), null, null),
    usersRow(5, loadOf(610, 62, 8, { seconds: 8 }), 1.18, 880),
    usersRow(10, loadOf(742, 9, 9, { seconds: 8 }), 1.65, 211),
    usersRow(20, loadOf(748, 1, 13, { seconds: 8, errors: { '57014': 3 } }), 1.67, 5),
  ],
  pick: 10,
};

function usersRow(
  max: number,
  load: PoolLoad,
  gain: number | null,
  gainPerConnection: number | null,
): UsersResult['rows'][number] {
  return {
    max,
    load,
    gain,
    gainPerConnection,
    samples: Array.from({ length: 33 }, (_, index) => sampleAt(index * 250, max, load)),
  };
}

function sampleAt(atMs: number, max: number, { throughput, peakWaiting }: PoolLoad): PoolSample {
  const level = Math.max(0, Math.min(1, atMs / 3000, (8000 - atMs) / 2000));
  const waiting = Math.round(peakWaiting * level * (0.85 + 0.15 * Math.sin(atMs / 300)));
  return {
    atMs,
    total: max,
    idle: waiting > 0 ? 0 : Math.round(max * (1 - level)),
    waiting,
    answered: Math.round((throughput / 4) * level),
  };
}

const connect: ConnectResult = {
  ...head,
  experiment: 'connect',
  verdict: {
    kind: 'measured',
    because: 'A new connection costs 12.7 ms directly and 2.2 ms through the pooler.',
  },
  paths: [
    {
      name: 'direct',
      address: 'db.example.test:5432',
      sequential: {
        total: latencyOf(12.7, 200),
        phases: {
          dns: latencyOf(0.4, 200),
          tcp: latencyOf(0.3, 200),
          tls: latencyOf(3.6, 200),
          authentication: latencyOf(7.2, 200),
          firstQuery: latencyOf(1.2, 200),
        },
        errors: {},
      },
      concurrent: { at: 20, total: latencyOf(96, 200), perSecond: 208, errors: { '53300': 4 } },
    },
    {
      name: 'pooler',
      address: 'db.example.test:6432',
      sequential: {
        total: latencyOf(2.2, 200),
        phases: {
          dns: latencyOf(0.4, 200),
          tcp: latencyOf(0.3, 200),
          authentication: latencyOf(0.9, 200),
          firstQuery: latencyOf(0.6, 200),
        },
        errors: {},
      },
      concurrent: { at: 20, total: latencyOf(14, 200), perSecond: 1420, errors: {} },
    },
  ],
};

const compare: CompareResult = {
  ...head,
  experiment: 'compare',
  verdict: {
    kind: 'measured',
    because: 'With 50 callers the pool answers 14 times as many requests as new connections.',
  },
  poolSize: 10,
  rows: [
    compareRow('new-connection', 10, loadOf(78, 0, 126), 0.42),
    compareRow('shared-client', 10, loadOf(410, 21, 3), 0.3),
    compareRow('pool', 10, loadOf(1120, 0.4, 8.4), 0.71),
    compareRow('pipelined-client', 10, loadOf(620, 12, 3.6), 0.4),
    compareRow(
      'new-connection',
      50,
      loadOf(81, 0, 480, { errors: { '53300': 61, ECONNRESET: 4 } }),
      0.55,
    ),
    compareRow('shared-client', 50, loadOf(415, 116, 3), 0.31),
    compareRow('pool', 50, loadOf(1180, 33, 8.6), 0.74),
    compareRow('pipelined-client', 50, loadOf(640, 74, 3.5), 0.41),
  ],
};

function compareRow(
  strategy: Strategy,
  callers: number,
  load: PoolLoad,
  eventLoop: number,
): CompareResult['rows'][number] {
  return {
    strategy,
    callers,
    connections:
      strategy === 'pool' ? 10 : strategy === 'new-connection' ? Math.min(callers, 16) : 1,
    load,
    eventLoop,
  };
}

const rates = [100, 200, 400, 800];
/** Answers per second that a size can give. */
const capacities = [
  [2, 260],
  [5, 560],
  [10, 760],
] as const;

const ramp: RampResult = {
  ...head,
  experiment: 'ramp',
  verdict: {
    kind: 'measured',
    because:
      '10 clients keep up with 400 arrivals per second; none of the sizes keeps up with 800.',
  },
  waitLimitMs: 500,
  cells: capacities.flatMap(([max, capacity]) => rates.map((rate) => cellOf(max, rate, capacity))),
  inflections: [
    { max: 2, rate: 400, because: '2 clients answer 260 of 400 arrivals per second.' },
    { max: 5, rate: 800, because: '5 clients answer 560 of 800 arrivals per second.' },
    { max: 10, rate: 800, because: '10 clients answer 760 of 800 arrivals per second.' },
  ],
};

function cellOf(max: number, rate: number, capacity: number): RampCell {
  const isOver = rate > capacity;
  const refused = isOver ? Math.round((rate - capacity) * 2.5) : 0;
  const waitMs = isOver ? 480 : 4 / (1 - rate / capacity);
  return {
    max,
    rate,
    load: loadOf(Math.min(rate, capacity), waitMs, 7, {
      lagP99Ms: 1.4,
      errors: isOver ? { POOL_TIMEOUT: refused } : {},
      dropped: isOver ? 12 : 0,
    }),
  };
}

const spike: SpikeResult = {
  schemaVersion: 2,
  experiment: 'spike',
  input: { rate: 200, holdMs: 20, spikeHoldMs: 200, spikeMs: 5000, waitLimitMs: 3000 },
  needed: 4,
  neededInSpike: 40,
  rows: [
    {
      max: 3,
      utilisation: 1.33,
      backlog: 925,
      longestWaitMs: 6200,
      reachedWaitMs: 3000,
      drainMs: null,
      refused: 480,
    },
    {
      max: 10,
      utilisation: 0.4,
      backlog: 750,
      longestWaitMs: 3750,
      reachedWaitMs: 2600,
      drainMs: 2500,
      refused: 121,
    },
    {
      max: 20,
      utilisation: 0.2,
      backlog: 500,
      longestWaitMs: 2500,
      reachedWaitMs: 1250,
      drainMs: 625,
      refused: 0,
    },
    {
      max: 40,
      utilisation: 0.1,
      backlog: 0,
      longestWaitMs: 0,
      reachedWaitMs: 0,
      drainMs: 0,
      refused: 0,
    },
  ],
  verdict: {
    kind: 'recovers',
    because: 'From 4 clients on the line is worked off after the spike; 40 have none.',
  },
  notes: ['A fluid model: nothing was run.'],
};

const advise: AdviseResult = {
  schemaVersion: 2,
  experiment: 'advise',
  server: head.server,
  advice: guesses,
  limits,
  notes: ['Formulas know nothing of your statements: measure.'],
};

const k6: K6Result = {
  schemaVersion: 2,
  experiment: 'k6',
  from: 'probe ramp',
  startedAt: '2026-01-02T03:04:05.000Z',
  elapsedMs: 20_012,
  url: 'http://localhost:3000/users',
  method: 'GET',
  pool: 4,
  pools: 1,
  segment: null,
  load: {
    form: 'arrivals',
    stages: [
      { seconds: 7, target: 50 },
      { seconds: 7, target: 200 },
      { seconds: 6, target: 300 },
    ],
    thinkMs: null,
    maxVUs: 1500,
  },
  requests: 3402,
  throughput: 170,
  latency: latencyOf(310, 3402),
  errors: { 503: 12, ECONNRESET: 1 },
  dropped: 148,
  allocatedVUs: 240,
  thresholds: [
    { metric: 'http_req_failed', condition: 'rate<0.01', passed: true },
    { metric: 'http_req_duration{expected_response:true}', condition: 'p(99)<500', passed: false },
    { metric: 'dropped_iterations', condition: 'count<10', passed: false },
  ],
};

const sweep: SweepResult = {
  schemaVersion: 2,
  experiment: 'sweep',
  startedAt: '2026-01-02T03:04:05.000Z',
  elapsedMs: 72_000,
  machine: head.machine,
  application: {
    command: 'npm run dev',
    variable: 'POOL_MAX',
    url: 'http://localhost:3000/users',
    method: 'GET',
  },
  load: {
    tool: 'undici',
    stages: [
      { seconds: 2, users: 60 },
      { seconds: 6, users: 150 },
    ],
    thinkMs: 100,
    passes: 2,
  },
  verdict: {
    kind: 'not-saturated',
    because:
      'A pool of 40 serves 22 % more requests than one of 20, and up to 12 callers still wait for a client: not saturated.',
  },
  rows: [
    sweepRow(10, 3120, 96, null, null),
    sweepRow(20, 4480, 58, 0.436, 136),
    sweepRow(40, 5470, 12, 0.753, 49.5),
  ],
  pick: null,
  limits: [server],
  partial: null,
  notes: ['The sizes ran in this order: 20, 10, 40, 40, 10, 20.'],
};

function sweepRow(
  max: number,
  requests: number,
  peakWaiting: number,
  gain: number | null,
  gainPerConnection: number | null,
): SweepRow {
  const { samples } = usersRow(max, loadOf(requests / 8, peakWaiting, 14), null, null);
  return {
    max,
    seenMax: max,
    peakTotal: max,
    requests,
    passes: [requests - 20, requests + 20],
    seconds: 8,
    throughput: requests / 8,
    latency: latencyOf(120, requests * 2),
    checkouts: requests,
    waitMs: peakWaiting,
    waitP95Ms: peakWaiting * 1.8,
    holdMs: 14,
    peakWaiting,
    peakSessions: max + 2,
    averageActive: max * 0.8,
    errors: max === 10 ? { 500: 4 } : {},
    appCores: 0.62,
    busiestCores: 0.6,
    idleCores: 0.8,
    generator: { busy: 0.31, lagP99Ms: 2.2, dropped: 0 },
    gain,
    gainPerConnection,
    samples,
  };
}

/** One plausible result of every kind. */
export const probeResults: {
  readonly [Kind in ReportedResult['experiment']]: Extract<ReportedResult, { experiment: Kind }>;
} = { size, users: usersResult, connect, compare, ramp, spike, advise, k6, sweep };

/** The same as a list. */
export const everyResult: readonly ReportedResult[] = Object.values(probeResults);
