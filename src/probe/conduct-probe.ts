import { connectSession } from '../database/connect.ts';
import { openPool } from '../database/open-pool.ts';
import { type Asker, probeApplicationName, readBackendStates, readServerPressure } from '../database/probe-server.ts';
import type { DatabaseSession } from '../database/session.ts';
import { isLoopback } from '../database/target.ts';
import type { Clock } from './clock.ts';
import { openCrew, type Crew } from './size/crew.ts';
import type { Evidence } from './size/decide.ts';
import { inTurn } from './in-turn.ts';
import { createLanes, type Lanes } from './size/lanes.ts';
import { createLoadMeter } from './size/load-meter.ts';
import { measure, type MeasuringEnd } from './size/measure.ts';
import { planSlices, type Plan } from './size/plan.ts';
import { checkRequest, lookAround, timeStatement, type Surroundings } from './preflight/preflight.ts';
import type { RandomSource } from './random.ts';
import type { ProbeRequest } from './request.ts';
import { toProbeResult } from './size/to-probe-result.ts';
import type { PoolValidation, ProbeEvent } from './result.ts';
import { toSizeMeasurements } from './size/size-measurements.ts';
import { estimatePick } from './size/statistics.ts';
import { validatePool } from './load/validate.ts';
import { startWaitSampler } from './size/wait-sampler.ts';

export interface ProbeSurroundings {
  readonly emit: (event: ProbeEvent) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** `NODE_ENV` of the user. */
  readonly nodeEnvironment: string | undefined;
}

/** What a dry run assumes of a statement that it does not run. */
const assumedMs = 1;
const longestValidationMs = 2500;
/** Others must always be able to connect. */
const fewestFree = 3;

/** Runs one probe from the first look to the last connection closed. Every end is one event; never rejects for a database's reasons. */
export async function conductProbe(request: ProbeRequest, around: ProbeSurroundings): Promise<ProbeEvent> {
  const choice = checkRequest(request, around.nodeEnvironment);
  if (choice.kind === 'refused') return failed(choice.sentence);
  const answer = await connectSession(request.target, request.secret, { applicationName: probeApplicationName });
  if (around.signal.aborted) {
    if (answer.kind === 'connected') await answer.session.close();
    return { kind: 'cancelled' };
  }
  if (answer.kind === 'failed') return failed(answer.failure.sentence);
  try {
    return await probeThrough(answer.session, request, choice.statement, around);
  } finally {
    await answer.session.close();
  }
}

async function probeThrough(observer: DatabaseSession, request: ProbeRequest, statement: string, around: ProbeSurroundings): Promise<ProbeEvent> {
  const started = around.clock.now();
  const seen = await lookAround(observer, request);
  if (seen.kind === 'refused') return failed(seen.sentence);
  const baseline = request.dryRun ? { kind: 'timed' as const, meanMs: assumedMs } : await timeStatement(observer, statement, around.clock);
  if (around.signal.aborted) return { kind: 'cancelled' };
  if (baseline.kind === 'refused') return failed(baseline.sentence);
  const planned = planSlices(seen.cap.size, baseline.meanMs, toBudget(request));
  if (planned.kind === 'refused') return failed(planned.sentence);
  const { plan } = planned;
  const planEvent: ProbeEvent = { kind: 'plan', sizes: plan.sizes, statement, expectedMs: plan.expectedMs, cap: seen.cap, notes: seen.notes };
  if (request.dryRun) return planEvent;
  around.emit(planEvent);
  const run: Run = { request, statement, plan, seen, observer, asker: inTurn(observer), around, started, meanMs: baseline.meanMs };
  return measureAndValidate(run);
}

function toBudget({ seconds, validate }: ProbeRequest) {
  const totalMs = seconds * 1000;
  return { totalMs, validationMs: validate ? Math.min(longestValidationMs, totalMs / 5) : 0 };
}

/** Everything that is settled before the connections of the probe open. */
interface Run {
  readonly request: ProbeRequest;
  readonly statement: string;
  readonly plan: Plan;
  readonly seen: Surroundings;
  readonly observer: DatabaseSession;
  /** The observer for several askers at once. */
  readonly asker: Asker;
  readonly around: ProbeSurroundings;
  readonly started: number;
  readonly meanMs: number;
}

async function measureAndValidate(run: Run): Promise<ProbeEvent> {
  const { around, plan, seen } = run;
  const halt = new AbortController();
  let lost: string | null = null;
  const onLost = (sentence: string) => {
    lost ??= sentence;
    halt.abort();
  };
  const stopListening = run.observer.onLost(({ sentence }) => onLost(sentence));
  const signal = AbortSignal.any([around.signal, halt.signal]);
  const end = await measureWithCrew(run, signal, onLost);
  stopListening();
  if (around.signal.aborted) return { kind: 'cancelled' };
  if (lost !== null) return failed(`A connection ended in the middle of the probe, which therefore stopped and closed the others. ${lost as string}`);
  if (end.kind === 'refused' || end.kind === 'stopped') return failed(end.sentence);
  if (end.kind === 'aborted') return { kind: 'cancelled' };
  const pick = end.decision.kind === 'found' ? end.decision.estimate.pick : null;
  const validation = pick === null || !run.request.validate ? null : await validateAt(pick, run, end.evidence);
  if (around.signal.aborted) return { kind: 'cancelled' };
  return { kind: 'result', result: toProbeResult({ ...end, ...run, seen, plan, validation, elapsedMs: around.clock.now() - run.started }) };
}

type CrewEnd = { readonly kind: 'refused'; readonly sentence: string } | (MeasuringEnd & { readonly errors: Readonly<Record<string, number>>; readonly seesBackends: boolean });

async function measureWithCrew(run: Run, signal: AbortSignal, onLost: (sentence: string) => void): Promise<CrewEnd> {
  const { request, seen, asker, meanMs } = run;
  const opened = await openCrew({ request, size: seen.cap.size, timeoutMs: toTimeoutMs(meanMs, seen.cap.size), observer: asker, signal, onLost });
  if (opened.kind === 'refused') return opened;
  const { crew } = opened;
  // A statement that still runs would keep its lane, and so the end, waiting.
  const onAbort = () => void crew.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const lanes = createLanes({ sessions: crew.sessions, statement: run.statement, clock: run.around.clock });
    return await measureLanes(run, signal, crew, lanes);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await crew.close();
  }
}

async function measureLanes(run: Run, signal: AbortSignal, crew: Crew, lanes: Lanes): Promise<Exclude<CrewEnd, { kind: 'refused' }>> {
  const { plan, observer, asker, around, request } = run;
  const { clock, random } = around;
  const meter = createLoadMeter([...crew.pids, ...(observer.pid === null ? [] : [observer.pid])], isLoopback(request.target.host));
  const look = async () => {
    const answer = await readBackendStates(asker, crew.pids);
    return answer.kind === 'rows' ? answer.rows : null;
  };
  const sampler = startWaitSampler(look, clock);
  const onSlice = (evidence: Evidence, fraction: number) => around.emit(toProgress(evidence, fraction * 0.9, random));
  try {
    const end = await measure({ plan, lanes, meter, sampler, clock, random, signal, onSlice, checkPressure: () => checkPressure(asker, crew) });
    return { ...end, errors: lanes.read().errors, seesBackends: meter.seesBackends };
  } finally {
    await sampler.stop();
  }
}

/** Long enough for every client to wait for all others twice, and never longer than five seconds. */
function toTimeoutMs(meanMs: number, cap: number): number {
  return Math.round(Math.min(5000, Math.max(2000, 2 * cap * meanMs)));
}

/** Resampling this often is enough for a picture that the next slice replaces. */
const drawsForProgress = 60;

function toProgress(evidence: Evidence, fraction: number, random: RandomSource): ProbeEvent {
  const estimate = estimatePick(evidence.slices, random, drawsForProgress);
  const rounds = new Set(evidence.slices.map(({ round }) => round)).size;
  const isComplete = rounds > 1;
  const doing = `round ${rounds}${isComplete ? `: ${estimate.pick} leads` : ''}`;
  return { kind: 'progress', fraction, doing, sizes: toSizeMeasurements(evidence, estimate) };
}

async function checkPressure(observer: Asker, crew: Crew): Promise<string | null> {
  const answer = await readServerPressure(observer, crew.pids);
  // A lost observer is told by its own event.
  if (answer.kind === 'failed') return null;
  const { free = Infinity, blockedOthers = 0 } = answer.rows[0] ?? {};
  if (blockedOthers > 0) return `The probe stopped: ${blockedOthers} other session${blockedOthers === 1 ? '' : 's'} waited for a lock of its statement.`;
  if (free < fewestFree) return `The probe stopped: only ${free} connections were left for others.`;
  return null;
}

async function validateAt(max: number, { request, statement, around, meanMs }: Run, evidence: Evidence): Promise<PoolValidation | null> {
  around.emit({ ...toProgress(evidence, 0.9, around.random), doing: `a real pool of ${max}` } as ProbeEvent);
  const pool = openPool(request.target, request.secret, { max, applicationName: probeApplicationName, statementTimeoutMs: toTimeoutMs(meanMs, max) });
  try {
    return await validatePool({ pool, max, statement, durationMs: toBudget(request).validationMs, clock: around.clock, signal: around.signal });
  } finally {
    await pool.end();
  }
}

function failed(sentence: string): ProbeEvent {
  return { kind: 'failed', sentence };
}
