import { judgePooler } from '../pooler/judge-pooler.ts';
import { countBackends, findOwnPool, listBackendLimits } from '../pooler/own-pool.ts';
import type { Stage } from '../stage.ts';
import type { Decision } from '../size/decide.ts';
import type { PoolValidation, SizeResult } from '../size/size-result.ts';
import { toMeanMs } from '../size/statistics.ts';
import {
  applyLimits,
  bindLimits,
  mostBackends,
  type Granted,
  type PoolerInBetween,
} from './apply-limits.ts';
import { toConnectionTimeout } from './connection-timeout.ts';
import { recommend, type PoolerGrounds } from './recommend.ts';

type Concluded = Pick<SizeResult, 'verdict' | 'recommendation' | 'limits'>;
type Ground = Pick<Stage, 'request' | 'reach' | 'seen'>;

/** Holds what was measured against every limit in its way: the pooler's, the server's, and how many pools share them. */
export function recommendSize(
  { request, reach, seen }: Ground,
  decision: Exclude<Decision, { kind: 'continue' }>,
  validation: PoolValidation | null,
): Concluded {
  const pooler = findPooler({ reach, request });
  const granted: Granted = { ...seen.facts, othersNow: countOthers({ reach, request, seen }) };
  const applied = applyLimits(request, granted, pooler);
  if (decision.kind !== 'found')
    return { verdict: decision.verdict, recommendation: null, limits: applied };
  const { estimate } = decision;
  const verdict = judgePooler(decision.verdict, estimate, {
    limit: backendLimit(pooler),
    peakWaiting: peakWaiting({ reach, request }),
    mostClients: estimate.curve.at(-1)?.size ?? 0,
  });
  const at = estimate.curve.find(({ size }) => size === estimate.pick);
  const recommendation = recommend(verdict.kind, estimate, {
    limits: applied,
    connectionTimeoutMs: toConnectionTimeout(validation, at === undefined ? 0 : toMeanMs(at)),
    pooler: reach.pooler === null ? null : toPoolerGrounds(pooler, granted),
  });
  const measured = recommend(verdict.kind, estimate, {
    limits: { ...applied, limits: [] },
    connectionTimeoutMs: 0,
    pooler: null,
  }).max;
  return { verdict, recommendation, limits: bindLimits(applied, measured) };
}

/** Sessions that were open before the probe: all but its own, which behind a pooler are among the backends of the pool. */
function countOthers({ reach, request, seen }: Ground): number {
  const pool = reach.pooler?.before ? findOwnPool(reach.pooler.before, request.target) : null;
  const own =
    (pool === null ? 1 : Math.max(1, countBackends(pool))) + (reach.server === null ? 0 : 1);
  return Math.max(0, seen.facts.used - own);
}

function findPooler({ reach, request }: Pick<Ground, 'reach' | 'request'>): PoolerInBetween | null {
  const report = reach.pooler?.looks.at(-1);
  return report === undefined ? null : { report, pool: findOwnPool(report, request.target) };
}

function backendLimit(pooler: PoolerInBetween | null) {
  return pooler === null ? null : (listBackendLimits(pooler.report, pooler.pool)[0] ?? null);
}

function peakWaiting({ reach, request }: Pick<Ground, 'reach' | 'request'>): number {
  return Math.max(
    0,
    ...(reach.pooler?.looks ?? []).map(
      (look) => findOwnPool(look, request.target)?.clientsWaiting ?? 0,
    ),
  );
}

/** Of a pooler whose console says nothing the mode is not known; most lend for a transaction. */
function toPoolerGrounds(pooler: PoolerInBetween | null, granted: Granted): PoolerGrounds {
  const mode = pooler?.pool?.mode ?? pooler?.report.pooler.limits.mode ?? null;
  return {
    lendsEachTransaction: mode !== 'session',
    size: backendLimit(pooler)?.value ?? null,
    most: mostBackends(granted).size,
  };
}
