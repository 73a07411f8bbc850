import type { LimitsApplied } from '../result-head.ts';
import type { Estimate } from '../size/statistics.ts';
import type { Recommendation, VerdictKind } from '../size/size-result.ts';

/** What a recommendation rests on besides the curve. */
export interface Grounds {
  readonly limits: LimitsApplied;
  /** `connectionTimeoutMillis`. */
  readonly connectionTimeoutMs: number;
  /** Null when connected directly. */
  readonly pooler: PoolerGrounds | null;
}

export interface PoolerGrounds {
  /** In session mode each client keeps a backend, so that the application's pools decide and not the pooler's. */
  readonly lendsEachTransaction: boolean;
  /** What its own setting allows; null where its console does not say. */
  readonly size: number | null;
  /** What the server has room for. */
  readonly most: number;
}

/**
 * Turns the measured size into the `max` of one pool.
 *
 * A limit of the database is shared by all pools; a limit of the Node process (`client-bound`) is each process's own.
 * Behind a pooler that lends for a transaction the same holds: more clients than that would only stand in its line instead of in the
 * pool's own, where `connectionTimeoutMillis` ends the wait.
 */
export function recommend(
  kind: VerdictKind,
  estimate: Estimate,
  { limits: { pools, limits }, connectionTimeoutMs, pooler }: Grounds,
): Recommendation {
  const share = kind === 'client-bound' || kind === 'not-saturated' ? 1 : pools;
  const measured = Math.ceil(estimate.pick / share);
  const tightest = limits[0];
  const most = Math.max(1, tightest?.perPool ?? Infinity);
  return {
    max: Math.min(measured, most),
    interval: [Math.ceil(estimate.interval[0] / share), Math.ceil(estimate.interval[1] / share)],
    confidence: estimate.confidence,
    limitedBy:
      most < measured && tightest !== undefined
        ? `${tightest.name}: ${tightest.arithmetic}`
        : describeMeasured(kind, estimate.pick, share),
    defaultPoolSize: pooler === null ? null : toDefaultPoolSize(kind, estimate.pick, pooler),
    connectionTimeoutMs,
  };
}

/** Verdicts that say how many backends of the server are worth having. */
const aboutBackends: readonly VerdictKind[] = ['found', 'lock-bound', 'host-bound'];

/**
 * `default_pool_size` is the number of backends for all clients together: the measured size, where the curve went flat before the
 * pooler's own size. Nothing is known where the pooler itself was the limit, or nothing was.
 */
function toDefaultPoolSize(
  kind: VerdictKind,
  pick: number,
  { lendsEachTransaction, size, most }: PoolerGrounds,
): number | null {
  if (!lendsEachTransaction || !aboutBackends.includes(kind)) return null;
  return Math.min(pick, size ?? Infinity, most);
}

function describeMeasured(kind: VerdictKind, pick: number, share: number): string {
  if (kind === 'not-saturated')
    return `the largest size of this run (${pick}); demand decides, not the database`;
  const what =
    kind === 'pooler-bound'
      ? `the pooler's own size, behind which the curve is flat from ${pick} on`
      : `the measured curve, which is flat from ${pick} on`;
  return share === 1 ? what : `${what}: ${pick} for all ${share} pools together`;
}
