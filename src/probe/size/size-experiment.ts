import { openPool } from '../../database/open-pool.ts';
import { readBackendStates, readServerPressure } from '../../database/probe-server.ts';
import { isLoopback } from '../../database/target.ts';
import type { PoolValidation, ProbeEvent } from '../result.ts';
import type { RandomSource } from '../random.ts';
import type { SizeRequest } from '../request.ts';
import { applicationName, type Prepared, type Stage } from '../stage.ts';
import type { Refusal } from '../refusal.ts';
import { validatePool } from '../load/validate.ts';
import { openCrew, type Crew } from './crew.ts';
import type { Evidence } from './decide.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createLoadMeter } from './load-meter.ts';
import { measure, type MeasuringEnd } from './measure.ts';
import { planSlices, shortenPlan, startMs, type Plan } from './plan.ts';
import { toSizeResult } from './to-size-result.ts';
import { toSizeMeasurements } from './size-measurements.ts';
import { estimatePick } from './statistics.ts';
import { startWaitSampler } from './wait-sampler.ts';

const longestValidationMs = 2500;
/** Others must always be able to connect. */
const fewestFree = 3;

/** Lets 1, 2, 3, … connections work by turns, and picks the smallest number that does nearly the most. */
export function sizeExperiment(stage: Stage<SizeRequest>): Prepared | Refusal {
  const { request, seen, workload } = stage;
  const planned = planSlices(seen.cap.size, workload.meanMs, toBudget(request));
  if (planned.kind === 'refused') return planned;
  const { plan } = planned;
  const run: Run = { stage, plan };
  return {
    plan: {
      experiment: 'size',
      statements: workload.summary.statements.map(({ text }) => text),
      sizes: plan.sizes,
      steps: [
        `Let ${plan.sizes.join(', ')} of them work by turns, in rounds of random order`,
        ...(request.validate ? ['Check the answer with a real pool'] : []),
      ],
      connections: seen.cap.size + 1,
      expectedMs: plan.expectedMs,
      cap: seen.cap,
      notes: [...workload.notes, ...seen.notes],
    },
    run: () => measureAndValidate(run),
  };
}

function toBudget({ seconds, validate }: SizeRequest) {
  const totalMs = seconds * 1000;
  return { totalMs, validationMs: validate ? Math.min(longestValidationMs, totalMs / 5) : 0 };
}

interface Run {
  readonly stage: Stage<SizeRequest>;
  readonly plan: Plan;
}

async function measureAndValidate(run: Run): Promise<ProbeEvent> {
  const { around, observer, request } = run.stage;
  const halt = new AbortController();
  let lost: string | null = null;
  const onLost = (sentence: string) => {
    lost ??= sentence;
    halt.abort();
  };
  const stopListening = observer.onLost(({ sentence }) => onLost(sentence));
  const signal = AbortSignal.any([around.signal, halt.signal]);
  const end = await measureWithCrew(run, signal, onLost);
  stopListening();
  if (around.signal.aborted) return { kind: 'cancelled' };
  if (lost !== null) return failed(`A connection ended in the middle of the probe, which therefore stopped and closed the others. ${lost as string}`);
  if (end.kind === 'refused' || end.kind === 'stopped') return failed(end.sentence);
  if (end.kind === 'aborted') return { kind: 'cancelled' };
  const pick = end.decision.kind === 'found' ? end.decision.estimate.pick : null;
  const validation = pick === null || !request.validate ? null : await validateAt(pick, run, end.evidence);
  if (around.signal.aborted) return { kind: 'cancelled' };
  return { kind: 'result', result: toSizeResult({ ...end, stage: run.stage, validation }) };
}

type CrewEnd = Refusal | (MeasuringEnd & { readonly errors: Readonly<Record<string, number>>; readonly seesBackends: boolean });

async function measureWithCrew(run: Run, signal: AbortSignal, onLost: (sentence: string) => void): Promise<CrewEnd> {
  const { request, seen, asker, workload, around } = run.stage;
  const size = seen.cap.size;
  const began = around.clock.now();
  const opened = await openCrew({ request, applicationName: applicationName(around), size, timeoutMs: toTimeoutMs(workload.meanMs, size), observer: asker, signal, onLost });
  if (opened.kind === 'refused') return opened;
  const { crew } = opened;
  // A statement that still runs would keep its lane, and so the end, waiting.
  const onAbort = () => void crew.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const lanes = createLanes({ sessions: crew.sessions, next: () => workload.next(around.random), clock: around.clock });
    return await measureLanes({ ...run, plan: shortenPlan(run.plan, around.clock.now() - began - startMs) }, signal, crew, lanes);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await crew.close();
  }
}

async function measureLanes({ stage, plan }: Run, signal: AbortSignal, crew: Crew, lanes: Lanes): Promise<Exclude<CrewEnd, Refusal>> {
  const { observer, asker, around, request } = stage;
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

function toProgress(evidence: Evidence, fraction: number, random: RandomSource): Extract<ProbeEvent, { kind: 'progress' }> {
  const estimate = estimatePick(evidence.slices, random, drawsForProgress);
  const rounds = new Set(evidence.slices.map(({ round }) => round)).size;
  const isComplete = rounds > 1;
  const doing = `round ${rounds}${isComplete ? `: ${estimate.pick} leads` : ''}`;
  return { kind: 'progress', fraction, doing, sizes: toSizeMeasurements(evidence, estimate) };
}

async function checkPressure(observer: Stage['asker'], crew: Crew): Promise<string | null> {
  const answer = await readServerPressure(observer, crew.pids);
  // A lost observer is told by its own event.
  if (answer.kind === 'failed') return null;
  const { free = Infinity, blockedOthers = 0 } = answer.rows[0] ?? {};
  if (blockedOthers > 0) return `The probe stopped: ${blockedOthers} other session${blockedOthers === 1 ? '' : 's'} waited for a lock of its statement.`;
  if (free < fewestFree) return `The probe stopped: only ${free} connections were left for others.`;
  return null;
}

async function validateAt(max: number, { stage }: Run, evidence: Evidence): Promise<PoolValidation | null> {
  const { request, workload, around } = stage;
  around.emit({ ...toProgress(evidence, 0.9, around.random), doing: `a real pool of ${max}` });
  const pool = openPool(request.target, request.secret, { max, applicationName: applicationName(around), statementTimeoutMs: toTimeoutMs(workload.meanMs, max) });
  try {
    return await validatePool({ pool, max, next: () => workload.next(around.random), durationMs: toBudget(request).validationMs, clock: around.clock, signal: around.signal });
  } finally {
    await pool.end();
  }
}

function failed(sentence: string): ProbeEvent {
  return { kind: 'failed', sentence };
}
