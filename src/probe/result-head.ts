import * as v from 'valibot';
import { flag, number, text, type OutputOf } from '../schema/fields.ts';
import { ErrorCounts } from './load/pool-load.ts';

/** Raised whenever a reader of the printed form would have to change. */
export const schemaVersion = 2;

/** What was run. */
export const WorkloadSummary = v.object({
  origin: v.picklist(['stand-in', 'given', 'pg_stat_statements', 'code']),
  /** The route or the file that sends the statements: `GET /users/:id`. */
  from: v.exactOptional(text),
  statements: v.array(
    v.object({
      text,
      /** 0 to 1; all together 1. */
      share: number,
      /** As given: `1..1000`, `a|b|c`; `@public.users.city` for values of a column, which are in no result. */
      parameters: v.array(text),
      /** Mean on one connection before the experiment, in milliseconds; null when it was not timed. */
      meanMs: v.nullable(number),
    }),
  ),
  /** True when statements write: each ran in a transaction of its own then. */
  inTransaction: flag,
});
export type WorkloadSummary = OutputOf<typeof WorkloadSummary>;

/** What the pooler's console said before and after; each null where it does not say or may not be asked. */
export const PoolerSummary = v.object({
  version: v.nullable(text),
  mode: v.nullable(v.picklist(['session', 'transaction', 'statement'])),
  defaultPoolSize: v.nullable(number),
  maxClientConnections: v.nullable(number),
  /** Age of the oldest waiting client at its worst, in milliseconds. */
  peakWaitMs: v.nullable(number),
  peakWaitingClients: v.nullable(number),
  /** Share of the time that clients spent waiting for a backend, in all time they spent; 0 to 1. */
  waitShare: v.nullable(number),
});
export type PoolerSummary = OutputOf<typeof PoolerSummary>;

export const ProbedServer = v.object({
  version: text,
  host: text,
  port: number,
  database: text,
  /** The pooler in between; null when connected directly. */
  pooler: v.nullable(PoolerSummary),
});
export type ProbedServer = OutputOf<typeof ProbedServer>;

export const Machine = v.object({
  cores: number,
  /** For example "linux x64". */
  platform: text,
  node: text,
});
export type Machine = OutputOf<typeof Machine>;

/** A limit on the number of connections, turned into what each pool may have. */
export const Limit = v.object({
  kind: v.picklist([
    'max_connections',
    'role',
    'database',
    'pooler-pool',
    'pooler-database',
    'pooler-user',
    'pooler-clients',
  ]),
  /** For example "max_connections". */
  name: text,
  value: number,
  /** Per pool of the application, at least 0. */
  perPool: number,
  /** For example "(100 − 3 reserved − 10 for administration) / 8 pools = 10". */
  arithmetic: text,
});
export type Limit = OutputOf<typeof Limit>;

/** What stands between the measured size and the recommended one. */
export const LimitsApplied = v.object({
  /** Pools of the application that share the server, deploy overlap included. */
  pools: number,
  /** Tightest first. */
  limits: v.array(Limit),
  /** Null when none is below what was measured. */
  binding: v.nullable(Limit),
});
export type LimitsApplied = OutputOf<typeof LimitsApplied>;

export const BackendMemory = v.object({
  /** Of one backend that has run the workload, in bytes. */
  bytes: number,
  /** What is counted, and where it was read. */
  method: text,
  /** `work_mem` in bytes, which each sort or hash of a running statement may use on top. */
  workMemBytes: v.nullable(number),
});
export type BackendMemory = OutputOf<typeof BackendMemory>;

/** What became of the transactions of the statements. */
export const TransactionReport = v.object({
  /** Ended by ROLLBACK. */
  rolledBack: number,
  /** Ended by an error, which undoes them as well. */
  failed: number,
  /** Ended in any other way, so that what they did stays. */
  committed: number,
  /** Had written something when they should only read; the ROLLBACK undid it. */
  wrote: number,
  /** What `pg_stat_database` counted for the whole database meanwhile, the sessions of others included; null where it cannot be read. */
  database: v.nullable(v.object({ commits: number, rowsWritten: number })),
  /** What backends of the pooler keep that they did not have before, a sentence each; missing in older results. */
  left: v.exactOptional(v.array(text)),
});
export type TransactionReport = OutputOf<typeof TransactionReport>;

/** What the report of every experiment begins with. */
export const ResultHead = v.object({
  schemaVersion: v.literal(schemaVersion),
  /** As in `application_name`: `poolguard-probe/<id>`. */
  probeId: text,
  /** ISO 8601. */
  startedAt: text,
  elapsedMs: number,
  server: ProbedServer,
  machine: Machine,
  workload: WorkloadSummary,
  verdict: v.object({
    kind: text,
    /** Whole sentences. */
    because: text,
  }),
  /** Missing in results that were saved before transactions were counted. */
  transactions: v.exactOptional(TransactionReport),
  /** Null when it ran to its end; else the sentence that says what ended it early. */
  partial: v.nullable(text),
  /** What to keep in mind when reading the numbers, in whole sentences. */
  notes: v.array(text),
  /** Statements and connections that failed. */
  errors: ErrorCounts,
});
export type ResultHead = OutputOf<typeof ResultHead>;
