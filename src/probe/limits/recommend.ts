import type { LimitsApplied } from '../result-head.ts';
import type { Estimate } from '../size/statistics.ts';
import type { Recommendation, VerdictKind } from '../size/size-result.ts';

/**
 * Turns the measured size into the `max` of one pool.
 *
 * A limit of the database is shared by all pools; a limit of the Node process (`client-bound`) is each process's own.
 */
export function recommend(kind: VerdictKind, estimate: Estimate, { pools, limits }: LimitsApplied): Recommendation {
  const share = kind === 'client-bound' || kind === 'not-saturated' ? 1 : pools;
  const measured = Math.ceil(estimate.pick / share);
  const tightest = limits[0];
  const most = Math.max(1, tightest?.perPool ?? Infinity);
  return {
    max: Math.min(measured, most),
    interval: [Math.ceil(estimate.interval[0] / share), Math.ceil(estimate.interval[1] / share)],
    confidence: estimate.confidence,
    limitedBy: most < measured && tightest !== undefined ? `the server's room: ${tightest.arithmetic}` : describeMeasured(kind, estimate.pick, share),
    defaultPoolSize: null,
    connectionTimeoutMs: 5000,
  };
}

function describeMeasured(kind: VerdictKind, pick: number, share: number): string {
  if (kind === 'not-saturated') return `the largest size of this run (${pick}); demand decides, not the database`;
  return share === 1 ? `the measured curve, which is flat from ${pick} on` : `the measured curve, which is flat from ${pick} on: ${pick} for all ${share} pools together`;
}
