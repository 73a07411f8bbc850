import { readBackendMemory } from '../database/backend-memory.ts';
import { connectSession } from '../database/connect.ts';
import type { DatabaseSession } from '../database/session.ts';
import { isLoopback } from '../database/target.ts';
import { prepareExperiment } from './experiments.ts';
import { inTurn } from './in-turn.ts';
import { findFree } from './preflight/cap.ts';
import { checkRequest, lookAround, type Surroundings } from './preflight/preflight.ts';
import { openReach, type Reach } from './reach.ts';
import type { ProbeRequest } from './request.ts';
import type { ProbeEvent, ProbePlan } from './result.ts';
import { applicationName, type Prepared, type ProbeSurroundings } from './stage.ts';
import { prepareWorkload } from './workload/prepare-workload.ts';

/** Runs one experiment from the first look to the last connection closed. Every end is one event; never rejects for a database's reasons. */
export async function conductProbe(request: ProbeRequest, around: ProbeSurroundings): Promise<ProbeEvent> {
  const refused = checkRequest(request, around.environment);
  if (refused !== null) return failed(refused.sentence);
  const answer = await connectSession(request.target, request.secret, { applicationName: applicationName(around), inOneMessage: true });
  if (around.signal.aborted) {
    if (answer.kind === 'connected') await answer.session.close();
    return { kind: 'cancelled' };
  }
  if (answer.kind === 'failed') return failed(answer.failure.sentence);
  try {
    return await probeFrom(answer.session, request, around);
  } finally {
    await answer.session.close();
  }
}

async function probeFrom(observer: DatabaseSession, request: ProbeRequest, around: ProbeSurroundings): Promise<ProbeEvent> {
  const reach = await openReach(observer, request, around);
  if (reach.kind === 'refused') return around.signal.aborted ? { kind: 'cancelled' } : failed(reach.sentence);
  try {
    return await probeThrough(observer, reach, request, around);
  } finally {
    await reach.close();
  }
}

async function probeThrough(observer: DatabaseSession, reach: Reach, request: ProbeRequest, around: ProbeSurroundings): Promise<ProbeEvent> {
  const startedMs = around.clock.now();
  const seen = await lookAround(observer, request, { environment: around.environment, pooler: reach.pooler });
  if (seen.kind === 'refused') return failed(seen.sentence);
  const prepared = await prepareWorkload(observer, request, around.clock);
  if (around.signal.aborted) return { kind: 'cancelled' };
  if (prepared.kind === 'refused') return failed(prepared.sentence);
  // This session has run the workload by now, as the backends of the application do.
  const memory = request.dryRun ? null : await readBackendMemory(observer, isLoopback(request.target.host));
  const laidOut = prepareExperiment({ request, observer, asker: inTurn(reach.server ?? observer), reach, seen, memory, workload: prepared.workload, around, startedMs });
  if ('kind' in laidOut) return failed(laidOut.sentence);
  const plan = toPlan(request, seen, laidOut);
  if (request.dryRun) return { kind: 'plan', plan };
  around.emit({ kind: 'plan', plan });
  return (await around.confirm(plan)) ? laidOut.run() : { kind: 'cancelled' };
}

function toPlan({ target: { host, port, database, user } }: ProbeRequest, { facts }: Surroundings, { plan }: Prepared): ProbePlan {
  return { ...plan, place: { host, port, database, user }, free: findFree(facts).free };
}

function failed(sentence: string): ProbeEvent {
  return { kind: 'failed', sentence };
}
