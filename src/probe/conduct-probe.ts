import { connectSession, type ConnectAnswer } from '../database/connect.ts';
import type { DatabaseSession } from '../database/session.ts';
import { prepareExperiment } from './experiments.ts';
import { inTurn } from './in-turn.ts';
import { findFree } from './preflight/cap.ts';
import { checkPlan, checkRequest, lookAround, type Surroundings } from './preflight/preflight.ts';
import { openReach, type Reach } from './reach.ts';
import type { Refusal } from './refusal.ts';
import type { ProbeRequest } from './request.ts';
import type { ProbeEvent, ProbePlan } from './result.ts';
import { awaitTurn } from './safety/one-at-a-time.ts';
import { applicationName, type Prepared, type ProbeSurroundings, type Stage } from './stage.ts';
import { prepareWorkload } from './workload/prepare-workload.ts';

/** Runs one experiment from the first look to the last connection closed. Every end is one event; never rejects for a database's reasons. */
export async function conductProbe(
  request: ProbeRequest,
  around: ProbeSurroundings,
): Promise<ProbeEvent> {
  const refused = await checkRequest(request, around.environment);
  if (refused !== null) return failed(refused.sentence);
  const answer = await connectObserver(request, around);
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

/** A cancel ends the attempt, but not the session: through it the statements of all others are cancelled. */
async function connectObserver(
  { target, secret }: ProbeRequest,
  around: ProbeSurroundings,
): Promise<ConnectAnswer> {
  const attempt = new AbortController();
  const abandon = () => attempt.abort();
  around.signal.addEventListener('abort', abandon, { once: true });
  try {
    return await connectSession(target, secret, {
      applicationName: applicationName(around),
      isProbe: true,
      signal: attempt.signal,
    });
  } finally {
    around.signal.removeEventListener('abort', abandon);
  }
}

/** A dry run takes nobody's turn. */
const notWaited = { kind: 'clear', notes: [] } as const;

async function probeFrom(
  observer: DatabaseSession,
  request: ProbeRequest,
  around: ProbeSurroundings,
): Promise<ProbeEvent> {
  const reach = await openReach(observer, request, around);
  if (reach.kind === 'refused') return endOf(reach, around);
  try {
    return await probeThrough(observer, reach, request, around);
  } finally {
    await reach.close();
  }
}

async function probeThrough(
  observer: DatabaseSession,
  reach: Reach,
  request: ProbeRequest,
  around: ProbeSurroundings,
): Promise<ProbeEvent> {
  const turn = request.dryRun ? notWaited : await awaitTurn(reach.server ?? observer, around);
  if (turn.kind === 'refused') return endOf(turn, around);
  const startedMs = around.clock.now();
  const looked = await lookAround(observer, request, {
    environment: around.environment,
    pooler: reach.pooler,
  });
  if (looked.kind === 'refused') return endOf(looked, around);
  const seen = { ...looked, notes: [...turn.notes, ...looked.notes] };
  const prepared = await prepareWorkload(observer, request, around);
  if (prepared.kind === 'refused') return endOf(prepared, around);
  if (around.signal.aborted) return { kind: 'cancelled' };
  const { workload, memory } = prepared;
  return agreeAndRun({
    request,
    observer,
    asker: inTurn(reach.server ?? observer),
    reach,
    seen,
    memory,
    workload,
    around,
    startedMs,
  });
}

async function agreeAndRun(stage: Stage): Promise<ProbeEvent> {
  const { request, observer, seen, around } = stage;
  const laidOut = prepareExperiment(stage);
  if ('kind' in laidOut) return failed(laidOut.sentence);
  const plan = toPlan(request, seen, laidOut);
  if (request.dryRun) return { kind: 'plan', plan };
  around.emit({ kind: 'plan', plan });
  const askedMs = around.clock.now();
  const refusal = await confirmPlan(observer, plan, around);
  if (refusal !== null) return refusal;
  const thoughtMs = around.clock.now() - askedMs;
  const outdated = await checkPlan(observer, plan);
  return outdated === null ? leaveOut(thoughtMs, await laidOut.run()) : failed(outdated.sentence);
}

/** How long somebody read the plan is no part of what the probe took. */
function leaveOut(ms: number, event: ProbeEvent): ProbeEvent {
  if (event.kind !== 'result') return event;
  return {
    ...event,
    result: { ...event.result, elapsedMs: Math.round(event.result.elapsedMs - ms) },
  };
}

/** The end of a probe that does not begin; null for one that does. Somebody may look at a plan for long, and lose the server meanwhile. */
async function confirmPlan(
  observer: DatabaseSession,
  plan: ProbePlan,
  around: ProbeSurroundings,
): Promise<ProbeEvent | null> {
  let stopListening = () => undefined as void;
  const lost = new Promise<string>(
    (resolve) => (stopListening = observer.onLost(({ sentence }) => resolve(sentence))),
  );
  const answer = await Promise.race([around.confirm(plan), lost]);
  stopListening();
  if (typeof answer === 'string') return failed(`${answer} Nothing was measured yet.`);
  return answer ? null : { kind: 'cancelled' };
}

function toPlan(
  { target: { host, port, database, user } }: ProbeRequest,
  { facts }: Surroundings,
  { plan }: Prepared,
): ProbePlan {
  return { ...plan, place: { host, port, database, user }, free: findFree(facts).free };
}

/** After a cancel nothing is refused any more: what went wrong went wrong because of it. */
function endOf({ sentence }: Refusal, { signal }: ProbeSurroundings): ProbeEvent {
  return signal.aborted ? { kind: 'cancelled' } : failed(sentence);
}

function failed(sentence: string): ProbeEvent {
  return { kind: 'failed', sentence };
}
