import { mostUsers } from '../probe/users/users-at.ts';
import type { UserStage } from '../probe/experiment.ts';
import { rampCellMs } from '../probe/ramp/ramp-cells.ts';
import type { SizeResult } from '../probe/size/size-result.ts';
import { usualAnswerMs, type K6Origin, type K6Plan } from './k6-plan.ts';

/** What every plan is told. */
export type PlanFrame = Pick<K6Plan, 'request' | 'sharing' | 'madeBy'>;

export interface ArrivalsAsked {
  /** Arrivals per second at one pool. */
  readonly rates: readonly number[];
  readonly sizes: readonly number[];
  /** For all rates and sizes together. */
  readonly seconds: number;
}

/** The rates of `probe ramp`, one after the other. A script runs once for each size. */
export function planRamp(frame: PlanFrame, asked: ArrivalsAsked): K6Plan {
  const rates = [...new Set(asked.rates)].sort((one, other) => one - other);
  const sizes = [...new Set(asked.sizes)];
  const seconds = rampCellMs({ ...asked, rates, sizes }) / 1000;
  return {
    ...frame,
    origin: 'probe ramp',
    load: { kind: 'arrivals', stages: rates.map((rate) => ({ seconds, rate })) },
    sizes,
    expectedMs: usualAnswerMs,
    source: null,
  };
}

/** Of what was measured: below, near, at and beyond it. */
const stepsOfMeasured = [0.5, 0.8, 1, 1.2];
/** Where nothing was measured: those of `probe ramp`. */
const usualRates = [100, 300, 500];

/**
 * The probe by arrivals.
 * @param asked Rates somebody names; null takes them from what an earlier probe measured, or the usual ones.
 */
export function planProbe(
  frame: PlanFrame,
  {
    seconds,
    rates: asked,
    earlier,
  }: {
    readonly seconds: number;
    readonly rates: readonly number[] | null;
    readonly earlier: SizeResult | null;
  },
): K6Plan {
  const measured = earlier === null ? null : measuredBy(earlier);
  const { rates, source } = asked === null ? ratesOf(measured) : { rates: asked, source: null };
  const size = earlier?.recommendation?.max ?? measured?.size;
  return {
    ...frame,
    origin: 'probe',
    load: {
      kind: 'arrivals',
      stages: rates.map((rate) => ({ seconds: seconds / rates.length, rate })),
    },
    sizes: size === undefined ? [] : [size],
    expectedMs: Math.max(usualAnswerMs, measured?.answerMs ?? 0),
    source,
  };
}

function ratesOf(measured: Measured | null): {
  readonly rates: readonly number[];
  readonly source: string;
} {
  if (measured === null)
    return {
      rates: usualRates,
      source:
        'The rates are the defaults of poolguard probe ramp. To set them, use --rates, or --baseline probe.json for those of an earlier probe.',
    };
  return {
    rates: stepsOfMeasured.map((step) => Math.max(1, Math.round(step * measured.throughput))),
    source: `The rates are 50, 80, 100 and 120 % of the ${Math.round(measured.throughput)} statements a second that ${measured.size} clients reached; divide them by the number of statements that a request sends.`,
  };
}

interface Measured {
  readonly size: number;
  readonly throughput: number;
  readonly answerMs: number;
}

function measuredBy({ goodSize, sizes, validation }: SizeResult): Measured | null {
  const best = sizes.find(({ size }) => size === goodSize);
  if (best === undefined) return null;
  return {
    size: best.size,
    throughput: best.throughput,
    answerMs: validation?.open?.load.latency?.p95Ms ?? best.meanMs,
  };
}

/** Users in stages, as `probe sweep` and `sweep` drive them; null where the stages hold no user. */
export function planUsers(
  frame: PlanFrame,
  {
    origin,
    stages,
    thinkMs,
    sizes,
  }: {
    readonly origin: K6Origin;
    readonly stages: readonly UserStage[];
    readonly thinkMs: number;
    readonly sizes: readonly number[];
  },
): K6Plan | null {
  if (mostUsers(stages) < 1) return null;
  return {
    ...frame,
    origin,
    load: { kind: 'users', stages, thinkMs },
    sizes: [...new Set(sizes)],
    expectedMs: usualAnswerMs,
    source: null,
  };
}
