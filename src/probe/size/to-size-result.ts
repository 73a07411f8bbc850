import { median } from 'simple-statistics';
import type { ObservedLoad } from '../advise/advice.ts';
import { adviseBy } from '../advise/formulas.ts';
import { coresOfServer } from '../advise/observe.ts';
import { recommendSize } from '../limits/recommend-size.ts';
import type { ErrorCounts } from '../load/pool-load.ts';
import type { RandomSource } from '../random.ts';
import type { SizeRequest } from '../request.ts';
import type { ProbeEvent } from '../result.ts';
import { type ExperimentContext, toResultHead } from '../experiment-context.ts';
import { milliseconds, sentences, share } from '../verdict-words.ts';
import { rate, type Decision, type Evidence } from './decide.ts';
import { findStatementLoads } from './binding-statement.ts';
import { correctionOf, meanForeignCores } from './contention.ts';
import type { StatementTimes } from './lanes.ts';
import { toLine } from './rounds.ts';
import type { PoolValidation, SizeMeasurement, SizeResult } from './size-result.ts';
import type { Slice } from './slice.ts';
import { type Estimate, estimatePick, findKnee, toMeanMs } from './statistics.ts';

export interface Measured {
  readonly context: ExperimentContext<SizeRequest>;
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
  const { context, decision, evidence, errors, validation } = measured;
  const { verdict, recommendation, limits, processes } = recommendSize(
    context,
    decision,
    validation,
  );
  const seen = context.seen.facts;
  return {
    ...toResultHead(context, {
      partial: measured.partial,
      notes: [...listNotes(measured)],
      errors,
    }),
    experiment: 'size',
    verdict: { ...verdict, because: sentences([describeReal(validation), verdict.because]) },
    recommendation,
    sizes: decision.estimate === null ? [] : toSizeMeasurements(evidence, decision.estimate),
    knee: decision.kind === 'found' ? findKnee(decision.estimate.curve) : null,
    goodSize: decision.kind === 'found' ? decision.estimate.pick : null,
    cap: context.seen.cap,
    rounds: new Set(evidence.slices.map(({ round }) => round)).size,
    slices: evidence.slices,
    limits,
    processes,
    statementLoads:
      decision.kind === 'found'
        ? findStatementLoads(measured.times, decision.estimate.pick, {
            kind: verdict.kind,
            statements: context.workload.summary.statements,
          })
        : null,
    memory: context.memory,
    validation,
    advice: adviseBy({
      serverCores: coresOfServer(context.request.target),
      applicationCores: null,
      connections: seen.maxConnections - seen.reserved,
      pools: limits.pools,
      demand: null,
      observed: measured.observed,
    }),
  };
}

/** First what the reader can measure in an application, and in one sentence why the model says another number. */
function describeReal(validation: PoolValidation | null): string | null {
  const load = validation?.closed?.load;
  return load === undefined
    ? null
    : `A real pool of ${validation?.max} in one Node process does ${rate(load.throughput)}. The curve models bare connections, without pool, callers and other programs, so its numbers differ: they compare sizes.`;
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

/** A curve that others moved by less is not worth a word. */
const worthTelling = 0.03;

function* describeCorrections(slices: readonly Slice[]): Generator<string> {
  const foreign = meanForeignCores(slices);
  if (foreign === null) return;
  const shares = slices.map((slice) => Math.expm1(correctionOf(slice)));
  const most = Math.max(0, ...shares);
  const usual = shares.length === 0 ? 0 : median(shares);
  if (most >= worthTelling)
    yield `Other programs used ${foreign.toFixed(1)} cores. By the time that the probe's own tasks waited for a processor, slices would have done ${share(usual)} more without them (${share(most)} at most): the curve is corrected for it, and disturbed slices weigh less.`;
}

/** A statement slower than this is measured by few answers a slice. */
const slowMs = 50;

function* listNotes(measured: Measured): Generator<string> {
  const { evidence, seesBackends, context, decision, validation, partial } = measured;
  yield* describeCorrections(evidence.slices);
  yield describeGenerator(measured);
  const seconds = toLine(evidence.slices)?.guard ?? 0;
  if (context.reach.pooler !== null)
    yield `Through a pooler guards and a ROLLBACK travel with each statement${seconds === 0 ? '' : ` and add ${milliseconds(1000 * seconds)} to it, measured beside; the curve is corrected for the clients that they take`}: statements/s are not comparable with those of a direct run.`;
  if (!seesBackends)
    yield "The server's use of the CPU is not visible from here, so nothing was corrected for other programs. Only the spread between rounds shows the noise.";
  if (
    context.request.validate &&
    partial === null &&
    decision.kind === 'found' &&
    validation === null
  )
    yield 'The check with a real pool gave no answer: its connections or its statements failed.';
  if (context.workload.meanMs > slowMs)
    yield `The statement takes ${Math.round(context.workload.meanMs)} ms, so each slice holds few of them: read the numbers as coarse.`;
}

/** The curve of an estimate together with what each size was measured by. */
function toSizeMeasurements({ slices }: Evidence, { curve }: Estimate): readonly SizeMeasurement[] {
  return curve.map((point) => ({
    ...point,
    meanMs: toMeanMs(point),
    slices: slices.filter(({ size }) => size === point.size).length,
  }));
}

/** Resampling this often is enough for a picture that the next slice replaces. */
const drawsForProgress = 60;

/** For a picture that the next slice replaces. */
export function toProgress(
  evidence: Evidence,
  fraction: number,
  random: RandomSource,
): Extract<ProbeEvent, { kind: 'progress' }> {
  const estimate = estimatePick(evidence.slices, random, drawsForProgress);
  const rounds = new Set(evidence.slices.map(({ round }) => round)).size;
  const isComplete = rounds > 1;
  const doing = `round ${rounds}${isComplete ? `: ${describeLead(estimate)}` : ''}`;
  return { kind: 'progress', fraction, doing, sizes: toSizeMeasurements(evidence, estimate) };
}

/** For example "best so far 3 (2 to 4)". */
function describeLead({ pick, interval: [low, high] }: Estimate): string {
  return `best so far ${pick}${low === high ? '' : ` (${low} to ${high})`}`;
}
