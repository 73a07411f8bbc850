import { type ConnectAnswer, connectSession } from '../database/connect.ts';
import {
  type DatabaseCounts,
  readDatabaseCounts,
  riseOf,
} from '../database/read-database-totals.ts';
import type { DatabaseSession } from '../database/session.ts';
import { createTally } from '../database/transaction-tally.ts';
import { prepareExperiment } from './experiments.ts';
import { findFree } from './preflight/cap.ts';
import { type CheckedRole, checkRole, noteOnLooking } from './preflight/role-guard.ts';
import { checkPlan, checkRequest, lookAround } from './preflight/preflight.ts';
import { openReach, type Reach } from './reach.ts';
import type { Refusal } from './refusal.ts';
import type { ProbeRequest } from './request.ts';
import type { ProbeEvent, ProbePlan } from './result.ts';
import { measureOthers } from './size/load-meter.ts';
import { awaitTurn } from './safety/one-at-a-time.ts';
import { applicationName, type ProbeSurroundings } from './probe-surroundings.ts';
import type { Prepared, Stage } from './stage.ts';
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
  // Before anything of a user is read, and before anybody is waited for.
  const checked = await checkRole(observer, request);
  if (checked.kind === 'refused') return endOf(checked, around);
  const reach = await openReach(observer, request, around);
  if (reach.kind === 'refused') return endOf(reach, around);
  try {
    return await probeThrough({ observer, reach, checked }, request, around);
  } finally {
    await reach.close();
  }
}

interface Opened {
  readonly observer: DatabaseSession;
  readonly reach: Reach;
  readonly checked: CheckedRole;
}

async function probeThrough(
  { observer, reach, checked }: Opened,
  request: ProbeRequest,
  around: ProbeSurroundings,
): Promise<ProbeEvent> {
  const turn = request.dryRun ? notWaited : await awaitTurn(reach.server ?? observer, around);
  if (turn.kind === 'refused') return endOf(turn, around);
  const startedMs = around.clock.now();
  const [looked, othersShare] = await Promise.all([
    lookAround(observer, request, { environment: around.environment, pooler: reach.pooler }),
    request.experiment === 'size' ? measureOthers(around.clock, around.signal) : 0,
  ]);
  if (looked.kind === 'refused') return endOf(looked, around);
  const watcherNotes = reach.server === null ? [] : await noteOnLooking(reach.server);
  const seen = {
    ...looked,
    notes: [...turn.notes, ...checked.notes, ...watcherNotes, ...looked.notes],
  };
  const tally = createTally();
  const prepared = await prepareWorkload(observer, request, { ...around, tally });
  if (prepared.kind === 'refused') return endOf(prepared, around);
  if (around.signal.aborted) return { kind: 'cancelled' };
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
    around,
    startedMs,
  });
}

async function agreeAndRun(stage: Stage): Promise<ProbeEvent> {
  const { observer, request, around } = stage;
  const laidOut = prepareExperiment(stage);
  if ('kind' in laidOut) return failed(laidOut.sentence);
  const plan = toPlan(stage, laidOut);
  if (request.dryRun) return { kind: 'plan', plan };
  around.emit({ kind: 'plan', plan });
  const askedMs = around.clock.now();
  const refusal = await confirmPlan(observer, plan, around);
  if (refusal !== null) return refusal;
  const thoughtMs = around.clock.now() - askedMs;
  const outdated = await checkPlan(observer, plan);
  if (outdated !== null) return failed(outdated.sentence);
  const before = await readDatabaseCounts(stage.asker);
  const end = leaveOut(thoughtMs, await laidOut.run());
  return addDatabaseCounts(end, riseOf(before, await readDatabaseCounts(stage.asker)));
}

function addDatabaseCounts(event: ProbeEvent, database: DatabaseCounts | null): ProbeEvent {
  if (event.kind !== 'result' || event.result.transactions === undefined) return event;
  return {
    ...event,
    result: { ...event.result, transactions: { ...event.result.transactions, database } },
  };
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
  { request: { experiment, target }, role, seen, workload: asked }: Stage,
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
    free: findFree(seen.facts).free,
    cap: seen.cap,
    notes: [...workload.notes, ...seen.notes, ...plan.notes],
  };
}

/** After a cancel nothing is refused any more: what went wrong went wrong because of it. */
function endOf({ sentence, role }: Refusal, { signal }: ProbeSurroundings): ProbeEvent {
  if (signal.aborted) return { kind: 'cancelled' };
  return role === undefined ? failed(sentence) : { kind: 'failed', sentence, refusedRole: role };
}

function failed(sentence: string): ProbeEvent {
  return { kind: 'failed', sentence };
}

/** The same session for several askers: a statement is sent when the one before it is done, since the driver's own queue is on its way out (pg 8.19). */
function inTurn(session: DatabaseSession): Pick<DatabaseSession, 'query'> {
  let previous: Promise<unknown> = Promise.resolve();
  return {
    query: <Row>(statement: Parameters<DatabaseSession['query']>[0]) => {
      const answer = previous.then(() => session.query<Row>(statement));
      previous = answer;
      return answer;
    },
  };
}
