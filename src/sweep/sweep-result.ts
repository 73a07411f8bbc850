import type { UserStage } from '../probe/experiment.ts';
import type { ErrorCounts, Latency, PoolSample } from '../probe/load/pool-load.ts';
import type { Limit, Machine } from '../probe/result-head.ts';
import type { GeneratorLoad } from './load/load-tool.ts';

/** What the load saw of one pool size, over its passes. Machine figures are those of the busiest quarter of the load, in cores. */
export interface SweepRow {
  /** What the application was told, or what its pool was set to. */
  readonly max: number;
  /** `max` of the pool that was used most, by the monitor; null when no monitor reported. */
  readonly seenMax: number | null;
  /** The largest total that the pools in use reached, together; null when no monitor reported. */
  readonly peakTotal: number | null;
  /** Correct answers in a pass, on average. */
  readonly requests: number;
  /** Answers of each pass in which this size took its turn, in their order. */
  readonly passes: readonly number[];
  /** Of a pass, on average. */
  readonly seconds: number;
  /** Per second. */
  readonly throughput: number;
  /** From sending a request to its whole answer, as the caller saw it. Null without an answer. */
  readonly latency: Latency | null;
  /** From asking the pool for a client to having it, by the monitor. */
  readonly waitMs: number | null;
  readonly waitP95Ms: number | null;
  /** From having a client to giving it back, on average, by the monitor. */
  readonly holdMs: number | null;
  readonly peakWaiting: number | null;
  /** Sessions of the application on the server at most, by `pg_stat_activity`; null when it was not looked at. */
  readonly peakSessions: number | null;
  /** Of them running a statement, on average over the load. */
  readonly averageActive: number | null;
  /** Answers with status 5xx and 4xx by their status, broken connections and timeouts by their code. */
  readonly errors: ErrorCounts;
  /** What the whole application used; null when it cannot be told. */
  readonly appCores: number | null;
  /** What its busiest process used. */
  readonly busiestCores: number | null;
  /** What nobody used. */
  readonly idleCores: number | null;
  readonly generator: GeneratorLoad;
  /** Answers beyond those of the first row, as a share of them; null in the first row. */
  readonly gain: number | null;
  /** Answers of a pass that each connection beyond those of the row before brought; null in the first row. */
  readonly gainPerConnection: number | null;
  /** Of the first pass. */
  readonly samples: readonly PoolSample[];
}

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

export interface SweepVerdict {
  readonly kind: (typeof sweepVerdicts)[number];
  /** Whole sentences. */
  readonly because: string;
}

/** The user's own application under load, with one pool size after the other. */
export interface SweepResult {
  readonly schemaVersion: 2;
  readonly experiment: 'sweep';
  /** ISO 8601. */
  readonly startedAt: string;
  readonly elapsedMs: number;
  readonly machine: Machine;
  readonly application: {
    readonly command: string;
    /** The variable that tells it its pool size; null with `--live`. */
    readonly variable: string | null;
    readonly url: string;
    readonly method: string;
  };
  readonly load: {
    readonly tool: 'undici' | 'k6';
    readonly stages: readonly UserStage[];
    readonly thinkMs: number;
    readonly passes: number;
  };
  readonly rows: readonly SweepRow[];
  readonly verdict: SweepVerdict;
  /** The smallest size that brings nearly all there is; null when none was found. */
  readonly pick: number | null;
  /** What the server lets each pool have; empty when it was not looked at. */
  readonly limits: readonly Limit[];
  /** Null when it ran to its end; else the sentence that says what ended it early. */
  readonly partial: string | null;
  readonly notes: readonly string[];
}
