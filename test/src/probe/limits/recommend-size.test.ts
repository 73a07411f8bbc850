import { expect, test } from 'vitest';
import type { PoolerReport } from '../../../../src/pooler/pooler-report.ts';
import { applyLimits } from '../../../../src/probe/limits/apply-limits.ts';
import {
  judgePooler,
  type PoolerGrounds,
  recommend,
  recommendSize,
  toConnectionTimeout,
} from '../../../../src/probe/limits/recommend-size.ts';
import type { PoolerWatch } from '../../../../src/probe/pooler/pooler-watch.ts';
import { createRandom } from '../../../../src/probe/random.ts';
import { sizeDefaults } from '../../../../src/probe/request.ts';
import type { VerdictKind } from '../../../../src/probe/result.ts';
import { decide } from '../../../../src/probe/size/decide.ts';
import type { ExperimentContext } from '../../../../src/probe/experiment-context.ts';
import { aPooler } from '../../../support/a-pooler.ts';
import { accessTo } from '../../../support/access-to.ts';
import { aLoad } from '../../../support/probe-result.ts';
import { makeSlices } from '../../../support/synthetic-slices.ts';

const sizes = [1, 2, 4, 8];
const pooled = (waiting: number) =>
  aPooler([{ sv_active: '4', cl_waiting: String(waiting) }], {
    default_pool_size: '4',
    max_client_conn: '100',
  });

function stageOf(
  looks: readonly PoolerReport[],
): Pick<ExperimentContext, 'request' | 'reach' | 'seen'> {
  const watch: PoolerWatch | null =
    looks.length === 0
      ? null
      : { before: looks[0] ?? null, problem: null, looks, close: () => Promise.resolve() };
  const facts = {
    maxConnections: 100,
    reserved: 3,
    used: 5,
    roleLimit: null,
    roleFree: null,
    databaseLimit: null,
    databaseFree: null,
  } as unknown as ExperimentContext['seen']['facts'];
  return {
    request: {
      ...sizeDefaults,
      ...accessTo('postgres://app@localhost:6432/shop'),
      workload: { kind: 'stand-in' },
    },
    reach: { kind: 'reach', pooler: watch, server: null, close: () => Promise.resolve() },
    seen: { kind: 'clear', facts, cap: { size: 8, because: 'as requested' }, free: 92, notes: [] },
  };
}

/** What a probe says of a statement that only waits, on a server that can do so many of them at once. */
function conclude(places: number, looks: readonly PoolerReport[]) {
  const slices = makeSlices({
    sizes,
    rounds: 5,
    throughput: (size) => 100 * Math.min(size, places),
  });
  const decision = decide(
    { sizes, current: sizes, slices, samples: [], seconds: 15, isLong: true, isBudgetSpent: true },
    createRandom(5),
  );
  if (decision.kind === 'continue') throw new Error(decision.because);
  return recommendSize(stageOf(looks), decision, null);
}

test.each<readonly [string, number, readonly PoolerReport[], VerdictKind, number, number | null]>([
  [
    'four backends in front of a server that could do more',
    4,
    [pooled(0), pooled(3)],
    'pooler-bound',
    4,
    null,
  ],
  [
    'the same, when no look fell into a moment with a line',
    4,
    [pooled(0), pooled(0)],
    'pooler-bound',
    4,
    null,
  ],
  [
    'four backends in front of a server that does no more than two at once',
    2,
    [pooled(0), pooled(3)],
    'found',
    2,
    2,
  ],
  ['no pooler, and a server without an end', 8, [], 'not-saturated', 8, null],
])('%s', (_, places, looks, kind, max, defaultPoolSize) => {
  expect(conclude(places, looks)).toMatchObject({
    verdict: { kind },
    recommendation: { max, defaultPoolSize },
  });
});

test('what the pooler kept from larger pools is said, with the setting, and how many clients it takes is a limit', () => {
  expect(conclude(4, [pooled(0), pooled(3)])).toMatchObject({
    verdict: {
      because: expect.stringMatching(
        /all 4 backends .* \(default_pool_size 4\), and 3 clients waited/,
      ) as string,
    },
    limits: { limits: [{ kind: 'pooler-clients', perPool: 100 }] },
  });
});

const waiting = (p95Ms: number | null, maxMs = 0) => ({
  max: 2,
  closed: null,
  open: {
    rate: 100,
    load: { ...aLoad, wait: { count: 300, averageMs: 1, p50Ms: 1, p95Ms, p99Ms: null, maxMs } },
  },
});

test.each([
  ['a second at least', waiting(3), 2, 1000],
  ['ten times the wait of nearly all, in whole seconds', waiting(210), 2, 3000],
  ['ten seconds at most', waiting(4000), 2, 10_000],
  ['the longest wait of few', waiting(null, 150), 2, 2000],
  ['the mean of a statement, where nothing else is known', null, 170, 2000],
])('%s', (_, validation, meanMs, timeoutMs) => {
  expect(toConnectionTimeout(validation, meanMs)).toBe(timeoutMs);
});

const server = {
  maxConnections: 100,
  reserved: 3,
  othersNow: 0,
  roleLimit: null,
  databaseLimit: null,
};
const groundsOf = (workers: number, pooler: PoolerGrounds | null = null) => ({
  limits: applyLimits({ workers, instances: 1, deployOverlap: 0 }, server),
  connectionTimeoutMs: 2000,
  pooler,
});
const at = (pick: number) => ({ pick, interval: [pick, pick] as const, confidence: 1, curve: [] });

test.each<[VerdictKind, number, number, number, RegExp]>([
  ['found', 8, 1, 8, /measured throughput: 90 % of its peak takes 8 connections/],
  ['found', 8, 4, 2, /8 for all 4 pools together/],
  ['lock-bound', 1, 4, 1, /1 for all 4 pools together/],
  ['client-bound', 8, 4, 8, /measured throughput/],
  [
    'pooler-bound',
    8,
    2,
    4,
    /^the pooler's own size: 90 % of peak throughput takes 8 connections: 8 for all 2 pools together$/,
  ],
  ['not-saturated', 32, 1, 32, /largest size of this run \(32\)/],
  [
    'not-saturated',
    32,
    4,
    21,
    /^max_connections: \(max_connections 100 − 3 reserved − 10 for administration\) \/ 4 pools = 21$/,
  ],
])('%s at %i with %i workers gives max %i', (kind, pick, workers, max, limitedBy) => {
  const recommendation = recommend(kind, at(pick), groundsOf(workers));
  expect(recommendation).toMatchObject({ max, defaultPoolSize: null, connectionTimeoutMs: 2000 });
  expect(recommendation.limitedBy).toMatch(limitedBy);
});

const acquiring: PoolerGrounds = { lendsEachTransaction: true, size: 20, most: 87 };

test.each<[string, VerdictKind, number, PoolerGrounds, number | null]>([
  ['as many backends as were worth having', 'found', 3, acquiring, 3],
  ['one for a lock', 'lock-bound', 1, acquiring, 1],
  ['never more than it has', 'found', 24, acquiring, 20],
  ['never more than the server has room for', 'found', 12, { ...acquiring, most: 7 }, 7],
  ['what was measured, where its own is not known', 'found', 12, { ...acquiring, size: null }, 12],
  ['nothing where it was the limit itself', 'pooler-bound', 20, acquiring, null],
  ['nothing where nobody was', 'not-saturated', 32, acquiring, null],
  ['nothing where one process was', 'client-bound', 4, acquiring, null],
  ['nothing in session mode', 'found', 3, { ...acquiring, lendsEachTransaction: false }, null],
])('default_pool_size: %s', (_, kind, pick, pooler, size) => {
  expect(recommend(kind, at(pick), groundsOf(1, pooler)).defaultPoolSize).toBe(size);
});

const limit = { name: 'default_pool_size', value: 4 } as const;

test.each<[string, VerdictKind, number, Parameters<typeof judgePooler>[2], VerdictKind]>([
  [
    'all backends were worth having',
    'found',
    4,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'clients fill the gaps of the round trip',
    'found',
    6,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'as many clients as the run could try',
    'not-saturated',
    8,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'a starved client beyond them',
    'client-bound',
    4,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  ['flat while backends were free', 'found', 3, { limit, peakWaiting: 5, mostClients: 8 }, 'found'],
  [
    'a line that no look happened to see',
    'found',
    4,
    { limit, peakWaiting: 0, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'as many clients as backends, one of which waited',
    'not-saturated',
    4,
    { limit, peakWaiting: 1, mostClients: 4 },
    'pooler-bound',
  ],
  ['nobody waited', 'not-saturated', 4, { limit, peakWaiting: 0, mostClients: 4 }, 'not-saturated'],
  ['its size is not known', 'found', 4, { limit: null, peakWaiting: 0, mostClients: 8 }, 'found'],
  [
    'a lock on the server',
    'lock-bound',
    4,
    { limit, peakWaiting: 3, mostClients: 8 },
    'lock-bound',
  ],
])('%s', (_, kind, pick, evidence, judged) => {
  expect(judgePooler({ kind, because: 'As measured.' }, { pick }, evidence).kind).toBe(judged);
});

test.each([
  [1, '1 client waited for one at the worst moment'],
  [0, 'of 8 clients the others had to wait'],
])(
  'the sentence names the setting and what to do, with %i seen in line',
  (peakWaiting, waiting) => {
    expect(
      judgePooler(
        { kind: 'found', because: '' },
        { pick: 4 },
        { limit, peakWaiting, mostClients: 8 },
      ).because,
    ).toBe(
      `Throughput rose until all 4 backends that the pooler keeps for this database and user were used (default_pool_size 4), and ${waiting}: the pooler is the limit, and what the server could do is not known. Raise default_pool_size and probe again, or probe the server directly.`,
    );
  },
);
