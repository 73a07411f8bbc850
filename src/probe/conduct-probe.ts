import { connectSession } from '../database/connect.ts';
import type { DatabaseSession } from '../database/session.ts';
import { prepareExperiment } from './experiments.ts';
import { inTurn } from './in-turn.ts';
import { findFree } from './preflight/cap.ts';
import { checkRequest, lookAround, type Surroundings } from './preflight/preflight.ts';
import type { ProbeRequest } from './request.ts';
import type { ProbeEvent, ProbePlan } from './result.ts';
import { applicationName, type Prepared, type ProbeSurroundings } from './stage.ts';
import { prepareWorkload } from './workload/prepare-workload.ts';

/** Runs one experiment from the first look to the last connection closed. Every end is one event; never rejects for a database's reasons. */
export async function conductProbe(request: ProbeRequest, around: ProbeSurroundings): Promise<ProbeEvent> {
  const refused = await checkRequest(request, around.environment);
  if (refused !== null) return failed(refused.sentence);
  const answer = await connectSession(request.target, request.secret, { applicationName: applicationName(around) });
  if (around.signal.aborted) {
    if (answer.kind === 'connected') await answer.session.close();
    return { kind: 'cancelled' };
  }
  if (answer.kind === 'failed') return failed(answer.failure.sentence);
  try {
    return await probeThrough(answer.session, request, around);
  } finally {
    await answer.session.close();
  }
}

async function probeThrough(observer: DatabaseSession, request: ProbeRequest, around: ProbeSurroundings): Promise<ProbeEvent> {
  const startedMs = around.clock.now();
  const seen = await lookAround(observer, request, around.environment);
  if (seen.kind === 'refused') return failed(seen.sentence);
  const prepared = await prepareWorkload(observer, request, around);
  if (around.signal.aborted) return { kind: 'cancelled' };
  if (prepared.kind === 'refused') return failed(prepared.sentence);
  const laidOut = prepareExperiment({ request, observer, asker: inTurn(observer), seen, workload: prepared.workload, around, startedMs });
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
