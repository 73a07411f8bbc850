import type { K6Result, K6Threshold } from '../../k6/k6-result.ts';
import type { AdviseResult } from '../advise/advise-result.ts';
import type { Comparison, Picked } from '../baseline/comparison.ts';
import { strategies, type CompareResult, type CompareRow } from '../compare/compare-result.ts';
import type { ConnectPath, ConnectResult } from '../connect/connect-result.ts';
import type { UserStage } from '../experiment.ts';
import type { PoolSample } from '../load/pool-load.ts';
import type { Inflection, RampCell, RampResult } from '../ramp/ramp-result.ts';
import type {
  PoolValidation,
  Recommendation,
  ReportedResult,
  SizeMeasurement,
  SizeResult,
} from '../result.ts';
import type { Slice, SliceLoad } from '../size/slice.ts';
import type { SpikeInput, SpikeResult, SpikeRow } from '../spike/spike-result.ts';
import type { UsersResult, UsersRow } from '../users/users-result.ts';
import {
  advice,
  errorCounts,
  headFields,
  latency,
  limits,
  load,
  memory,
  server,
  verdictOf,
  version,
} from './head-shapes.ts';
import { sweep } from './sweep-shape.ts';
import {
  flag,
  list,
  literal,
  nullable,
  number,
  object,
  optional,
  pair,
  positive,
  text,
} from './shape.ts';

const slice = object<Slice>({
  round: number,
  size: positive,
  throughput: positive,
  quiet: flag,
  load: object<SliceLoad>({
    cores: number,
    eventLoop: number,
    ownCores: number,
    idleCores: number,
    foreignCores: nullable(number),
    threads: optional(number),
  }),
});

const picked = object<Picked>({
  startedAt: text,
  size: nullable(positive),
  max: nullable(positive),
  interval: nullable(pair(number)),
  confidence: nullable(number),
});

const comparison = object<Comparison>({
  baseline: picked,
  now: picked,
  paired: nullable(
    object<NonNullable<Comparison['paired']>>({
      size: positive,
      against: positive,
      ratio: number,
      low: number,
      high: number,
      rounds: number,
    }),
  ),
  scaling: list(
    object<Comparison['scaling'][number]>({ size: positive, then: number, now: number }),
  ),
  verdict: verdictOf(
    literal('unchanged', 'smaller-is-enough', 'larger-needed', 'worse', 'too-noisy'),
  ),
  differences: list(text),
});

const size = object<SizeResult>({
  ...headFields,
  experiment: literal('size'),
  verdict: verdictOf(
    literal(
      'found',
      'not-saturated',
      'client-bound',
      'host-bound',
      'lock-bound',
      'pooler-bound',
      'too-noisy',
    ),
  ),
  recommendation: nullable(
    object<Recommendation>({
      max: positive,
      interval: pair(number),
      confidence: number,
      limitedBy: text,
      defaultPoolSize: nullable(number),
      connectionTimeoutMs: number,
    }),
  ),
  sizes: list(
    object<SizeMeasurement>({
      size: positive,
      throughput: positive,
      low: number,
      high: number,
      meanMs: number,
      acceptedSlices: number,
      slices: number,
    }),
  ),
  knee: nullable(positive),
  goodSize: nullable(positive),
  cap: object<SizeResult['cap']>({ size: number, because: text }),
  rounds: number,
  slices: list(slice),
  limits,
  memory: nullable(memory),
  validation: nullable(
    object<PoolValidation>({
      max: positive,
      closed: nullable(object<NonNullable<PoolValidation['closed']>>({ callers: number, load })),
      open: nullable(object<NonNullable<PoolValidation['open']>>({ rate: number, load })),
    }),
  ),
  advice,
  comparison: optional(comparison),
});

const users = object<UsersResult>({
  ...headFields,
  experiment: literal('users'),
  verdict: verdictOf(text),
  stages: list(object<UserStage>({ seconds: number, users: number })),
  thinkMs: number,
  rows: list(
    object<UsersRow>({
      max: positive,
      load,
      gain: nullable(number),
      gainPerConnection: nullable(number),
      samples: list(
        object<PoolSample>({
          atMs: number,
          total: number,
          idle: number,
          waiting: number,
          answered: number,
        }),
      ),
    }),
  ),
  pick: nullable(positive),
});

const phases = object<ConnectPath['sequential']['phases']>({
  dns: optional(latency),
  tcp: optional(latency),
  tls: optional(latency),
  authentication: optional(latency),
  firstQuery: optional(latency),
});

const connect = object<ConnectResult>({
  ...headFields,
  experiment: literal('connect'),
  verdict: verdictOf(text),
  paths: list(
    object<ConnectPath>({
      name: literal('direct', 'pooler'),
      address: text,
      sequential: object<ConnectPath['sequential']>({
        total: nullable(latency),
        phases,
        errors: errorCounts,
      }),
      concurrent: object<ConnectPath['concurrent']>({
        at: number,
        total: nullable(latency),
        perSecond: number,
        errors: errorCounts,
      }),
    }),
  ),
});

const compare = object<CompareResult>({
  ...headFields,
  experiment: literal('compare'),
  verdict: verdictOf(text),
  poolSize: number,
  rows: list(
    object<CompareRow>({
      strategy: literal(...strategies),
      callers: number,
      connections: number,
      load,
      eventLoop: number,
    }),
  ),
});

const ramp = object<RampResult>({
  ...headFields,
  experiment: literal('ramp'),
  verdict: verdictOf(text),
  waitLimitMs: number,
  cells: list(object<RampCell>({ max: positive, rate: positive, load })),
  inflections: list(object<Inflection>({ max: positive, rate: nullable(positive), because: text })),
});

const spike = object<SpikeResult>({
  schemaVersion: version,
  experiment: literal('spike'),
  input: object<SpikeInput>({
    rate: number,
    holdMs: number,
    spikeHoldMs: number,
    spikeMs: number,
    waitLimitMs: nullable(number),
  }),
  needed: number,
  neededInSpike: number,
  rows: list(
    object<SpikeRow>({
      max: positive,
      utilisation: number,
      backlog: number,
      longestWaitMs: number,
      reachedWaitMs: number,
      drainMs: nullable(number),
      refused: number,
    }),
  ),
  verdict: verdictOf(literal('rides-it-out', 'recovers', 'never-recovers')),
  notes: list(text),
});

const advise = object<AdviseResult>({
  schemaVersion: version,
  experiment: literal('advise'),
  server: nullable(server),
  advice,
  limits,
  notes: list(text),
});

/** Written by `handleSummary` of our scripts (`src/k6/script/summary-code.ts`). */
const k6 = object<K6Result>({
  schemaVersion: version,
  experiment: literal('k6'),
  from: literal('probe', 'probe ramp', 'probe sweep', 'sweep'),
  startedAt: text,
  elapsedMs: number,
  url: text,
  method: text,
  pool: nullable(positive),
  pools: positive,
  segment: nullable(text),
  load: object<K6Result['load']>({
    form: literal('users', 'arrivals'),
    stages: list(object<K6Result['load']['stages'][number]>({ seconds: number, target: number })),
    thinkMs: nullable(number),
    maxVUs: nullable(number),
  }),
  requests: number,
  throughput: number,
  latency: nullable(latency),
  errors: errorCounts,
  dropped: number,
  allocatedVUs: number,
  thresholds: list(object<K6Threshold>({ metric: text, condition: text, passed: flag })),
});

/** What a saved result of each kind looks like: a row each. */
export const resultShapes = {
  size,
  users,
  connect,
  compare,
  ramp,
  spike,
  advise,
  k6,
  sweep,
} as const satisfies Readonly<Record<ReportedResult['experiment'], unknown>>;
