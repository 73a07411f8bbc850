import * as v from 'valibot';
import { flag, number, positive, text, type OutputOf } from '../schema/fields.ts';
import { ErrorCounts, Latency } from '../probe/load/pool-load.ts';
import { schemaVersion } from '../probe/result-head.ts';
import { k6Origins } from './k6-plan.ts';

/** A condition that k6 judged the run by; k6 exits with 99 when one was crossed. */
export const K6Threshold = v.object({
  /** For example `http_req_failed`. */
  metric: text,
  /** For example `rate<0.01`. */
  condition: text,
  passed: flag,
});
export type K6Threshold = OutputOf<typeof K6Threshold>;

/** What `handleSummary` of our scripts writes (`write-script.ts`). The file may have been anybody's since. */
export const K6Result = v.object({
  schemaVersion: v.literal(schemaVersion),
  experiment: v.literal('k6'),
  from: v.picklist(k6Origins),
  /** ISO 8601. */
  startedAt: text,
  elapsedMs: number,
  /** Without user, password and query. */
  url: text,
  method: text,
  /** `max` of each pool, as the run was told; null when it was not. */
  pool: v.nullable(positive),
  /** Pools that answer behind the URL, as the run was told. */
  pools: positive,
  /** The part of the load that this run made, such as `0:1/4`; null for all of it. */
  segment: v.nullable(text),
  load: v.object({
    form: v.picklist(['users', 'arrivals']),
    /** Users, or arrivals per second, at the end of each stage, of all pools together. */
    stages: v.array(
      v.object({
        seconds: number,
        target: number,
      }),
    ),
    /** Pause of each user; null for arrivals. */
    thinkMs: v.nullable(number),
    /** VUs that k6 might use at most; null for users, who are one each. */
    maxVUs: v.nullable(number),
  }),
  /** Answers with status 2xx or 3xx. */
  requests: number,
  /** Of those, per second of the whole run. */
  throughput: number,
  /** Of those, from sending the request to the end of the answer. Null without one. */
  latency: v.nullable(Latency),
  /** Answers with status 4xx and 5xx by their status, broken connections and timeouts by their code. */
  errors: ErrorCounts,
  /** Arrivals that k6 never began, for want of a free VU. */
  dropped: number,
  /** VUs that were allocated at the end. */
  allocatedVUs: number,
  thresholds: v.array(K6Threshold),
});
export type K6Result = OutputOf<typeof K6Result>;
