import type { ObservedLoad } from '../advise/advice.ts';
import { adviseBy } from '../advise/formulas.ts';
import { coresOfServer } from '../advise/observe.ts';
import { recommendSize } from '../limits/recommend-size.ts';
import type { ErrorCounts } from '../load/pool-load.ts';
import type { SizeRequest } from '../request.ts';
import { type Stage, toResultHead } from '../stage.ts';
import type { Decision, Evidence } from './decide.ts';
import { acceptSlices, meanForeignCores, needsCpu } from './noise-gate.ts';
import { findStatementLoads } from './binding-statement.ts';
import type { StatementTimes } from './lanes.ts';
import type { PoolValidation, SizeMeasurement, SizeResult } from './size-result.ts';
import type { Slice } from './slice.ts';
import { type Estimate, findKnee, toMeanMs } from './statistics.ts';

export interface Measured {
  readonly stage: Stage<SizeRequest>;
  readonly decision: Exclude<Decision, { kind: 'continue' }>;
  readonly evidence: Evidence;
  readonly errors: ErrorCounts;
  /** What the statements took each, by pool size. */
  readonly times: readonly StatementTimes[];
  readonly seesBackends: boolean;
  /** Of the generator's event loop, in milliseconds. */
  readonly lagP99Ms: number;
  readonly validation: PoolValidation | null;
  /** Before the probe added to it. */
  readonly observed: ObservedLoad | null;
  readonly partial: string | null;
}

/** Puts together what a probe of sizes found. */
export function toSizeResult(measured: Measured): SizeResult {
  const { stage, decision, evidence, errors, validation } = measured;
  const { verdict, recommendation, limits, processes } = recommendSize(stage, decision, validation);
  const seen = stage.seen.facts;
  return {
    ...toResultHead(stage, { partial: measured.partial, notes: [...listNotes(measured)], errors }),
    experiment: 'size',
    verdict,
    recommendation,
    sizes: decision.estimate === null ? [] : toSizeMeasurements(evidence, decision.estimate),
    knee: decision.kind === 'found' ? findKnee(decision.estimate.curve) : null,
    goodSize: decision.kind === 'found' ? decision.estimate.pick : null,
    cap: stage.seen.cap,
    rounds: new Set(evidence.slices.map(({ round }) => round)).size,
    slices: evidence.slices,
    limits,
    processes,
    statementLoads:
      decision.kind === 'found'
        ? findStatementLoads(measured.times, decision.estimate.pick, {
            kind: verdict.kind,
            statements: stage.workload.summary.statements,
          })
        : null,
    memory: stage.memory,
    validation,
    advice: adviseBy({
      serverCores: coresOfServer(stage.request.target),
      applicationCores: null,
      connections: seen.maxConnections - seen.reserved,
      pools: limits.pools,
      demand: null,
      observed: measured.observed,
    }),
  };
}

/** An event loop that is later than this sees answers later than they came. */
const lateMs = 5;

/** Whoever makes the load is judged as well: a full event loop measures itself. */
function describeGenerator({ evidence: { slices }, lagP99Ms }: Measured): string {
  const most = (read: (load: Slice['load']) => number) =>
    Math.max(0, ...slices.map(({ load }) => read(load)));
  const threads = slices[0]?.load.threads ?? 1;
  const who = threads === 1 ? 'The probe itself' : `The probe itself, with ${threads} threads,`;
  const used = `${who} used ${most(({ ownCores }) => ownCores).toFixed(1)} cores at most; its event loop was up to ${Math.round(most(({ eventLoop }) => eventLoop) * 100)} % busy and ${lagP99Ms.toFixed(1)} ms late (99th percentile)`;
  return lagP99Ms > lateMs
    ? `${used}, so the times that a client saw are longer than the database's.`
    : `${used}.`;
}

/** A statement slower than this is measured by few answers a slice. */
const slowMs = 50;

function* listNotes(measured: Measured): Generator<string> {
  const { evidence, seesBackends, stage, decision, validation, partial } = measured;
  const { slices, samples } = evidence;
  const noisy = slices.filter(({ quiet }) => !quiet);
  const disturbed = noisy.length;
  const foreign = meanForeignCores(noisy);
  if (disturbed > 0 && !needsCpu(samples)) {
    yield `${disturbed} of ${slices.length} slices ran beside other programs${foreign === null ? '' : ` that used ${foreign.toFixed(1)} cores`}; they count, because the statement mostly waits.`;
  } else if (disturbed > 0) {
    yield `${disturbed} of ${slices.length} slices were disturbed${foreign === null ? '' : ` by other programs (which used ${foreign.toFixed(1)} cores)`} and left out.`;
  }
  yield describeGenerator(measured);
  if (!seesBackends)
    yield "The server's use of the CPU could not be seen from here: noise was judged by measuring one size twice in each round.";
  if (
    stage.request.validate &&
    partial === null &&
    decision.kind === 'found' &&
    validation === null
  )
    yield 'The check with a real pool gave no answer: its connections or its statements failed.';
  if (stage.workload.meanMs > slowMs)
    yield `The statement takes ${Math.round(stage.workload.meanMs)} ms, so each slice holds few of them: read the numbers as coarse.`;
}

/** The curve of an estimate together with what each size was measured by. */
export function toSizeMeasurements(
  { slices, samples }: Evidence,
  { curve }: Estimate,
): readonly SizeMeasurement[] {
  const accepted = new Set(acceptSlices(slices, samples));
  return curve.map((point) => {
    const own = slices.filter(({ size }) => size === point.size);
    return {
      ...point,
      meanMs: toMeanMs(point),
      acceptedSlices: own.filter((slice) => accepted.has(slice)).length,
      slices: own.length,
    };
  });
}
