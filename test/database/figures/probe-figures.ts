import { type FigureRow, most, quantile } from '../../support/figures.ts';

/** What a loop of the test's own saw of a pool, request by request. */
export interface LoopWorld {
  readonly perSecond: number;
  readonly answers: readonly number[];
  readonly waits: readonly number[];
  readonly statements: readonly number[];
}

/** What others say of the same statement, server and sizes. */
export interface ProbeWorld {
  /** As asked for. */
  readonly max: number;
  readonly elapsedMs: number;
  readonly port: number;
  readonly cores: number;
  /** `SHOW` of the server. */
  readonly maxConnections: number;
  readonly reserved: number;
  readonly workMemBytes: number;
  /** Sessions of others, by `pg_stat_activity` before the probe. */
  readonly others: number;
  /** Private memory of a backend of the test, without shared memory, by `/proc`. */
  readonly memoryBytes: number | null;
  /** Null when connected directly. */
  readonly pooler: { readonly size: number; readonly maxClients: number } | null;
  /** `max` that was found, which the loop and pgbench were then told. */
  readonly found: number;
  /** A plain `pg.Pool` in one Node process. */
  readonly loop: LoopWorld;
  /** Transactions per second of pgbench: with one client, and with as many as were found. */
  readonly pgbench: { readonly one: number; readonly found: number };
  /** The statement's own time, as it is written. */
  readonly sleepMs: number;
}

type Row = FigureRow<ProbeWorld>;

const exact = (
  unit: string,
  means: string,
  beside: string,
  independent: Row['independent'],
): Row => ({
  unit,
  means,
  beside,
  independent,
});
const near = (row: Row, within: NonNullable<Row['within']>): Row => ({ ...row, within });
const none = (unit: string, means: string, beside = 'there is none'): Row =>
  exact(unit, means, beside, () => []);
/** A share, of which a test knows the bounds only. */
const shareOf = (means: string): Row =>
  near(
    { ...exact('share', means, 'from 0 to 1', () => 0.5), altogether: (all) => mean(all, 0.5) },
    { absolute: 0.5 },
  );
const mean = (values: readonly number[], otherwise = NaN) =>
  values.length === 0 ? otherwise : values.reduce((sum, each) => sum + each, 0) / values.length;
const first = (all: readonly number[]) => all[0] ?? NaN;

const loopOf = 'a plain pg.Pool of the test, as many callers';
/** Runs after each other on a machine that others use too. */
const later = { share: 0.6, absolute: 25 };

const free = ({ maxConnections, reserved, others }: ProbeWorld) =>
  maxConnections - reserved - Math.min(10, Math.ceil(maxConnections / 10)) - others;

function latency(
  part: string,
  of: (loop: LoopWorld) => readonly number[],
): Record<'averageMs' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'maxMs' | 'count', Row> {
  const figure = (name: string, read: (times: readonly number[]) => number): Row =>
    near(
      exact('ms', `${name} of the ${part}`, loopOf, ({ loop }) => read(of(loop))),
      later,
    );
  return {
    averageMs: figure('mean', (times) => mean(times)),
    p50Ms: figure('median', (times) => quantile(times, 0.5)),
    p95Ms: {
      ...near(
        figure('95th percentile', (times) => quantile(times, 0.95)),
        { absolute: 120 },
      ),
      altogether: (all) => all[0] ?? 0,
    },
    p99Ms: none('ms', '99th percentile, from 1,000 requests on', 'fewer were sent'),
    maxMs: near(figure('longest', most), { absolute: 1_000 }),
    count: near(
      exact(
        'requests',
        'timed',
        'throughput of the loop × the seconds of the check',
        ({ loop }) => 1.25 * loop.perSecond,
      ),
      { share: 0.6 },
    ),
  };
}

const sameAs = (rows: Record<string, Row>, prefix: string) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}.${name}`, row]));

const loads = (['closed', 'open'] as const).flatMap((kind) => {
  const rows = {
    seconds: near(
      exact('s', 'of a half of the check', 'the plan', () => 1.25),
      { absolute: 0.6 },
    ),
    requests: near(
      exact('requests', 'that were answered', loopOf, ({ loop }) => 1.25 * loop.perSecond),
      { share: 0.6 },
    ),
    throughput: near(
      exact(
        '1/s',
        'statements a second of a real pool in one Node process',
        loopOf,
        ({ loop }) => (kind === 'closed' ? 1 : 0.7) * loop.perSecond,
      ),
      { share: 0.6 },
    ),
    peakWaiting: near(
      exact(
        'callers',
        'in line at the worst moment',
        'four callers a client',
        ({ found }) => 3 * found,
      ),
      { absolute: 80 },
    ),
    dropped: exact('requests', 'that were never begun', 'none has to be', () => 0),
    lagP99Ms: {
      ...near(
        exact('ms', 'by which arrivals were late', 'the event loop', () => 0),
        { absolute: 100 },
      ),
      altogether: (all: readonly number[]) => all[0] ?? 0,
    },
  };
  // Arrivals at random come at 70 % of what the callers reached: their line is shorter than that of the callers, by as much as chance has it.
  const inLine = ({ loop }: ProbeWorld) => mean(loop.waits) / 2;
  const random = (of: (world: ProbeWorld) => number): Record<string, Row> =>
    Object.fromEntries(
      ['averageMs', 'p50Ms'].map((name) => [
        name,
        near(exact('ms', `${name}, between no line and that of the callers`, loopOf, of), {
          absolute: 25,
        }),
      ]),
    );
  const arrivals =
    kind === 'closed'
      ? []
      : [
          sameAs(
            random((world) => inLine(world) + mean(world.loop.statements)),
            'validation.open.load.latency',
          ),
          sameAs(random(inLine), 'validation.open.load.wait'),
        ];
  return [
    sameAs(rows, `validation.${kind}.load`),
    sameAs(
      latency('whole answer', ({ answers }) => answers),
      `validation.${kind}.load.latency`,
    ),
    sameAs(
      latency('wait for a client', ({ waits }) => waits),
      `validation.${kind}.load.wait`,
    ),
    sameAs(
      latency('statement', ({ statements }) => statements),
      `validation.${kind}.load.database`,
    ),
    ...arrivals,
  ];
});

const pooled = (
  unit: string,
  means: string,
  beside: string,
  of: (pooler: NonNullable<ProbeWorld['pooler']>) => number,
): Row => exact(unit, means, beside, ({ pooler }) => (pooler === null ? [] : of(pooler)));
/** Of a machine that others use too: what stands there has to be one number of a known kind. */
const cores = (means: string): Row =>
  near(
    {
      ...exact('cores', means, '/proc/stat: at most all cores', (world) => world.cores / 2),
      altogether: (all) => mean(all, 1),
    },
    { absolute: 2 },
  );
const found = (means: string, altogether = first): Row =>
  near(
    {
      ...exact(
        'clients',
        means,
        'smallest number of clients with 90 % of the peak of pgbench',
        (world) => world.found,
      ),
      altogether,
    },
    { absolute: 1 },
  );
const alone = (unit: string, means: string, of: (perSecond: number) => number): Row =>
  near(
    {
      ...exact(unit, means, 'pgbench with one client', ({ pgbench }) => of(pgbench.one)),
      altogether: first,
    },
    { share: 0.6 },
  );

/** Every number of a probe of one statement's sizes, without a baseline. A check by arrivals at random has no independent time of an answer. */
export const probeFigures: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(loads.flatMap((rows) => Object.entries(rows))),
  schemaVersion: exact('version', 'of results', 'docs', () => 2),
  elapsedMs: near(
    exact('ms', 'of the probe', 'the test’s clock', ({ elapsedMs }) => elapsedMs),
    { share: 0.5, absolute: 3_000 },
  ),
  rounds: near(
    exact('rounds', 'over the sizes', 'three at least', () => 10),
    { absolute: 20 },
  ),
  'server.port': exact('port', 'of the target', 'its address', ({ port }) => port),
  'server.pooler.defaultPoolSize': pooled('servers', 'a pool', 'pgbouncer.ini', ({ size }) => size),
  'server.pooler.maxClientConnections': pooled(
    'clients',
    'that it takes',
    'pgbouncer.ini',
    ({ maxClients }) => maxClients,
  ),
  'server.pooler.peakWaitMs': {
    ...pooled('ms', 'longest wait', 'a statement’s time, some of them', () => 0),
    altogether: (all) => all[0] ?? NaN,
    within: { absolute: 2_000 },
    independent: ({ pooler }) => (pooler === null ? NaN : 0),
  },
  'server.pooler.peakWaitingClients': {
    ...pooled('clients', 'in line', '--max less the backends', ({ size }) => size),
    within: { absolute: 40 },
  },
  'server.pooler.waitShare': {
    ...pooled('share', 'of the time of transactions spent in line', 'from 0 to 1', () => 0.5),
    within: { absolute: 0.5 },
  },
  'machine.cores': exact('cores', 'that may be used', '/proc/cpuinfo', (world) => world.cores),
  'workload.statements[].share': exact('share', 'of the calls', 'one statement', () => 1),
  'workload.statements[].meanMs': near(
    exact(
      'ms',
      'on one connection',
      'pgbench with one client',
      ({ pgbench }) => 1_000 / pgbench.one,
    ),
    { share: 0.6 },
  ),
  'transactions.committed': exact('transactions', 'whose effects stay', 'none may', () => 0),
  'transactions.wrote': exact('transactions', 'that wrote', 'none may', () => 0),
  'transactions.failed': exact('transactions', 'ended by an error', 'none did', () => 0),
  'transactions.rolledBack': {
    ...exact('transactions', 'ended by ROLLBACK', 'some', () => 1),
    altogether: (all) => Math.min(1, first(all)),
  },
  'transactions.database.commits': near(
    exact(
      'transactions',
      'of all sessions (pg_stat_database)',
      'twenty looks a second of the probe, and those of the test',
      ({ elapsedMs }) => elapsedMs / 50,
    ),
    { absolute: 1_000 },
  ),
  'transactions.database.rowsWritten': exact(
    'rows',
    'written by all sessions',
    'nobody writes',
    () => 0,
  ),
  'recommendation.max': found('what to write as max'),
  goodSize: found('smallest size with 90 % of the peak'),
  knee: { ...found('where the curve levels off', (all) => all[0] ?? 3), within: { absolute: 3 } },
  'recommendation.interval[]': {
    ...found('sizes that may be right', (all) => mean(all)),
    within: { absolute: 2 },
  },
  'recommendation.confidence': shareOf('of the draws that chose the same size'),
  'recommendation.connectionTimeoutMs': near(
    exact('ms', 'ten times the usual wait, in whole seconds', 'at least a second', () => 1_000),
    { absolute: 9_000 },
  ),
  'recommendation.defaultPoolSize': none('servers', 'of the pooler', 'its own size was the limit'),
  'cap.size': exact('clients', 'that were opened', '--max', ({ max }) => max),
  'sizes[].size': {
    ...exact('clients', 'of a point', '--max', ({ max }) => max),
    altogether: most,
  },
  'sizes[].throughput': alone(
    '1/s',
    'statements a second of the modelled curve',
    (perSecond) => perSecond,
  ),
  'sizes[].low': {
    ...alone('1/s', '5th percentile', (perSecond) => perSecond),
    within: { share: 0.6 },
  },
  'sizes[].high': {
    ...alone('1/s', '95th percentile', (perSecond) => perSecond),
    within: { share: 0.6 },
  },
  'sizes[].meanMs': alone('ms', 'of a statement', (perSecond) => 1_000 / perSecond),
  'sizes[].slices': {
    ...near(
      exact('slices', 'of a size', 'three at least', () => 10),
      { absolute: 20 },
    ),
    altogether: most,
  },
  'slices[].round': {
    ...near(
      exact('round', 'of a slice', 'from 0', () => 10),
      { absolute: 20 },
    ),
    altogether: most,
  },
  'slices[].size': {
    ...exact('clients', 'of a slice', '--max', ({ max }) => max),
    altogether: most,
  },
  'slices[].throughput': {
    ...alone('1/s', 'statements a second of a slice', (perSecond) => perSecond),
    altogether: (all) => Math.min(...all),
    within: { share: 0.6 },
  },
  'slices[].line.backends': {
    ...pooled('servers', 'of the pooler', 'pgbouncer.ini', ({ size }) => size),
    altogether: (all) => all[0] ?? NaN,
    independent: ({ pooler }) => pooler?.size ?? NaN,
  },
  'slices[].line.plainMs': {
    ...exact(
      'ms',
      'of a round trip to the pooler',
      'pgbench with one client, less the sleep',
      ({ pgbench, sleepMs }) => 1_000 / pgbench.one - sleepMs,
    ),
    altogether: (all) => mean(all),
    within: { absolute: 3 },
  },
  'slices[].line.guardMs': {
    ...exact(
      'ms',
      'that guards add to it',
      'less than the round trip of five statements',
      () => 0.5,
    ),
    altogether: (all) => mean(all),
    within: { absolute: 3 },
  },
  'slices[].load.cores': {
    ...exact('cores', 'of this machine', '/proc/cpuinfo', (world) => world.cores),
    altogether: first,
  },
  'slices[].load.threads': {
    ...exact('threads', 'of the probe', '--threads', () => 1),
    altogether: most,
  },
  'slices[].load.eventLoop': shareOf('of the time that the event loop was busy'),
  'slices[].load.ownCores': cores('of the probe'),
  'slices[].load.idleCores': cores('idle'),
  'slices[].load.foreignCores': cores('of other programs'),
  'slices[].load.backendCores': cores('of the probe’s backends'),
  'slices[].load.stolenCores': cores('of the host’s others'),
  'slices[].load.waiting.backends': cores('tasks that wait for a processor'),
  'slices[].load.waiting.probe': cores('tasks that wait for a processor'),
  'limits.pools': exact('pools', 'of the application', '--workers', () => 1),
  'limits.limits[].value': exact(
    'connections',
    'that a limit allows',
    'SHOW max_connections; pgbouncer.ini',
    ({ pooler, maxConnections }) => pooler?.maxClients ?? maxConnections,
  ),
  'limits.limits[].perPool': exact(
    'connections',
    'for one pool',
    'SHOW, worked out again',
    (world) => world.pooler?.maxClients ?? free(world),
  ),
  'processes.free': exact(
    'connections',
    'for all processes',
    'SHOW, worked out again: the same as the limit',
    free,
  ),
  'processes.whole': {
    ...found('for all processes together', (all) => all[0] ?? 3),
    within: { absolute: 1 },
  },
  'processes.rows[].processes': {
    ...exact('processes', 'of a row', '1 to 16', () => 16),
    altogether: most,
  },
  'processes.rows[].direct.max': found('of one process', most),
  'processes.rows[].direct.connections': {
    ...exact('connections', 'processes × max', 'one each of 16', () => 16),
    altogether: most,
  },
  'processes.rows[].direct.left': {
    ...exact(
      'connections',
      'left by 16 processes',
      'SHOW, worked out again',
      (world) => free(world) - 16,
    ),
    altogether: (all) => Math.min(...all),
  },
  'processes.rows[].pooled.max': found('of one process', most),
  'processes.rows[].pooled.clients': {
    ...exact('clients', 'of the pooler', 'one each of 16', () => 16),
    altogether: most,
  },
  'processes.rows[].pooled.backends': found('for all clients', most),
  'processes.rows[].pooled.left': {
    ...near(
      exact('connections', 'left', 'SHOW, worked out again', (world) => free(world) - world.found),
      { absolute: 1 },
    ),
    altogether: (all) => Math.min(...all),
  },
  'memory.bytes': near(
    exact(
      'bytes',
      'anonymous memory of a backend',
      '/proc/PID/smaps without shared mappings',
      ({ memoryBytes }) => memoryBytes ?? [],
    ),
    // It has also run the statements that a probe looks around with.
    { absolute: 2 * 1024 * 1024 },
  ),
  'memory.workMemBytes': exact(
    'bytes',
    'work_mem',
    'SHOW work_mem',
    ({ workMemBytes, memoryBytes }) => (memoryBytes === null ? [] : workMemBytes),
  ),
  'validation.max': found('of the real pool'),
  'validation.closed.callers': {
    ...near(
      exact('callers', 'four a client', 'four times pgbench’s', (world) => 4 * world.found),
      { absolute: 4 },
    ),
  },
  'validation.open.rate': near(
    exact('1/s', '70 % of what the callers did', 'the loop’s', ({ loop }) => 0.7 * loop.perSecond),
    { share: 0.6 },
  ),
  'advice.guesses[].size[]': {
    ...exact('clients', 'of a formula', 'node-postgres: 10', () => 10),
    altogether: (all) => (all.includes(10) ? 10 : NaN),
  },
  'advice.observed.meanActive': {
    ...near(
      exact('sessions', 'at work (pg_stat_database)', 'few', () => 5),
      { absolute: 50 },
    ),
    altogether: (all) => all[0] ?? 0,
  },
  'advice.observed.busyShare': shareOf('of the time in transactions'),
};

/** What a loop over plain clients saw, statement by statement in milliseconds. */
export interface MixedLoop {
  readonly clients: number;
  readonly perSecond: number;
  readonly times: readonly (readonly number[])[];
}

export interface ComparedWorld {
  /** The sizes that both runs tried. */
  readonly shared: readonly number[];
  /** By rising number of clients. */
  readonly loops: readonly MixedLoop[];
  /** What the earlier size does as a share of the best one, by the same loops. */
  readonly ratio: number;
  readonly statements: number;
}

type ComparedRow = FigureRow<ComparedWorld>;

const mixedLoop = 'a loop over plain clients of the test';

/** The smallest number of clients with 90 % of the peak. */
const enough = ({ loops }: ComparedWorld) =>
  loops.find(({ perSecond }) => perSecond >= 0.9 * most(loops.map((each) => each.perSecond)))
    ?.clients ?? NaN;
const beyond = (world: ComparedWorld) =>
  world.loops.filter(({ clients }) => clients >= enough(world));
const totals = (loops: readonly MixedLoop[], at: number) =>
  loops.flatMap(({ times }) => times[at] ?? []);
const sumOf = (times: readonly number[]) => times.reduce((total, each) => total + each, 0);
const shares = (values: readonly number[]) => values.map((each) => each / sumOf(values));
const statementsOf = (world: ComparedWorld) =>
  Array.from({ length: world.statements }, (_, at) => at);
const meansOf = (world: ComparedWorld, loops: readonly MixedLoop[]) =>
  statementsOf(world).map((at) => mean(totals(loops, at)));

const ofLoop = (
  unit: string,
  means: string,
  independent: ComparedRow['independent'],
  within: NonNullable<ComparedRow['within']>,
): ComparedRow => ({ unit, means, beside: mixedLoop, independent, within });
/** Where more clients bring nearly nothing, several sizes are right: one is as good as the throughput of a loop with as many clients. */
const size = (means: string) =>
  ofLoop('share', `of the best loop's throughput, ${means}`, () => 1, { absolute: 0.35 });
const scale = (means: string) =>
  ofLoop(
    'times',
    means,
    ({ loops, shared }) =>
      loops
        .filter(({ clients }) => shared.includes(clients))
        .map(({ perSecond }) => perSecond / (loops[0]?.perSecond ?? NaN)),
    { share: 0.35 },
  );
const certainty: ComparedRow = {
  ...ofLoop('share', 'of the draws that chose the same size', () => 0.5, { absolute: 0.5 }),
  altogether: (all) => mean(all, 0.5),
};

const picked = (which: string): Record<string, ComparedRow> => ({
  [`comparison.${which}.size`]: size('that the run named'),
  [`comparison.${which}.max`]: size('that the run recommended'),
  // What it holds may be twice as much from end to end.
  [`comparison.${which}.interval[]`]: {
    ...size('that may be right'),
    altogether: (all) => mean(all, 1),
  },
  [`comparison.${which}.confidence`]: certainty,
});

/** What a probe says of several statements, and beside an earlier run. */
export const comparedFigures: Readonly<Record<string, ComparedRow>> = {
  'statementLoads.alone': ofLoop(
    'clients',
    'of the smallest size',
    ({ loops }) => loops[0]?.clients ?? NaN,
    {},
  ),
  'statementLoads.from': size('from which on times are summed up'),
  'statementLoads.statements[].aloneMs': ofLoop(
    'ms',
    'mean of one client',
    (world) => meansOf(world, world.loops.slice(0, 1)),
    { share: 0.25 },
  ),
  'statementLoads.statements[].meanMs': ofLoop(
    'ms',
    'mean with that many clients and more',
    (world) => meansOf(world, beyond(world)),
    { share: 0.5 },
  ),
  'statementLoads.statements[].timeShare': ofLoop(
    'share',
    'of the time that connections were busy',
    (world) => shares(statementsOf(world).map((at) => sumOf(totals(beyond(world), at)))),
    { absolute: 0.15 },
  ),
  'statementLoads.statements[].queueShare': ofLoop(
    'share',
    'of the time beyond that of one client',
    (world) => {
      const alone = meansOf(world, world.loops.slice(0, 1));
      return shares(
        statementsOf(world).map((at) => {
          const times = totals(beyond(world), at);
          return Math.max(0, sumOf(times) - times.length * (alone[at] ?? NaN));
        }),
      );
    },
    { absolute: 0.15 },
  ),
  'statementLoads.binding.at': ofLoop(
    'place',
    'of the statement that limits',
    (world) => {
      const times = meansOf(world, beyond(world));
      return times.indexOf(most(times));
    },
    {},
  ),
  ...picked('baseline'),
  ...picked('now'),
  'comparison.paired.size': size('of the earlier run'),
  'comparison.paired.against': size('of the best size'),
  'comparison.paired.ratio': ofLoop(
    'share',
    'of the throughput of the best size',
    ({ ratio }) => ratio,
    { absolute: 0.35 },
  ),
  'comparison.paired.low': ofLoop('share', '5th percentile', ({ ratio }) => ratio, {
    absolute: 0.6,
  }),
  'comparison.paired.high': ofLoop('share', '95th percentile', ({ ratio }) => ratio, {
    absolute: 0.6,
  }),
  'comparison.scaling[].size': ofLoop('clients', 'of a point', ({ shared }) => shared, {}),
  'comparison.scaling[].then': scale('the throughput of the smallest size, in the earlier run'),
  'comparison.scaling[].now': scale('the throughput of the smallest size, now'),
};
