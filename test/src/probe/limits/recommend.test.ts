import { expect, test } from 'vitest';
import { applyLimits } from '../../../../src/probe/limits/apply-limits.ts';
import { recommend, type PoolerGrounds } from '../../../../src/probe/limits/recommend.ts';
import type { VerdictKind } from '../../../../src/probe/result.ts';

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
  ['found', 8, 1, 8, /measured curve, which is flat from 8/],
  ['found', 8, 4, 2, /8 for all 4 pools together/],
  ['lock-bound', 1, 4, 1, /1 for all 4 pools together/],
  ['client-bound', 8, 4, 8, /measured curve/],
  [
    'pooler-bound',
    8,
    2,
    4,
    /^the pooler's own size, behind which the curve is flat from 8 on: 8 for all 2 pools together$/,
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

const lending: PoolerGrounds = { lendsEachTransaction: true, size: 20, most: 87 };

test.each<[string, VerdictKind, number, PoolerGrounds, number | null]>([
  ['as many backends as were worth having', 'found', 3, lending, 3],
  ['one for a lock', 'lock-bound', 1, lending, 1],
  ['never more than it has', 'found', 24, lending, 20],
  ['never more than the server has room for', 'found', 12, { ...lending, most: 7 }, 7],
  ['what was measured, where its own is not known', 'found', 12, { ...lending, size: null }, 12],
  ['nothing where it was the limit itself', 'pooler-bound', 20, lending, null],
  ['nothing where nobody was', 'not-saturated', 32, lending, null],
  ['nothing where one process was', 'client-bound', 4, lending, null],
  ['nothing in session mode', 'found', 3, { ...lending, lendsEachTransaction: false }, null],
])('default_pool_size: %s', (_, kind, pick, pooler, size) => {
  expect(recommend(kind, at(pick), groundsOf(1, pooler)).defaultPoolSize).toBe(size);
});
