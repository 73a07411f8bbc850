import * as v from 'valibot';
import { number, positive, range, text, type OutputOf } from '../../schema/fields.ts';
import { Advice } from '../advise/advice.ts';
import { Comparison } from '../baseline/comparison.ts';
import { PoolLoad } from '../load/pool-load.ts';
import { ProcessTable } from '../limits/process-table.ts';
import { BackendMemory, LimitsApplied, ResultHead } from '../result-head.ts';
import { Slice } from './slice.ts';

/** One measured pool size. Throughput is statements per second; `low` and `high` bound it (bootstrap, 5th and 95th percentile). */
export const SizeMeasurement = v.object({
  size: positive,
  throughput: positive,
  low: number,
  high: number,
  /** Mean time of one statement in the database, in milliseconds. */
  meanMs: number,
  slices: number,
});
export type SizeMeasurement = OutputOf<typeof SizeMeasurement>;

const verdictKinds = [
  'found',
  'not-saturated',
  'client-bound',
  'host-bound',
  'lock-bound',
  /** The pooler had no further backend to lend. */
  'pooler-bound',
  'too-noisy',
] as const;
export type VerdictKind = (typeof verdictKinds)[number];

export const Recommendation = v.object({
  /** What to write as `max`, per worker process. */
  max: positive,
  interval: range,
  /** Share of bootstrap draws that chose the same size, 0 to 1. */
  confidence: number,
  /** What bounds it, in words: the measured knee, the server's room, the cap of this run. */
  limitedBy: text,
  /** What to write as `default_pool_size` of the pooler in between; null without one, and where nothing is known about it. */
  defaultPoolSize: v.nullable(number),
  /** What to write as `connectionTimeoutMillis`, from the measured times. */
  connectionTimeoutMs: number,
});
export type Recommendation = OutputOf<typeof Recommendation>;

/** A real `pg.Pool({ max })` at the recommended size. */
export const PoolValidation = v.object({
  max: positive,
  /** Four callers per client, each asking again when it is answered. */
  closed: v.nullable(
    v.object({
      callers: number,
      load: PoolLoad,
    }),
  ),
  /** Arrivals at random moments, timed from the moment they were meant for. */
  open: v.nullable(
    v.object({
      rate: number,
      load: PoolLoad,
    }),
  ),
});
export type PoolValidation = OutputOf<typeof PoolValidation>;

/** What one statement of a workload took, as a client saw it. */
export const StatementLoad = v.object({
  /** Mean at the smallest size, in milliseconds; null without enough runs. */
  aloneMs: v.nullable(number),
  /** Mean at the size that was found and beyond; null without enough runs. */
  meanMs: v.nullable(number),
  /** Its share of the time that connections were busy there, 0 to 1. */
  timeShare: number,
  /** Its share of the time there beyond what statements take alone, 0 to 1: of queueing for locks, the CPU, or the disk. */
  queueShare: number,
});
export type StatementLoad = OutputOf<typeof StatementLoad>;

/** What the statements of a workload took each, in its order. */
export const StatementLoads = v.object({
  /** The smallest size that was measured. */
  alone: positive,
  /** The size that was found: figures are of this one and of all larger ones. */
  from: positive,
  statements: v.array(StatementLoad),
  /** The statement that keeps larger pools from doing more; null where none does. */
  binding: v.nullable(
    v.object({
      /** Its place in the workload, from 0. */
      at: number,
      /** A whole sentence. */
      because: text,
    }),
  ),
});
export type StatementLoads = OutputOf<typeof StatementLoads>;

/** Which pool size does it. */
export const SizeResult = v.object({
  ...ResultHead.entries,
  experiment: v.literal('size'),
  verdict: v.object({
    kind: v.picklist(verdictKinds),
    because: text,
  }),
  /** Null when the verdict refuses to name a number. */
  recommendation: v.nullable(Recommendation),
  sizes: v.array(SizeMeasurement),
  /** Where the curve bends; null when it does not. */
  knee: v.nullable(positive),
  /** The smallest size with 90 % of the best throughput; null without a believable curve. */
  goodSize: v.nullable(positive),
  /** Largest size this run could have tried, and why. */
  cap: v.object({
    size: number,
    because: text,
  }),
  rounds: number,
  /** Everything that was measured, in order. */
  slices: v.array(Slice),
  limits: LimitsApplied,
  /** processes × max against the server's room; null where no size is recommended, missing in results that were saved before. */
  processes: v.exactOptional(v.nullable(ProcessTable)),
  /** What each statement took, and which of them limits the size; null for a single statement. */
  statementLoads: v.exactOptional(v.nullable(StatementLoads)),
  memory: v.nullable(BackendMemory),
  validation: v.nullable(PoolValidation),
  /** What the formulas say, for comparison. */
  advice: Advice,
  /** How an earlier answer stands up; only where a baseline was given. */
  comparison: v.optional(Comparison),
});
export type SizeResult = OutputOf<typeof SizeResult>;
