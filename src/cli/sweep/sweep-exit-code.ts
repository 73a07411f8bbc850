import type { SweepResult, SweepVerdict } from '../../sweep/sweep-result.ts';
import { exitCodes } from '../exit-code.ts';

/** What a build server may go on with: a size, or the answer that sizes make no difference. */
const byVerdict: Readonly<Record<SweepVerdict['kind'], 0 | 1>> = {
  found: exitCodes.fine,
  'app-bound': exitCodes.fine,
  'no-difference': exitCodes.fine,
  'not-saturated': exitCodes.findings,
  'host-bound': exitCodes.findings,
  'generator-bound': exitCodes.findings,
  'not-read': exitCodes.findings,
  'one-size': exitCodes.findings,
  'no-answers': exitCodes.findings,
};

/** 0 for a sweep that ran to its end and names a size or tells that sizes make no difference, else 1. */
export function sweepExitCode({
  verdict,
  partial,
}: Pick<SweepResult, 'verdict' | 'partial'>): 0 | 1 {
  return partial === null ? byVerdict[verdict.kind] : exitCodes.findings;
}
