import * as v from 'valibot';
import { number, positive, text, type OutputOf } from '../schema/fields.ts';
import { UserStage } from '../probe/experiment.ts';
import { ErrorCounts, Latency, PoolSample } from '../probe/load/pool-load.ts';
import { Limit, Machine, schemaVersion } from '../probe/result-head.ts';
import { GeneratorLoad } from './load/load-tool.ts';

/** What the load saw of one pool size, over its passes. Machine figures are those of the busiest quarter of the load, in cores. */
export const SweepRow = v.object({
  /** What the application was told, or what its pool was set to. */
  max: positive,
  /** `max` of the pool that was used most, by the monitor; null when no monitor reported. */
  seenMax: v.nullable(number),
  /** The largest total that the pools in use reached, together; null when no monitor reported. */
  peakTotal: v.nullable(number),
  /** Correct answers in a pass, on average. */
  requests: number,
  /** Answers of each pass in which this size took its turn, in their order. */
  passes: v.array(number),
  /** Of a pass, on average. */
  seconds: number,
  /** Per second. */
  throughput: number,
  /** From sending a request to its whole answer, as the caller saw it. Null without an answer. */
  latency: v.nullable(Latency),
  /** Clients that came back to the pool in a pass, on average, by the monitor; null when it did not tell, as in results of earlier versions. */
  checkouts: v.optional(v.nullable(number), null),
  /** From asking the pool for a client to having it, by the monitor: of every checkout of the load and no other. */
  waitMs: v.nullable(number),
  waitP95Ms: v.nullable(number),
  /** From having a client to giving it back, on average over the same checkouts. */
  holdMs: v.nullable(number),
  peakWaiting: v.nullable(number),
  /** Sessions of the application on the server at most, by `pg_stat_activity`; null when it was not looked at. */
  peakSessions: v.nullable(number),
  /** Of them running a statement, on average over the load. */
  averageActive: v.nullable(number),
  /** Answers with status 5xx and 4xx by their status, broken connections and timeouts by their code. */
  errors: ErrorCounts,
  /** What the whole application used; null when it cannot be told. */
  appCores: v.nullable(number),
  /** What its busiest process used. */
  busiestCores: v.nullable(number),
  /** What nobody used. */
  idleCores: v.nullable(number),
  generator: GeneratorLoad,
  /** Answers beyond those of the first row, as a share of them; null in the first row. */
  gain: v.nullable(number),
  /** Answers of a pass that each connection beyond those of the row before brought; null in the first row. */
  gainPerConnection: v.nullable(number),
  /** Of the first pass. */
  samples: v.array(PoolSample),
});
export type SweepRow = OutputOf<typeof SweepRow>;

export const sweepVerdicts = [
  'found',
  'no-difference',
  'not-saturated',
  'app-bound',
  'host-bound',
  'generator-bound',
  'not-read',
  'one-size',
  'no-answers',
] as const;

export const SweepVerdict = v.object({
  kind: v.picklist(sweepVerdicts),
  /** Whole sentences. */
  because: text,
});
export type SweepVerdict = OutputOf<typeof SweepVerdict>;

/** The user's own application under load, with one pool size after the other. */
export const SweepResult = v.object({
  schemaVersion: v.literal(schemaVersion),
  experiment: v.literal('sweep'),
  /** ISO 8601. */
  startedAt: text,
  elapsedMs: number,
  machine: Machine,
  application: v.object({
    command: text,
    /** The variable that tells it its pool size; null with `--live`. */
    variable: v.nullable(text),
    url: text,
    method: text,
  }),
  load: v.object({
    /** Earlier versions made the load with autocannon. */
    tool: v.picklist(['undici', 'k6', 'autocannon']),
    stages: v.array(UserStage),
    thinkMs: number,
    passes: number,
  }),
  rows: v.array(SweepRow),
  verdict: SweepVerdict,
  /** The smallest size that brings nearly all there is; null when none was found. */
  pick: v.nullable(positive),
  /** What the server lets each pool have; empty when it was not looked at. */
  limits: v.array(Limit),
  /** Null when it ran to its end; else the sentence that says what ended it early. */
  partial: v.nullable(text),
  notes: v.array(text),
});
export type SweepResult = OutputOf<typeof SweepResult>;
