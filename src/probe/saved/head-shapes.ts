import type { ObservedLoad, StartingGuess, Advice } from '../advise/advice.ts';
import type { Latency, PoolLoad } from '../load/pool-load.ts';
import {
  schemaVersion,
  type BackendMemory,
  type Limit,
  type LimitsApplied,
  type Machine,
  type PoolerSummary,
  type ProbedServer,
  type ResultHead,
  type TransactionReport,
  type WorkloadSummary,
} from '../result-head.ts';
import {
  flag,
  list,
  literal,
  nullable,
  number,
  object,
  optional,
  pair,
  record,
  text,
  type Fields,
  type Shape,
} from './shape.ts';

export const errorCounts = record(number);

export const latency = object<Latency>({
  count: number,
  averageMs: number,
  p50Ms: number,
  p95Ms: nullable(number),
  p99Ms: nullable(number),
  maxMs: number,
});

export const load = object<PoolLoad>({
  seconds: number,
  requests: number,
  throughput: number,
  latency: nullable(latency),
  wait: nullable(latency),
  database: nullable(latency),
  peakWaiting: number,
  errors: errorCounts,
  dropped: number,
  lagP99Ms: nullable(number),
});

const pooler = object<PoolerSummary>({
  version: nullable(text),
  mode: nullable(literal('session', 'transaction', 'statement')),
  defaultPoolSize: nullable(number),
  maxClientConnections: nullable(number),
  peakWaitMs: nullable(number),
  peakWaitingClients: nullable(number),
  waitShare: nullable(number),
});

export const server = object<ProbedServer>({
  version: text,
  host: text,
  port: number,
  database: text,
  pooler: nullable(pooler),
});

const workload = object<WorkloadSummary>({
  origin: literal('stand-in', 'given', 'pg_stat_statements'),
  statements: list(
    object<WorkloadSummary['statements'][number]>({
      text,
      share: number,
      parameters: list(text),
      meanMs: nullable(number),
    }),
  ),
  inTransaction: flag,
});

const transactions = object<TransactionReport>({
  rolledBack: number,
  failed: number,
  committed: number,
  wrote: number,
  database: nullable(
    object<NonNullable<TransactionReport['database']>>({ commits: number, rowsWritten: number }),
  ),
});

export const limit = object<Limit>({
  kind: literal(
    'max_connections',
    'role',
    'database',
    'pooler-pool',
    'pooler-database',
    'pooler-user',
    'pooler-clients',
  ),
  name: text,
  value: number,
  perPool: number,
  arithmetic: text,
});

export const limits = object<LimitsApplied>({
  pools: number,
  limits: list(limit),
  binding: nullable(limit),
});

export const memory = object<BackendMemory>({
  bytes: number,
  method: text,
  workMemBytes: nullable(number),
});

export const advice = object<Advice>({
  guesses: list(
    object<StartingGuess>({ name: text, arithmetic: text, size: pair(number), source: text }),
  ),
  observed: nullable(
    object<ObservedLoad>({
      busyShare: number,
      meanActive: nullable(number),
      since: nullable(text),
    }),
  ),
});

export const version = literal(schemaVersion);

export const machine = object<Machine>({ cores: number, platform: text, node: text });

/** The fields of `ResultHead` but for the verdict, whose kinds are each experiment's own. */
export const headFields: Fields<Omit<ResultHead, 'verdict'>> = {
  schemaVersion: version,
  probeId: text,
  startedAt: text,
  elapsedMs: number,
  server,
  machine,
  workload,
  transactions: optional(transactions),
  partial: nullable(text),
  notes: list(text),
  errors: errorCounts,
};

export function verdictOf<Kind extends string>(
  kind: Shape<Kind>,
): Shape<{ readonly kind: Kind; readonly because: string }> {
  return object<{ readonly kind: Kind; readonly because: string }>({ kind, because: text });
}
