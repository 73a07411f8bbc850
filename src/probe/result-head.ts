import type { DatabaseCounts } from '../database/read-database-counts.ts';
import type { TransactionCounts } from '../database/transaction-tally.ts';
import type { ErrorCounts } from './load/pool-load.ts';

/** Raised whenever a reader of the printed form would have to change. */
export const schemaVersion = 2;

/** What was run. */
export interface WorkloadSummary {
  readonly origin: 'stand-in' | 'given' | 'pg_stat_statements';
  readonly statements: readonly {
    readonly text: string;
    /** 0 to 1; all together 1. */
    readonly share: number;
    /** As given: `1..1000`, `a|b|c`. */
    readonly parameters: readonly string[];
    /** Mean on one connection before the experiment, in milliseconds; null when it was not timed. */
    readonly meanMs: number | null;
  }[];
  /** True when statements write: each ran in a transaction of its own then. */
  readonly inTransaction: boolean;
}

export interface ProbedServer {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** The pooler in between; null when connected directly. */
  readonly pooler: PoolerSummary | null;
}

/** What the pooler's console said before and after; each null where it does not say or may not be asked. */
export interface PoolerSummary {
  readonly version: string | null;
  readonly mode: 'session' | 'transaction' | 'statement' | null;
  readonly defaultPoolSize: number | null;
  readonly maxClientConnections: number | null;
  /** Age of the oldest waiting client at its worst, in milliseconds. */
  readonly peakWaitMs: number | null;
  readonly peakWaitingClients: number | null;
  /** Share of the time that clients spent waiting for a backend, in all time they spent; 0 to 1. */
  readonly waitShare: number | null;
}

export interface Machine {
  readonly cores: number;
  /** For example "linux x64". */
  readonly platform: string;
  readonly node: string;
}

/** A limit on the number of connections, turned into what each pool may have. */
export interface Limit {
  readonly kind:
    | 'max_connections'
    | 'role'
    | 'database'
    | 'pooler-pool'
    | 'pooler-database'
    | 'pooler-user'
    | 'pooler-clients';
  /** For example "max_connections". */
  readonly name: string;
  readonly value: number;
  /** Per pool of the application, at least 0. */
  readonly perPool: number;
  /** For example "(100 − 3 reserved − 10 for administration) / 8 pools = 10". */
  readonly arithmetic: string;
}

/** What stands between the measured size and the recommended one. */
export interface LimitsApplied {
  /** Pools of the application that share the server, deploy overlap included. */
  readonly pools: number;
  /** Tightest first. */
  readonly limits: readonly Limit[];
  /** Null when none is below what was measured. */
  readonly binding: Limit | null;
}

export interface BackendMemory {
  /** Of one backend that has run the workload, in bytes. */
  readonly bytes: number;
  /** For example "memory contexts (pg_backend_memory_contexts)". */
  readonly method: string;
  /** `work_mem` in bytes, which each sort or hash of a running statement may use on top. */
  readonly workMemBytes: number | null;
}

/** What became of the transactions of the statements. */
export interface TransactionReport extends TransactionCounts {
  /** What `pg_stat_database` counted for the whole database meanwhile, the sessions of others included; null where it cannot be read. */
  readonly database: DatabaseCounts | null;
}

/** What the report of every experiment begins with. */
export interface ResultHead {
  readonly schemaVersion: typeof schemaVersion;
  /** As in `application_name`: `poolguard-probe/<id>`. */
  readonly probeId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly elapsedMs: number;
  readonly server: ProbedServer;
  readonly machine: Machine;
  readonly workload: WorkloadSummary;
  readonly verdict: { readonly kind: string; /** Whole sentences. */ readonly because: string };
  /** Missing in results that were saved before transactions were counted. */
  readonly transactions?: TransactionReport;
  /** Null when it ran to its end; else the sentence that says what ended it early. */
  readonly partial: string | null;
  /** What to keep in mind when reading the numbers, in whole sentences. */
  readonly notes: readonly string[];
  /** Statements and connections that failed. */
  readonly errors: ErrorCounts;
}
