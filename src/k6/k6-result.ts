import type { ErrorCounts, Latency } from '../probe/load/pool-load.ts';
import type { schemaVersion } from '../probe/result-head.ts';
import type { K6Origin } from './k6-plan.ts';

/** A condition that k6 judged the run by; k6 exits with 99 when one was crossed. */
export interface K6Threshold {
  /** For example `http_req_failed`. */
  readonly metric: string;
  /** For example `rate<0.01`. */
  readonly condition: string;
  readonly passed: boolean;
}

/** What `handleSummary` of our scripts writes (`write-script.ts`). The file may have been anybody's since. */
export interface K6Result {
  readonly schemaVersion: typeof schemaVersion;
  readonly experiment: 'k6';
  readonly from: K6Origin;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly elapsedMs: number;
  /** Without user, password and query. */
  readonly url: string;
  readonly method: string;
  /** `max` of each pool, as the run was told; null when it was not. */
  readonly pool: number | null;
  /** Pools that answer behind the URL, as the run was told. */
  readonly pools: number;
  /** The part of the load that this run made, such as `0:1/4`; null for all of it. */
  readonly segment: string | null;
  readonly load: {
    readonly form: 'users' | 'arrivals';
    /** Users, or arrivals per second, at the end of each stage, of all pools together. */
    readonly stages: readonly { readonly seconds: number; readonly target: number }[];
    /** Pause of each user; null for arrivals. */
    readonly thinkMs: number | null;
    /** VUs that k6 might use at most; null for users, who are one each. */
    readonly maxVUs: number | null;
  };
  /** Answers with status 2xx or 3xx. */
  readonly requests: number;
  /** Of those, per second of the whole run. */
  readonly throughput: number;
  /** Of those, from sending the request to the end of the answer. Null without one. */
  readonly latency: Latency | null;
  /** Answers with status 4xx and 5xx by their status, broken connections and timeouts by their code. */
  readonly errors: ErrorCounts;
  /** Arrivals that k6 never began, for want of a free VU. */
  readonly dropped: number;
  /** VUs that were allocated at the end. */
  readonly allocatedVUs: number;
  readonly thresholds: readonly K6Threshold[];
}
