import type { SweepResult } from '../../../src/sweep/sweep-result.ts';
import { type FigureRow, type FigureTable, mean, most, quantile } from '../../support/figures.ts';

/** One pool size, as the service under load notes it down itself, over all passes. */
export interface SizeWorld {
  readonly max: number;
  /** Requests of each pass. */
  readonly passes: readonly number[];
  /** Of a pass: from the first request to the last answer. */
  readonly seconds: number;
  /** Of each request, from its arrival to the end of its answer. */
  readonly answers: readonly number[];
  readonly waits: readonly number[];
  readonly holds: readonly number[];
  readonly peakWaiting: number;
  /** Statements under way, on average. */
  readonly active: number;
  /** By `process.cpuUsage()`, in the busiest quarter of the half seconds. */
  readonly cores: number;
}

export interface SweepWorld {
  readonly sizes: readonly SizeWorld[];
  /** As asked for on the command line. */
  readonly asked: { readonly users: number; readonly seconds: number; readonly thinkMs: number };
  readonly elapsedMs: number;
  /** `nproc`. */
  readonly cores: number;
  /** The load's own process, by `/proc`. */
  readonly generatorCores: number;
  /** `SHOW max_connections`, and the arithmetic beside each limit, done by the test. */
  readonly limit: { readonly value: number; readonly perPool: number };
  readonly pick: readonly number[];
}

type Row = FigureRow<SweepWorld>;
const ofService = 'the service’s own notes';

const bySize = (
  unit: string,
  means: string,
  of: (size: SizeWorld) => number,
  within: Row['within'] = {},
  beside = ofService,
): Row => ({ unit, means, beside, within, independent: ({ sizes }) => sizes.map(of) });

/** The service's clock begins with the arrival of a request, the load's with its sending. */
const hop = { share: 0.15, absolute: 15 };

const requests = ({ passes }: SizeWorld) => mean(passes);
const asked = (unit: string, means: string, of: (world: SweepWorld) => number): Row => ({
  unit,
  means,
  beside: 'the command line',
  independent: of,
});

/** Every number of a sweep. */
export const sweepFigures: FigureTable<SweepResult, SweepWorld> = {
  schemaVersion: { unit: 'version', means: 'of results', beside: 'docs', independent: () => 2 },
  elapsedMs: {
    unit: 'ms',
    means: 'from the first start to the last end',
    beside: 'the test’s clock around the command',
    independent: ({ elapsedMs }) => elapsedMs,
    within: { share: 0.4, absolute: 3_000 },
  },
  'machine.cores': {
    unit: 'cores',
    means: 'that may be used',
    beside: '/proc/cpuinfo',
    independent: ({ cores }) => cores,
  },
  'load.stages[].seconds': {
    ...asked('s', 'of a stage', ({ asked: { seconds } }) => seconds),
    altogether: (all) => all.reduce((sum, each) => sum + each, 0),
    within: { absolute: 1 },
  },
  'load.stages[].users': {
    ...asked('users', 'at the end of a stage', ({ asked: { users } }) => users),
    altogether: most,
  },
  'load.thinkMs': asked('ms', 'pause after an answer', ({ asked: { thinkMs } }) => thinkMs),
  'load.passes': asked('passes', 'turns of each size', ({ sizes }) => sizes[0]?.passes.length ?? 0),
  'rows[].max': bySize('clients', 'what the application was told', ({ max }) => max, {}, '--sizes'),
  'rows[].seenMax': bySize('clients', 'max of the pool', ({ max }) => max),
  'rows[].peakTotal': bySize('clients', 'open at most', ({ max }) => max),
  'rows[].requests': bySize('requests', 'correct answers in a pass', requests),
  'rows[].passes[]': {
    unit: 'requests',
    means: 'correct answers of each pass',
    beside: ofService,
    independent: ({ sizes }) => sizes.flatMap(({ passes }) => passes),
  },
  'rows[].seconds': bySize('s', 'of a pass', ({ seconds }) => seconds, { absolute: 0.5 }),
  'rows[].throughput': bySize(
    'requests/s',
    'correct answers in a second',
    (size) => requests(size) / size.seconds,
    { share: 0.1 },
  ),
  'rows[].latency.count': bySize(
    'requests',
    'of which there is a time',
    ({ answers }) => answers.length,
  ),
  'rows[].latency.averageMs': bySize('ms', 'whole answers', ({ answers }) => mean(answers), hop),
  'rows[].latency.p50Ms': bySize(
    'ms',
    'their median',
    ({ answers }) => quantile(answers, 0.5),
    hop,
  ),
  'rows[].latency.p95Ms': bySize('ms', 'their p95', ({ answers }) => quantile(answers, 0.95), {
    share: 0.25,
    absolute: 30,
  }),
  'rows[].latency.p99Ms': {
    unit: 'ms',
    means: 'their p99, of a thousand and more',
    beside: ofService,
    independent: ({ sizes }) =>
      sizes
        .filter(({ answers }) => answers.length >= 1_000)
        .map(({ answers }) => quantile(answers, 0.99)),
    within: { share: 0.5, absolute: 50 },
  },
  'rows[].latency.maxMs': bySize('ms', 'the longest', ({ answers }) => most(answers), {
    share: 0.5,
    absolute: 80,
  }),
  'rows[].checkouts': bySize('checkouts', 'clients that came back in a pass', requests),
  'rows[].waitMs': bySize(
    'ms',
    'from asking for a client to having it',
    ({ waits }) => mean(waits),
    {
      share: 0.05,
      absolute: 1,
    },
  ),
  'rows[].waitP95Ms': bySize('ms', 'p95 of these', ({ waits }) => quantile(waits, 0.95), {
    share: 0.05,
    absolute: 2,
  }),
  'rows[].holdMs': bySize(
    'ms',
    'from having a client to giving it back',
    ({ holds }) => mean(holds),
    {
      share: 0.05,
      absolute: 1,
    },
  ),
  'rows[].peakWaiting': bySize('callers', 'the longest queue', (size) => size.peakWaiting, {
    absolute: 2,
  }),
  'rows[].peakSessions': bySize('sessions', 'pg_stat_activity, at most', ({ max }) => max),
  'rows[].averageActive': bySize(
    'sessions',
    'running a statement, on average over looks once a second',
    ({ active }) => active,
    { share: 0.35, absolute: 2 },
  ),
  'rows[].appCores': bySize('cores', 'of the application', ({ cores }) => cores, {
    share: 0.5,
    absolute: 0.25,
  }),
  'rows[].busiestCores': bySize('cores', 'of its busiest process', ({ cores }) => cores, {
    share: 0.5,
    absolute: 0.25,
  }),
  'rows[].idleCores': {
    unit: 'cores',
    means: 'that nobody used when most was used',
    beside: '/proc/cpuinfo: not more than there are',
    altogether: most,
    independent: ({ cores }) => cores / 2,
    within: { absolute: 1 },
  },
  'rows[].generator.busy': {
    unit: 'share',
    means: 'of its time in which the load’s event loop worked, at its busiest',
    beside: 'its process by /proc',
    altogether: mean,
    independent: ({ generatorCores }) => generatorCores,
    within: { absolute: 0.35 },
  },
  'rows[].generator.lagP99Ms': {
    unit: 'ms',
    means: 'by which pauses ended too late',
    beside: 'a machine that is not stuck',
    altogether: most,
    independent: () => 0,
    within: { absolute: 250 },
  },
  'rows[].generator.dropped': bySize(
    'requests',
    'never begun',
    () => 0,
    {},
    'a closed loop drops none',
  ),
  'rows[].gain': {
    unit: 'share',
    means: 'requests beyond those of the first row',
    beside: ofService,
    independent: ({ sizes: [first, ...others] }) =>
      others.map((size) => requests(size) / (first === undefined ? NaN : requests(first)) - 1),
  },
  'rows[].gainPerConnection': {
    unit: 'requests',
    means: 'that each connection beyond the row before brought in a pass',
    beside: ofService,
    independent: ({ sizes }) =>
      sizes.slice(1).map((size, index) => {
        const before = sizes[index];
        return before === undefined
          ? NaN
          : (requests(size) - requests(before)) / (size.max - before.max);
      }),
  },
  'rows[].samples[].atMs': {
    unit: 'ms',
    means: 'since the load began',
    beside: ofService,
    altogether: most,
    independent: ({ sizes }) => most(sizes.map(({ seconds }) => seconds * 1_000)),
    within: { absolute: 1_000 },
  },
  'rows[].samples[].total': {
    unit: 'clients',
    means: 'open',
    beside: ofService,
    altogether: most,
    independent: ({ sizes }) => most(sizes.map(({ max }) => max)),
  },
  'rows[].samples[].idle': {
    unit: 'clients',
    means: 'idle, of these',
    beside: 'not more than there are',
    altogether: most,
    independent: ({ sizes }) => most(sizes.map(({ max }) => max)) / 2,
    within: { absolute: 3 },
  },
  'rows[].samples[].waiting': {
    unit: 'callers',
    means: 'in line, at most since the sample before',
    beside: ofService,
    altogether: most,
    independent: ({ sizes }) => most(sizes.map(({ peakWaiting }) => peakWaiting)),
    within: { absolute: 2 },
  },
  'rows[].samples[].answered': {
    unit: 'requests',
    means: 'answered since the sample before, up to half a second before the end',
    beside: ofService,
    altogether: (all) => all.reduce((sum, each) => sum + each, 0),
    independent: ({ sizes }) => sizes.reduce((sum, { passes }) => sum + (passes[0] ?? 0), 0),
    within: { share: 0.4 },
  },
  pick: {
    unit: 'clients',
    means: 'the smallest size that brings nearly all there is',
    beside: 'the test’s arithmetic',
    independent: ({ pick }) => pick,
  },
  'limits[].value': {
    unit: 'connections',
    means: 'max_connections',
    beside: 'SHOW by another client',
    independent: ({ limit }) => limit.value,
  },
  'limits[].perPool': {
    unit: 'connections',
    means: 'what of it is left for each pool',
    beside: 'the arithmetic beside it, done by the test',
    independent: ({ limit }) => limit.perPool,
  },
};
