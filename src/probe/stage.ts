import { availableParallelism } from 'node:os';
import type { ConnectedRole } from '../activity/role-power.ts';
import type { Asker } from '../database/probe-server.ts';
import type { DatabaseSession } from '../database/session.ts';
import type { TransactionTally } from '../database/transaction-tally.ts';
import type { Environment } from '../database/target.ts';
import type { Clock } from './clock.ts';
import type { ErrorCounts } from './load/pool-load.ts';
import type { Surroundings } from './preflight/preflight.ts';
import { toPoolerSummary } from './pooler/to-pooler-summary.ts';
import type { RandomSource } from './random.ts';
import type { Reach } from './reach.ts';
import type { Refusal } from './refusal.ts';
import type { ProbeRequest } from './request.ts';
import { schemaVersion, type BackendMemory, type ResultHead } from './result-head.ts';
import type { ExperimentPlan, ProbeEvent, ProbePlan } from './result.ts';
import type { Workload } from './workload/workload.ts';

/** What the measuring process gives to whatever runs in it. */
export interface ProbeSurroundings {
  readonly emit: (event: ProbeEvent) => void;
  /** Cancels. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds in which a server that answers nothing is taken for lost. */
  readonly longestSilenceMs: number;
  readonly random: RandomSource;
  /** Variables of the user. */
  readonly environment: Environment;
  /** Six letters and digits that tell this probe from others. */
  readonly probeId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Resolves when the plan was agreed to; false when it was not, or the probe was cancelled. */
  readonly confirm: (plan: ProbePlan) => Promise<boolean>;
}

/** What every experiment stands on: a checked request, one open session, and what was seen through it. */
export interface Stage<Request extends ProbeRequest = ProbeRequest> {
  readonly request: Request;
  /** Whom the statements run as. */
  readonly role: ConnectedRole;
  /** Watches; runs none of the load. */
  readonly observer: DatabaseSession;
  /** Sees the server's backends, for several askers at once: the observer, or the session to PostgreSQL itself where a pooler is in between. */
  readonly asker: Asker;
  readonly reach: Reach;
  readonly seen: Surroundings;
  /** Of a backend that has run the workload; null where it cannot be told. */
  readonly memory: BackendMemory | null;
  readonly workload: Workload;
  /** How the transactions of the workload ended so far. */
  readonly tally: TransactionTally;
  readonly around: ProbeSurroundings;
  /** By the clock. */
  readonly startedMs: number;
}

/** An experiment that is ready to begin. `run` leaves no connection open, whatever its end. */
export interface Prepared {
  readonly plan: ExperimentPlan;
  readonly run: () => Promise<ProbeEvent>;
}

/** Lays out one experiment, or says why it cannot be. Opens nothing. */
export type Experiment<Request extends ProbeRequest> = (
  stage: Stage<Request>,
) => Prepared | Refusal;

/** `application_name` of every connection of this probe. */
export function applicationName({ probeId }: Pick<ProbeSurroundings, 'probeId'>): string {
  return `poolguard-probe/${probeId}`;
}

export interface Outcome {
  readonly partial?: string | null;
  readonly notes: readonly string[];
  readonly errors: ErrorCounts;
}

/** What every result begins with; the verdict is the experiment's own. */
export function toResultHead(
  { request, reach, around, seen, workload, tally, startedMs }: Stage,
  { partial = null, notes, errors }: Outcome,
): Omit<ResultHead, 'verdict'> {
  const { host, port, database } = request.target;
  return {
    schemaVersion,
    probeId: around.probeId,
    startedAt: around.startedAt,
    elapsedMs: Math.round(around.clock.now() - startedMs),
    server: {
      version: seen.facts.version,
      host,
      port,
      database,
      pooler: reach.pooler === null ? null : toPoolerSummary(reach.pooler.looks, request.target),
    },
    machine: {
      cores: availableParallelism(),
      platform: `${process.platform} ${process.arch}`,
      node: process.versions.node,
    },
    workload: workload.summary,
    transactions: { ...tally.read(), database: null },
    partial,
    notes: [...workload.notes, ...seen.notes, ...notes],
    errors,
  };
}
