import { type ConnectAnswer, connectSession } from '../database/connect.ts';
import { readDatabaseCounts, riseOf } from '../database/read-database-totals.ts';
import { type Asker, createLine, type DatabaseSession } from '../database/session.ts';
import { createTally } from '../database/transaction-tally.ts';
import { prepareExperiment } from './experiments.ts';
import { type CheckedRole, checkRole, noteOnLooking } from './preflight/role-guard.ts';
import { checkOwners, type TrustedOwners } from './preflight/owner-guard.ts';
import { checkPlan, checkRequest, lookAround } from './preflight/preflight.ts';
import { watchBackends } from './pooler/backend-traces.ts';
import { openReach, type Reach } from './reach.ts';
import type { Refusal } from './refusal.ts';
import type { ProbeRequest } from './request.ts';
import type { ProbeEvent, ProbePlan } from './result.ts';
import type { TransactionReport } from './result-head.ts';
import { measureOthers } from './size/load-meter.ts';
import { awaitTurn } from './safety/one-at-a-time.ts';
import { commonLimits, type ProbeEnvironment } from './probe-environment.ts';
import type { Prepared, ExperimentContext } from './experiment-context.ts';
import { prepareWorkload } from './workload/prepare-workload.ts';

/** Runs one experiment from the first look to the last connection closed. Every end is one event; never rejects for a database's reasons. */
export async function conductProbe(
  request: ProbeRequest,
  given: ProbeEnvironment,
): Promise<ProbeEvent> {
  const breaches: string[] = [];
  const environment = { ...given, onBreach: (sentence: string) => void breaches.push(sentence) };
  const end = await conduct(request, environment);
  // Whatever was measured by then came from a server that lies.
  return breaches[0] === undefined || end.kind === 'cancelled' ? end : failed(breaches[0]);
}

async function conduct(request: ProbeRequest, environment: ProbeEnvironment): Promise<ProbeEvent> {
  const refused = await checkRequest(request, environment.environment);
  if (refused !== null) return failed(refused.sentence);
  const answer = await connectObserver(request, environment);
  if (environment.signal.aborted) {
    if (answer.kind === 'connected') await answer.session.close();
    return { kind: 'cancelled' };
  }
  if (answer.kind === 'failed') return failed(answer.failure.sentence);
  try {
    return await probeFrom(answer.session, request, environment);
  } finally {
    await answer.session.close();
  }
}

/** A cancel ends the attempt, but not the session: through it the statements of all others are cancelled. */
async function connectObserver(
  { target, secret }: ProbeRequest,
  environment: ProbeEnvironment,
): Promise<ConnectAnswer> {
  const attempt = new AbortController();
  const abandon = () => attempt.abort();
  environment.signal.addEventListener('abort', abandon, { once: true });
  try {
    return await connectSession(target, secret, {
      ...commonLimits(environment),
      signal: attempt.signal,
    });
  } finally {
    environment.signal.removeEventListener('abort', abandon);
  }
}

/** A dry run takes nobody's turn. */
const notWaited = { kind: 'clear', notes: [] } as const;

async function probeFrom(
  observer: DatabaseSession,
  request: ProbeRequest,
  environment: ProbeEnvironment,
): Promise<ProbeEvent> {
  // Before anything of a user is read, and before anybody is waited for.
  const checked = await checkRole(observer, request);
  if (checked.kind === 'refused') return endOf(checked, environment);
  const owners = await checkOwners(observer, request);
  if (owners.kind === 'refused') return endOf(owners, environment);
  const reach = await openReach(observer, request, environment);
  if (reach.kind === 'refused') return endOf(reach, environment);
  try {
    return await probeThrough({ observer, reach, checked, owners }, request, environment);
  } finally {
    await reach.close();
  }
}

interface RunContext extends ExperimentContext {
  /** Says what the backends of the pooler keep since; null without a pooler. */
  readonly left: (() => Promise<readonly string[]>) | null;
}

interface Opened {
  readonly observer: DatabaseSession;
  readonly reach: Reach;
  readonly checked: CheckedRole;
  readonly owners: TrustedOwners;
}

async function probeThrough(
  { observer, reach, checked, owners }: Opened,
  request: ProbeRequest,
  environment: ProbeEnvironment,
): Promise<ProbeEvent> {
  const turn = request.dryRun ? notWaited : await awaitTurn(reach.server ?? observer, environment);
  if (turn.kind === 'refused') return endOf(turn, environment);
  const startedMs = environment.clock.now();
  const [looked, othersShare] = await Promise.all([
    lookAround(observer, request, { environment: environment.environment, pooler: reach.pooler }),
    request.experiment === 'size' ? measureOthers(environment.clock, environment.signal) : 0,
  ]);
  if (looked.kind === 'refused') return endOf(looked, environment);
  const watcherNotes = reach.server === null ? [] : await noteOnLooking(reach.server);
  const seen = {
    ...looked,
    notes: [...turn.notes, ...checked.notes, ...owners.notes, ...watcherNotes, ...looked.notes],
  };
  // The trial of the statements runs them as well.
  const left = await watchBackends(observer, request, { clients: looked.cap.size, environment });
  const tally = createTally();
  const prepared = await prepareWorkload(observer, request, { ...environment, tally });
  if (prepared.kind === 'refused') return endOf(prepared, environment);
  if (environment.signal.aborted) return { kind: 'cancelled' };
  const { workload, memory } = prepared;
  return agreeAndRun({
    request,
    role: checked.role,
    observer,
    asker: inTurn(reach.server ?? observer),
    reach,
    seen,
    memory,
    workload,
    othersShare,
    tally,
    left,
    environment,
    startedMs,
  });
}

async function agreeAndRun({ left, ...context }: RunContext): Promise<ProbeEvent> {
  const { observer, request, environment } = context;
  const laidOut = prepareExperiment(context);
  if ('kind' in laidOut) return failed(laidOut.sentence);
  const plan = toPlan(context, laidOut);
  if (request.dryRun) return { kind: 'plan', plan };
  environment.emit({ kind: 'plan', plan });
  const askedMs = environment.clock.now();
  const refusal = await confirmPlan(observer, plan, environment);
  if (refusal !== null) return refusal;
  const thoughtMs = environment.clock.now() - askedMs;
  // Somebody may have looked at the plan for long.
  const owners = await checkOwners(observer, request);
  if (owners.kind === 'refused') return endOf(owners, environment);
  const outdated = await checkPlan(observer, plan);
  if (outdated !== null) return failed(outdated.sentence);
  const before = await readDatabaseCounts(context.asker);
  const end = await laidOut.run();
  return complete(end, thoughtMs, {
    database: riseOf(before, await readDatabaseCounts(context.asker)),
    ...(left !== null && end.kind === 'result' && { left: await left() }),
  });
}

/** How long somebody read the plan is no part of what the probe took. */
function complete(
  event: ProbeEvent,
  thoughtMs: number,
  seen: Pick<TransactionReport, 'database' | 'left'>,
): ProbeEvent {
  if (event.kind !== 'result') return event;
  const { transactions, elapsedMs } = event.result;
  const result = {
    ...event.result,
    elapsedMs: Math.round(elapsedMs - thoughtMs),
    ...(transactions && { transactions: { ...transactions, ...seen } }),
  };
  return { ...event, result };
}

/** The end of a probe that does not begin; null for one that does. Somebody may look at a plan for long, and lose the server meanwhile. */
async function confirmPlan(
  observer: DatabaseSession,
  plan: ProbePlan,
  environment: ProbeEnvironment,
): Promise<ProbeEvent | null> {
  let stopListening = () => undefined as void;
  const lost = new Promise<string>(
    (resolve) => (stopListening = observer.onLost(({ sentence }) => resolve(sentence))),
  );
  const answer = await Promise.race([environment.confirm(plan), lost]);
  stopListening();
  if (typeof answer === 'string') return failed(`${answer} Nothing was measured yet.`);
  return answer ? null : { kind: 'cancelled' };
}

function toPlan(
  { request: { experiment, target }, role, seen, workload: asked }: ExperimentContext,
  { plan, workload = asked }: Prepared,
): ProbePlan {
  const { host, port, database, user } = target;
  return {
    ...plan,
    experiment,
    statements: workload.summary.statements.map(({ text }) => text),
    calls: workload.calls,
    place: { host, port, database, user },
    role,
    free: seen.free,
    cap: seen.cap,
    notes: [...workload.notes, ...seen.notes, ...plan.notes],
  };
}

/** After a cancel nothing is refused any more: what went wrong went wrong because of it. */
function endOf({ sentence, role, owners }: Refusal, { signal }: ProbeEnvironment): ProbeEvent {
  if (signal.aborted) return { kind: 'cancelled' };
  return {
    kind: 'failed',
    sentence,
    ...(role !== undefined && { refusedRole: role }),
    ...(owners !== undefined && { refusedOwners: owners }),
  };
}

function failed(sentence: string): ProbeEvent {
  return { kind: 'failed', sentence };
}

/** The same session for several askers: a statement is sent when the one before it is done, since the driver's own queue is on its way out (pg 8.19). */
function inTurn(session: DatabaseSession): Asker {
  const line = createLine();
  return { query: (statement, row) => line(() => session.query(statement, row)) };
}
