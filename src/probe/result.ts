import type { ConnectedRole } from '../activity/role-power.ts';
import type { AdviseResult } from './advise/advice.ts';
import type { CompareResult } from './compare/compare-result.ts';
import type { ConnectResult } from './connect/connect-result.ts';
import type { RampResult } from './ramp/ramp-result.ts';
import type { ExperimentKind } from './experiment.ts';
import type { RefusedOwner, RefusedRole } from './refusal.ts';
import type { K6Result } from '../k6/k6-result.ts';
import type { SizeMeasurement, SizeResult } from './size/size-result.ts';
import type { SpikeResult } from './spike/spike-result.ts';
import type { SweepResult } from '../sweep/sweep-result.ts';
import type { UsersResult } from './users/users-result.ts';

export type { PoolLoad } from './load/pool-load.ts';
export type { Slice } from './size/slice.ts';
export type {
  PoolValidation,
  Recommendation,
  SizeMeasurement,
  SizeResult,
  VerdictKind,
} from './size/size-result.ts';

/** The printed form of `poolguard probe --json`, and what the panel draws. */
export type ProbeResult = SizeResult | UsersResult | ConnectResult | CompareResult | RampResult;

/** What an experiment of this kind answers with. */
export type ResultOf<Kind extends ExperimentKind> = Extract<ProbeResult, { experiment: Kind }>;

/** Everything that a report can be made of. */
export type ReportedResult = ProbeResult | SpikeResult | AdviseResult | K6Result | SweepResult;

/** What is about to be done, before anything of it is done. */
export interface ProbePlan {
  readonly experiment: ExperimentKind;
  /** Where, and who connects. */
  readonly place: {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string;
  };
  /** Whom the statements run as, by the server. */
  readonly role: ConnectedRole;
  /** Connections that were to be had there before, by the tightest limit; of a pooler its clients. */
  readonly free: number;
  /** One line for each statement. */
  readonly statements: readonly string[];
  /** What they call that PostgreSQL does not bring, a line each: `public.order_total(integer): plpgsql, volatile`. */
  readonly calls: readonly string[];
  /** Pool sizes that will be tried, rising; empty where none are. */
  readonly sizes: readonly number[];
  /** What will be done, one short sentence a step. */
  readonly steps: readonly string[];
  /** Open at the same time at most. */
  readonly connections: number;
  readonly expectedMs: number;
  readonly cap: { readonly size: number; readonly because: string };
  readonly notes: readonly string[];
}

/** What an experiment says about itself. */
export type ExperimentPlan = Pick<
  ProbePlan,
  'sizes' | 'steps' | 'connections' | 'expectedMs' | 'notes'
>;

/** What a running probe says, in order: `progress` while it waits for another probe, one `plan`, then `progress`, then exactly one of the last three. A dry run ends with its `plan`. */
export type ProbeEvent<Result extends ProbeResult = ProbeResult> =
  | { readonly kind: 'plan'; readonly plan: ProbePlan }
  | {
      readonly kind: 'progress';
      /** 0 to 1 */ readonly fraction: number;
      readonly doing: string;
      /** Of the size experiment. */ readonly sizes: readonly SizeMeasurement[];
    }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      readonly sentence: string;
      /** Set when the consent to run as this role would do. */ readonly refusedRole?: RefusedRole;
      /** Set when it would do to trust these owners. */ readonly refusedOwners?: readonly RefusedOwner[];
      /** Where an error of our own was thrown. */ readonly stack?: string;
    };
