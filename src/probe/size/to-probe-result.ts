import type { Decision, Evidence } from './decide.ts';
import { meanForeignCores, needsCpu } from './noise-gate.ts';
import type { Plan } from './plan.ts';
import type { Surroundings } from '../preflight/preflight.ts';
import { recommend } from '../limits/recommend.ts';
import type { ProbeRequest } from '../request.ts';
import type { PoolValidation, ProbeResult } from '../result.ts';
import { toSizeMeasurements } from './size-measurements.ts';
import { findKnee } from './statistics.ts';

export interface Measured {
  readonly decision: Exclude<Decision, { kind: 'continue' }>;
  readonly evidence: Evidence;
  readonly errors: Readonly<Record<string, number>>;
  readonly seesBackends: boolean;
  readonly request: ProbeRequest;
  readonly statement: string;
  readonly plan: Plan;
  readonly seen: Surroundings;
  readonly meanMs: number;
  readonly validation: PoolValidation | null;
  readonly elapsedMs: number;
}

/** Puts together what a probe found. */
export function toProbeResult(measured: Measured): ProbeResult {
  const { decision, evidence, request, seen } = measured;
  const { host, port, database } = request.target;
  const room = { workers: request.workers, server: seen.facts };
  return {
    schemaVersion: 1,
    verdict: decision.verdict,
    recommendation: decision.kind === 'found' ? recommend(decision.verdict.kind, decision.estimate, room) : null,
    sizes: decision.estimate === null ? [] : toSizeMeasurements(evidence, decision.estimate),
    knee: decision.kind === 'found' ? findKnee(decision.estimate.curve) : null,
    cap: seen.cap,
    statement: measured.statement,
    rounds: new Set(evidence.slices.map(({ round }) => round)).size,
    elapsedMs: Math.round(measured.elapsedMs),
    notes: [...seen.notes, ...listNotes(measured)],
    errors: measured.errors,
    validation: measured.validation,
    server: { version: seen.facts.version, host, port, database },
  };
}

/** A statement slower than this is measured by few answers a slice. */
const slowMs = 50;

function* listNotes({ evidence, seesBackends, meanMs, decision, request, validation }: Measured): Generator<string> {
  const { slices, samples } = evidence;
  const noisy = slices.filter(({ quiet }) => !quiet);
  const disturbed = noisy.length;
  const foreign = meanForeignCores(noisy);
  if (disturbed > 0 && !needsCpu(samples)) {
    yield `${disturbed} of ${slices.length} slices ran beside other programs${foreign === null ? '' : ` that used ${foreign.toFixed(1)} cores`}; they count, because the statement mostly waits.`;
  } else if (disturbed > 0) {
    yield `${disturbed} of ${slices.length} slices were disturbed${foreign === null ? '' : ` by other programs (which used ${foreign.toFixed(1)} cores)`} and left out.`;
  }
  if (!seesBackends) yield "The server's use of the CPU could not be seen from here: noise was judged by measuring one size twice in each round.";
  if (request.validate && decision.kind === 'found' && validation === null) yield 'The check with a real pool gave no answer: its connections or its statements failed.';
  if (meanMs > slowMs) yield `The statement takes ${Math.round(meanMs)} ms, so each slice holds few of them: read the numbers as coarse.`;
}
