import { type Course, loadPool, mayGoOn, runGuarded } from '../guarded-run.ts';
import type { ConnectionSource } from '../load/connection-source.ts';
import { openLoop } from '../load/open-loop.ts';
import { addErrors } from '../load/pool-load.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { RampRequest } from '../request.ts';
import { sizesToTry } from '../preflight/cap.ts';
import { type Prepared, type ExperimentContext, toResultHead } from '../experiment-context.ts';
import { judgeRamp } from './judge-ramp.ts';
import { rampCellMs, switchMs } from './ramp-cells.ts';
import type { RampCell, RampResult } from './ramp-result.ts';

/** As many arrivals may be under way; a generator that holds more measures its own memory. */
const mostUnderWay = 10_000;
/** Beginning later than this by its own fault, the generator could not make the load that was asked for. */
const latestLagMs = 20;

interface RampPlan {
  readonly sizes: readonly number[];
  readonly rates: readonly number[];
  readonly cellMs: number;
  readonly notes: readonly string[];
}

/** Arrivals that do not wait, faster and faster, at one pool size after the other. */
export function rampExperiment(context: ExperimentContext<RampRequest>): Prepared | Refusal {
  const { request, seen } = context;
  const asked = sizesToTry(request.sizes, seen);
  if (asked.kind === 'refused') return asked;
  const rates = [...new Set(request.rates)].sort((one, other) => one - other);
  if (rates.length === 0)
    return refuse('No arrival rate is named: for example --rates 100,300,500.');
  const { sizes, notes } = asked;
  const cells = sizes.length * rates.length;
  const cellMs = rampCellMs({ seconds: request.seconds, sizes, rates });
  return {
    plan: {
      sizes,
      steps: [
        `Let requests arrive at random, ${rates.join(', then ')} a second, for ${(cellMs / 1000).toFixed(1)} s each, at a pool of ${sizes.join(', then ')}`,
        `Count who waits longer than ${request.waitLimitMs} ms for a client as refused; a line that is left after the last arrival is waited for`,
      ],
      connections: Math.max(...sizes) + 1,
      expectedMs: cells * cellMs + sizes.length * switchMs,
      notes,
    },
    run: () =>
      runGuarded(context, (course) => measureRamp(course, { sizes, rates, cellMs, notes })),
  };
}

async function measureRamp(
  course: Course<RampRequest>,
  plan: RampPlan,
): Promise<RampResult | Refusal> {
  const { context } = course;
  const cells: RampCell[] = [];
  for (const max of plan.sizes)
    if (mayGoOn(course)) await measureRates(course, plan, { max, cells });
  if (cells.every(({ load }) => load.requests === 0))
    return refuse(course.endedBy ?? 'No request was answered.');
  const late = cells.filter(({ load }) => (load.lagP99Ms ?? 0) > latestLagMs);
  const notes =
    late.length === 0
      ? []
      : [
          `The generator itself was late at ${late.map(({ max, rate }) => `${rate}/s with ${max}`).join(', ')}: those requests waited for it, not only for the pool.`,
        ];
  const { inflections, verdict } = judgeRamp(cells, plan.cellMs);
  return {
    ...toResultHead(context, {
      partial: course.endedBy,
      notes: [...plan.notes, ...notes],
      errors: addErrors(cells.map(({ load }) => load.errors)),
    }),
    experiment: 'ramp',
    waitLimitMs: context.request.waitLimitMs,
    verdict:
      late.length * 2 > cells.length
        ? {
            ...verdict,
            because: `${verdict.because} Take it with care: the generator itself was late more often than not, on a machine that has no time for it.`,
          }
        : verdict,
    cells,
    inflections,
  };
}

/** All rates at one pool, which is opened once. */
async function measureRates(
  course: Course<RampRequest>,
  { rates, sizes, cellMs }: RampPlan,
  { max, cells }: { readonly max: number; readonly cells: RampCell[] },
): Promise<void> {
  const { environment, request } = course.context;
  const measureRate = async (source: ConnectionSource, rate: number) => {
    const done = cells.length;
    const onFraction = (fraction: number) =>
      course.tell(
        (done + fraction) / (sizes.length * rates.length),
        `${rate}/s at a pool of ${max}`,
      );
    const run = await openLoop({
      source,
      clock: environment.clock,
      random: environment.random,
      signal: course.signal,
      durationMs: cellMs,
      rate,
      mostUnderWay,
      onFraction,
    });
    if (!course.signal.aborted) cells.push({ max, rate, load: run.load });
    return run;
  };
  await loadPool(course, { max, waitLimitMs: request.waitLimitMs }, async ({ source }) => {
    const [first = 0, ...others] = rates;
    let run = await measureRate(source, first);
    for (const rate of others)
      if (run.trouble === null && mayGoOn(course)) run = await measureRate(source, rate);
    return run;
  });
}
