export interface SessionLimits {
  /** `application_name`: every connection of Poolguard can be told from the application's. */
  readonly applicationName: string;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
  /** How long to stand in a pooler's line for a backend. */
  readonly backendPatienceMs: number;
  /** 0 for none, which is what a session needs that may have nothing to say for long. PostgreSQL 14 and newer. */
  readonly idleSessionTimeoutMs: number;
  /** Ends the connection in the middle of a longer answer, which would fill the memory of this process. */
  readonly mostAnswerBytes: number;
  /** Statements of Poolguard's own, or those of a workload, which keep the application's search path and formats. */
  readonly runs: 'own' | 'workload';
  /** Told, in a sentence, of a server that says what PostgreSQL does not say; the connection ends then. */
  readonly onBreach?: (sentence: string) => void;
}

/**
 * For whoever looks again and again. A client that gives up leaves its place in PgBouncer's line all the same: it is noticed
 * only when its turn comes, and costs the pool a backend then. So one place is kept, for longer than `query_wait_timeout` is by default.
 */
export const watchersPatienceMs = 130_000;

/** A look at ten thousand sessions whose statements are a kilobyte each has a fifth of it. */
export const mostAnswerBytes = 64_000_000;

const ownApplicationName = 'poolguard';

export const defaultLimits: SessionLimits = {
  applicationName: ownApplicationName,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 2_000,
  lockTimeoutMs: 500,
  idleInTransactionTimeoutMs: 5_000,
  backendPatienceMs: 5_000,
  idleSessionTimeoutMs: 0,
  mostAnswerBytes,
  runs: 'own',
};

/** How long the client waits for an answer beyond the server's own limit, in milliseconds. */
const graceMs = 3_000;

/** How long a statement may take on a connection of its own, in milliseconds. */
export function directAnswerMs({ statementTimeoutMs }: SessionLimits): number {
  return statementTimeoutMs + graceMs;
}

/** How long a statement may take that first stands in a pooler's line, in milliseconds. */
export function pooledAnswerMs(limits: SessionLimits): number {
  return limits.backendPatienceMs + directAnswerMs(limits);
}
