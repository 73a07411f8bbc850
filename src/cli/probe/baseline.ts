import { compareWithBaseline } from '../../probe/baseline/compare-with-baseline.ts';
import type { ComparisonKind } from '../../probe/baseline/comparison.ts';
import type { RandomSource } from '../../probe/random.ts';
import type { SizeRequest, WorkloadRequest } from '../../probe/request.ts';
import type { SizeResult } from '../../probe/result.ts';
import { CouldNotRun, exitCodes } from '../exit-code.ts';
import { readSaved } from '../read-saved.ts';

/** For a build server: 0 still right, 1 changed, 2 could not be judged. */
const comparisonExitCodes: Readonly<Record<ComparisonKind, number>> = {
  unchanged: exitCodes.fine,
  'smaller-is-enough': exitCodes.findings,
  'larger-needed': exitCodes.findings,
  worse: exitCodes.findings,
  'too-noisy': exitCodes.couldNotRun,
};

/** The earlier result of the same experiment. Throws `CouldNotRun` when the file holds none. */
export function readBaseline(path: string): SizeResult {
  const result = readSaved(path);
  if (result.experiment !== 'size')
    throw new CouldNotRun(
      `A baseline is a result of poolguard probe; this file holds one of the experiment "${result.experiment}".`,
    );
  return result;
}

/** The request with the earlier size among those that are tried, and with the earlier workload where none was given. */
export function withBaseline(request: SizeRequest, baseline: SizeResult): SizeRequest {
  const size = baseline.goodSize ?? baseline.recommendation?.max ?? null;
  const workload =
    request.workload.kind === 'stand-in' ? workloadAgain(baseline) : request.workload;
  return size === null
    ? { ...request, workload }
    : { ...request, workload, max: Math.max(request.max, size), alsoSizes: [size] };
}

function workloadAgain({ workload: { origin, statements } }: SizeResult): WorkloadRequest {
  if (origin === 'stand-in' || statements.length === 0) return { kind: 'stand-in' };
  return {
    kind: 'statements',
    statements: statements.map(({ text, share, parameters }) => ({
      text,
      weight: share,
      parameters,
    })),
  };
}

/** The result with the judgement in it, and the exit code that goes with that. */
export function judgeAgainst(
  baseline: SizeResult,
  current: SizeResult,
  random: RandomSource,
): { readonly result: SizeResult; readonly exitCode: number } {
  const comparison = compareWithBaseline(baseline, current, random);
  return {
    result: { ...current, comparison },
    exitCode: comparisonExitCodes[comparison.verdict.kind],
  };
}
