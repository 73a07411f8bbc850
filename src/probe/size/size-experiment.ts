import { readBackendStates } from '../../database/probe-server.ts';
import { isLoopback } from '../../database/target.ts';
import { observeLoad } from '../advise/observe.ts';
import type { SizeRequest } from '../request.ts';
import { findOwnPool, listBackendLimits } from '../pooler/own-pool.ts';
import type { Prepared, ExperimentContext } from '../experiment-context.ts';
import { type Course, runGuarded } from '../guarded-run.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { validatePool } from '../load/validate.ts';
import { type LoadConnections, openLoadConnections } from './load-connections.ts';
import { decide, type Evidence } from './decide.ts';
import type { StatementTimes } from './lanes.ts';
import { createLoadMeter } from './load-meter.ts';
import { peerOf } from './peer-process.ts';
import { measure, type MeasuringEnd } from './measure.ts';
import { allowTime, planSlices, shortenPlan, startMs, type Budget, type Plan } from './plan.ts';
import type { PoolValidation, SizeResult } from './size-result.ts';
import { toProgress, toSizeResult } from './to-size-result.ts';
import { openThreadedConnections } from './threads/threaded-connections.ts';
import { timeLine } from './time-line.ts';
import { startWaitSampler } from './wait-sampler.ts';

const longestValidationMs = 2500;
/** What a result says whose measuring the user ended. */
const endedOnRequest = 'The probe was ended early, on request.';

/** Lets 1, 2, 3, … connections work by turns, and picks the smallest number that does nearly the most. */
export function sizeExperiment(context: ExperimentContext<SizeRequest>): Prepared | Refusal {
  const { request, seen, workload } = context;
  const time = allowTime(request, { othersShare: context.othersShare, meanMs: workload.meanMs });
  const budget = toBudget(time.seconds, request);
  const planned = planSlices(seen.cap.size, workload.meanMs, budget, [
    ...listBends(context),
    ...(request.alsoSizes ?? []),
  ]);
  if (planned.kind === 'refused') return planned;
  const { plan } = planned;
  return {
    plan: {
      sizes: plan.sizes,
      steps: [
        `Open ${seen.cap.size} connections, once`,
        `Let ${plan.sizes.join(', ')} of them work by turns, in rounds of random order`,
        ...(request.validate ? ['Check the answer with a real pool'] : []),
      ],
      connections: seen.cap.size + 1,
      expectedMs: plan.expectedMs,
      notes: time.because === null ? [] : [describeTime(plan, time.because)],
    },
    run: () => runGuarded(context, (course) => measureAndValidate({ course, plan, budget })),
  };
}

/** A pooler's curve bends where its backends are used up. */
function listBends({ reach, request }: ExperimentContext<SizeRequest>): readonly number[] {
  const report = reach.pooler?.before ?? null;
  return report === null
    ? []
    : listBackendLimits(report, findOwnPool(report, request.target))
        .slice(0, 1)
        .map(({ value }) => value);
}

/** Lanes that may work while the line is timed: the machine is not at rest then, and a backend is left. */
const mostBusy = 4;

function backendsOf(context: ExperimentContext<SizeRequest>) {
  const backends = listBends(context)[0] ?? null;
  return {
    backends,
    busy: Math.min(mostBusy, (backends ?? 1) - 1, context.seen.cap.size - 1),
  };
}

function describeTime({ expectedMs, seconds }: Plan, because: string): string {
  return `Usually ${Math.round(expectedMs / 1000)} s, up to ${seconds} s here, because ${because}.`;
}

function toBudget(seconds: number, { validate }: SizeRequest): Budget {
  const totalMs = seconds * 1000;
  return { totalMs, validationMs: validate ? Math.min(longestValidationMs, totalMs / 5) : 0 };
}

interface Run {
  readonly course: Course<SizeRequest>;
  readonly plan: Plan;
  readonly budget: Budget;
}

async function measureAndValidate(run: Run): Promise<SizeResult | Refusal> {
  const { context } = run.course;
  const { environment, request } = context;
  const observed = await observeLoad(context.asker);
  const end = await measureWithConnections(run);
  if (environment.signal.aborted) return refuse('Cancelled.');
  if (end.kind === 'aborted') return toPartialResult(run, end);
  if (end.kind !== 'decided') return refuse(end.sentence);
  const pick = end.decision.kind === 'found' ? end.decision.estimate.pick : null;
  const validation =
    pick === null || !request.validate || environment.enough.aborted
      ? null
      : await validateAt(pick, run, end.evidence);
  const partial = run.course.endedBy ?? (environment.enough.aborted ? endedOnRequest : null);
  return toSizeResult({ ...end, context, validation, partial, observed });
}

/** What was measured before the end is an answer if there was enough of it. */
function toPartialResult(
  { course: { context, endedBy: partial } }: Run,
  end: Extract<LoadEnd, { kind: 'aborted' }>,
): SizeResult | Refusal {
  const decision = decide(end.evidence, context.environment.random);
  return decision.kind === 'found'
    ? toSizeResult({ ...end, decision, context, validation: null, partial, observed: null })
    : refuse('The probe ended early.');
}

type LoadEnd = MeasuringEnd & {
  readonly errors: Readonly<Record<string, number>>;
  readonly times: readonly StatementTimes[];
  readonly seesBackends: boolean;
  readonly lagP99Ms: number;
};

async function measureWithConnections(run: Run): Promise<LoadEnd | Refusal> {
  const { course, plan } = run;
  const { clock } = course.context.environment;
  const began = clock.now();
  const isThreaded = course.context.request.threads > 1;
  const connections = await (isThreaded ? openThreadedConnections : openLoadConnections)(course);
  if (connections.kind === 'refused') return connections;
  // A statement that still runs would keep its lane, and so the end, waiting.
  const onAbort = () => void connections.close();
  course.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const left = shortenPlan(plan, clock.now() - began - startMs);
    return await measureLanes(course, left, connections);
  } finally {
    course.signal.removeEventListener('abort', onAbort);
    await connections.close();
  }
}

async function measureLanes(
  { context, signal }: Course<SizeRequest>,
  plan: Plan,
  { pids, lanes, threads, session }: LoadConnections,
): Promise<LoadEnd> {
  const { observer, asker, environment, request } = context;
  const { clock, random, longestSilenceMs, enough } = environment;
  const meter = createLoadMeter({
    pids: [...pids, ...(observer.pid === null ? [] : [observer.pid])],
    pooler: observer.isPooled ? observer.ports && peerOf(observer.ports) : null,
    isServerLocal: isLoopback(request.target.host),
    threads,
  });
  const look = async () => {
    const answer = await readBackendStates(asker);
    if (answer.kind === 'failed') return null;
    if (observer.isPooled) meter.watch(answer.rows.flatMap(({ pids: seen }) => seen));
    return answer.rows;
  };
  const sampler = startWaitSampler(look, clock);
  const onSlice = (evidence: Evidence, fraction: number) =>
    environment.emit(toProgress(evidence, fraction * 0.9, random));
  try {
    const end = await measure({
      plan,
      lanes,
      meter,
      sampler,
      timeLine:
        session?.isPooled === true
          ? (over) => timeLine({ session, lanes, ...backendsOf(context), clock, signal: over })
          : null,
      clock,
      longestSilenceMs,
      random,
      signal,
      enough,
      onSlice,
    });
    return {
      ...end,
      errors: lanes.read().errors,
      times: lanes.readTimes(),
      seesBackends: meter.seesBackends,
      lagP99Ms: meter.lagP99Ms(),
    };
  } finally {
    meter.stop();
    await sampler.stop();
  }
}

async function validateAt(
  max: number,
  { course: { context, signal }, budget }: Run,
  evidence: Evidence,
): Promise<PoolValidation | null> {
  const { environment } = context;
  environment.emit({
    ...toProgress(evidence, 0.9, environment.random),
    doing: `a real pool of ${max}`,
  });
  return validatePool(context, { max, durationMs: budget.validationMs, signal });
}
