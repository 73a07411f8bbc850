import type { DatabaseSession } from '../../database/session.ts';
import { readBackendStates } from '../../database/probe-server.ts';
import { isLoopback } from '../../database/target.ts';
import type { ObservedLoad } from '../advise/advice.ts';
import { observeLoad } from '../advise/observe.ts';
import type { PoolValidation, ProbeEvent } from '../result.ts';
import type { SizeRequest } from '../request.ts';
import { findOwnPool, listBackendLimits } from '../pooler/own-pool.ts';
import type { Prepared, ExperimentContext } from '../experiment-context.ts';
import type { Refusal } from '../refusal.ts';
import { validatePool } from '../load/validate.ts';
import { toProbeLimits, toStatementTimeoutMs } from '../safety/probe-limits.ts';
import { startSafeguard, type Safeguard } from '../safety/safeguard.ts';
import { openLoadConnections, type ConnectionsOptions } from './load-connections.ts';
import { decide, type Evidence } from './decide.ts';
import { createLanes, type Lanes, type StatementTimes } from './lanes.ts';
import { createLoadMeter, type GeneratorThreads } from './load-meter.ts';
import { peerOf } from './peer-process.ts';
import { measure, type MeasuringEnd } from './measure.ts';
import { allowTime, planSlices, shortenPlan, startMs, type Budget, type Plan } from './plan.ts';
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
  const run: Run = { context, plan, budget };
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
    run: () => measureAndValidate(run),
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
  readonly context: ExperimentContext<SizeRequest>;
  readonly plan: Plan;
  readonly budget: Budget;
}

async function measureAndValidate(run: Run): Promise<ProbeEvent> {
  const guard = startSafeguard(run.context);
  try {
    const observed = await observeLoad(run.context.asker);
    const end = await measureWithConnections(run, guard);
    const last = await concludeMeasuring(run, guard, end, observed);
    return last.kind === 'result'
      ? { ...last, result: { ...last.result, notes: [...last.result.notes, ...guard.notes] } }
      : last;
  } finally {
    await guard.stop();
  }
}

async function concludeMeasuring(
  run: Run,
  guard: Safeguard,
  end: LoadEnd,
  observed: ObservedLoad | null,
): Promise<ProbeEvent> {
  const { environment, request } = run.context;
  if (environment.signal.aborted) return { kind: 'cancelled' };
  if (end.kind === 'aborted') return toPartialResult(run, guard, end);
  if (end.kind !== 'decided') return failed(guard.reason ?? end.sentence);
  const pick = end.decision.kind === 'found' ? end.decision.estimate.pick : null;
  const validation =
    pick === null || !request.validate || environment.enough.aborted
      ? null
      : await validateAt(pick, run, end.evidence, guard.signal);
  if (environment.signal.aborted) return { kind: 'cancelled' };
  return {
    kind: 'result',
    result: toSizeResult({
      ...end,
      context: run.context,
      validation,
      partial: guard.reason ?? (environment.enough.aborted ? endedOnRequest : null),
      observed,
    }),
  };
}

/** What was measured before the end is an answer if there was enough of it. */
function toPartialResult(
  { context }: Run,
  { reason }: Safeguard,
  end: Extract<LoadEnd, { kind: 'aborted' }>,
): ProbeEvent {
  const decision = decide(end.evidence, context.environment.random);
  if (decision.kind !== 'found') return failed(reason ?? 'The probe ended early.');
  return {
    kind: 'result',
    result: toSizeResult({
      ...end,
      decision,
      context,
      validation: null,
      partial: reason,
      observed: null,
    }),
  };
}

type LoadEnd =
  | Refusal
  | (MeasuringEnd & {
      readonly errors: Readonly<Record<string, number>>;
      readonly times: readonly StatementTimes[];
      readonly seesBackends: boolean;
      readonly lagP99Ms: number;
    });

async function measureWithConnections(run: Run, { signal, onLost }: Safeguard): Promise<LoadEnd> {
  const { seen, asker, workload, environment, request } = run.context;
  const size = seen.cap.size;
  const began = environment.clock.now();
  const limits = toProbeLimits(environment, toStatementTimeoutMs(workload.meanMs, size));
  const { observer, tally } = run.context;
  const opened = await openGenerator(run.context, {
    ...{ request, size, limits, tally },
    startup: observer.startup,
    observer: asker,
    signal,
    onLost,
  });
  if (opened.kind === 'refused') return opened;
  const { generator } = opened;
  // A statement that still runs would keep its lane, and so the end, waiting.
  const onAbort = () => void generator.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await measureLanes(
      { ...run, plan: shortenPlan(run.plan, environment.clock.now() - began - startMs) },
      signal,
      generator,
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
    await generator.close();
  }
}

/** What makes the load: sessions of this thread, or of several. */
interface Generator {
  readonly pids: readonly number[];
  readonly lanes: Lanes;
  /** Null for this very thread. */
  readonly threads: GeneratorThreads | null;
  /** The last one; null where it is another thread's. */
  readonly session: DatabaseSession | null;
  close(): Promise<void>;
}

async function openGenerator(
  { request, workload, environment }: Run['context'],
  options: ConnectionsOptions,
): Promise<Refusal | { readonly kind: 'generator'; readonly generator: Generator }> {
  if (request.threads > 1) {
    const opened = await openThreadedConnections({
      ...options,
      threads: request.threads,
      workload,
      random: environment.random,
    });
    return opened.kind === 'refused'
      ? opened
      : {
          kind: 'generator',
          generator: { ...opened.connections, threads: opened.connections, session: null },
        };
  }
  const opened = await openLoadConnections(options);
  if (opened.kind === 'refused') return opened;
  const { connections } = opened;
  const lanes = createLanes({
    sessions: connections.sessions,
    workload,
    random: environment.random,
    clock: environment.clock,
  });
  return {
    kind: 'generator',
    generator: {
      pids: connections.pids,
      close: () => connections.close(),
      lanes,
      threads: null,
      session: connections.sessions.at(-1) ?? null,
    },
  };
}

async function measureLanes(
  { context, plan }: Omit<Run, 'budget'>,
  signal: AbortSignal,
  { pids, lanes, threads, session }: Generator,
): Promise<Exclude<LoadEnd, Refusal>> {
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
  { context, budget }: Run,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<PoolValidation | null> {
  const { environment } = context;
  environment.emit({
    ...toProgress(evidence, 0.9, environment.random),
    doing: `a real pool of ${max}`,
  });
  return validatePool(context, { max, durationMs: budget.validationMs, signal });
}

function failed(sentence: string): ProbeEvent {
  return { kind: 'failed', sentence };
}
