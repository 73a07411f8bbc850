import { availableParallelism } from 'node:os';
import type { ConnectedRole } from '../activity/role-power.ts';
import type { Asker, DatabaseSession } from '../database/session.ts';
import type { TransactionTally } from '../database/transaction-tally.ts';
import type { ProbeEnvironment } from './probe-environment.ts';
import type { ErrorCounts } from './load/pool-load.ts';
import type { Surroundings } from './preflight/preflight.ts';
import { toPoolerSummary } from './pooler/pooler-watch.ts';
import type { Reach } from './reach.ts';
import type { Refusal } from './refusal.ts';
import type { ProbeRequest } from './request.ts';
import { schemaVersion, type BackendMemory, type ResultHead } from './result-head.ts';
import type { ExperimentPlan, ProbeEvent } from './result.ts';
import type { Workload } from './workload/workload.ts';

/** What every experiment stands on: a checked request, one open session, and what was seen through it. */
export interface ExperimentContext<Request extends ProbeRequest = ProbeRequest> {
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
  /** Of this machine's processors, what was in use before the load began, 0 to 1. */
  readonly othersShare: number;
  /** How the transactions of the workload ended so far. */
  readonly tally: TransactionTally;
  readonly environment: ProbeEnvironment;
  /** By the clock. */
  readonly startedMs: number;
}

/** An experiment that is ready to begin. `run` leaves no connection open, whatever its end. */
export interface Prepared {
  readonly plan: ExperimentPlan;
  /** What it runs instead of the workload of the request. */
  readonly workload?: Workload;
  readonly run: () => Promise<ProbeEvent>;
}

/** Lays out one experiment, or says why it cannot be. Opens nothing. */
export type Experiment<Request extends ProbeRequest> = (
  context: ExperimentContext<Request>,
) => Prepared | Refusal;

export interface Outcome {
  readonly partial?: string | null;
  readonly notes: readonly string[];
  readonly errors: ErrorCounts;
}

/** What every result begins with; the verdict is the experiment's own. */
export function toResultHead(
  { request, reach, environment, seen, workload, tally, startedMs }: ExperimentContext,
  { partial = null, notes, errors }: Outcome,
): Omit<ResultHead, 'verdict'> {
  const { host, port, database } = request.target;
  return {
    schemaVersion,
    probeId: environment.probeId,
    startedAt: environment.startedAt,
    elapsedMs: Math.round(environment.clock.now() - startedMs),
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
