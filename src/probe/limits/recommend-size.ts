import {
  type BackendLimit,
  countBackends,
  findOwnPool,
  listBackendLimits,
} from '../pooler/own-pool.ts';
import type { LimitsApplied } from '../result-head.ts';
import type { Decision } from '../size/decide.ts';
import type {
  PoolValidation,
  Recommendation,
  SizeResult,
  VerdictKind,
} from '../size/size-result.ts';
import { type Estimate, toMeanMs } from '../size/statistics.ts';
import type { ExperimentContext } from '../experiment-context.ts';
import {
  applyLimits,
  bindLimits,
  type Granted,
  mostBackends,
  type PoolerInBetween,
} from './apply-limits.ts';
import type { ProcessTable } from './process-table.ts';
import { isOfEachProcess, shareProcesses } from './share-processes.ts';

type Concluded = Pick<SizeResult, 'verdict' | 'recommendation' | 'limits'> & {
  readonly processes: ProcessTable | null;
};
type Ground = Pick<ExperimentContext, 'request' | 'reach' | 'seen'>;

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
    return { verdict: decision.verdict, recommendation: null, limits: applied, processes: null };
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
  const { pools } = applied;
  const measured = Math.ceil(estimate.pick / sharersOf(verdict.kind, pools));
  const processes = shareProcesses({
    kind: verdict.kind,
    pick: estimate.pick,
    asked: pools,
    granted,
  });
  return { verdict, recommendation, limits: bindLimits(applied, measured), processes };
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

const shortestMs = 1_000;
const longestMs = 10_000;
const times = 10;

/**
 * What to write as `connectionTimeoutMillis`: ten times what nearly all requests waited for a client when the pool ran at 70 % of its
 * throughput (95th percentile; with few samples the longest wait), in whole seconds from one to ten.
 *
 * A request that waits so much longer than in ordinary times stands in a queue that only grows, and is better told so than kept.
 * One second at least, since a new connection with TLS and a password may take some hundred milliseconds on a busy server.
 * Without such a run ten times the mean of a statement stands in.
 */
export function toConnectionTimeout(validation: PoolValidation | null, meanMs: number): number {
  const wait = validation?.open?.load.wait ?? null;
  const usualMs = wait === null ? meanMs : (wait.p95Ms ?? wait.maxMs);
  return Math.min(longestMs, Math.max(shortestMs, Math.ceil((times * usualMs) / 1_000) * 1_000));
}

/** What a recommendation rests on besides the curve. */
interface Grounds {
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
  const share = sharersOf(kind, pools);
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

/** How many pools share what was measured. */
function sharersOf(kind: VerdictKind, pools: number): number {
  return isOfEachProcess(kind) ? 1 : pools;
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
      ? `the pooler's own size: 90 % of peak throughput takes ${connections(pick)}`
      : `the measured throughput: 90 % of its peak takes ${connections(pick)}`;
  return share === 1 ? what : `${what}: ${pick} for all ${share} pools together`;
}

function connections(count: number): string {
  return count === 1 ? '1 connection' : `${count} connections`;
}

/** What is known of the pooler when the measuring is over. */
interface PoolerEvidence {
  /** What bounds its backends, the tightest; null where its console does not say. */
  readonly limit: BackendLimit | null;
  /** Clients that waited for a backend at the worst moment. */
  readonly peakWaiting: number;
  /** Clients that worked at once, at the most. */
  readonly mostClients: number;
}

/** Verdicts about what kept larger pools from doing more; a lock is seen on the server itself and stands. */
const mayBeThePooler: readonly VerdictKind[] = [
  'found',
  'not-saturated',
  'client-bound',
  'host-bound',
];
/** A size counts as all backends of the pool when it is this near: in a closed loop every client loses a round trip. */
const nearly = 0.9;

/**
 * Whether the curve went flat because the pooler had no further backend to lend, rather than because of the server.
 *
 * Beyond `default_pool_size` clients always wait, whatever the server could do, so waiting alone proves nothing. If the smallest good
 * size is (nearly) all the backends or more, each of them was worth having, and nobody knows what one more would have brought: the
 * pooler is the limit. If it is smaller, the curve went flat while backends were free, and that is the server's own answer.
 * With more clients than backends somebody waited, whether a sample fell into that moment or not.
 */
export function judgePooler(
  verdict: SizeResult['verdict'],
  { pick }: Pick<Estimate, 'pick'>,
  { limit, peakWaiting, mostClients }: PoolerEvidence,
): SizeResult['verdict'] {
  if (
    limit === null ||
    (peakWaiting === 0 && mostClients <= limit.value) ||
    pick < nearly * limit.value ||
    !mayBeThePooler.includes(verdict.kind)
  )
    return verdict;
  const { name, value } = limit;
  const backends = value === 1 ? 'its one backend' : `all ${value} backends`;
  const seen = `${peakWaiting} client${peakWaiting === 1 ? '' : 's'} waited for one at the worst moment`;
  const waiting = peakWaiting === 0 ? `of ${mostClients} clients the others had to wait` : seen;
  return {
    kind: 'pooler-bound',
    because: `Throughput rose until ${backends} that the pooler keeps for this database and user were used (${name} ${value}), and ${waiting}: the pooler is the limit, and what the server could do is not known. Raise ${name} and probe again, or probe the server directly.`,
  };
}
