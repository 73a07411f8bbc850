import { expect, test } from 'vitest';
import { applyLimits } from '../../../../src/probe/limits/apply-limits.ts';
import { recommend } from '../../../../src/probe/limits/recommend.ts';
import type { VerdictKind } from '../../../../src/probe/result.ts';

const server = { maxConnections: 100, reserved: 3 };
const limitsOf = (workers: number) => applyLimits({ workers, instances: 1, deployOverlap: 0 }, server);

test.each([
  [1, 87],
  [4, 21],
  [100, 1],
])('room of each of %i workers', (workers, room) => {
  expect(limitsOf(workers).limits[0]?.perPool).toBe(room);
});

test.each<[VerdictKind, number, number, number, RegExp]>([
  ['found', 8, 1, 8, /measured curve, which is flat from 8/],
  ['found', 8, 4, 2, /8 for all 4 pools together/],
  ['lock-bound', 1, 4, 1, /1 for all 4 pools together/],
  ['client-bound', 8, 4, 8, /measured curve/],
  ['not-saturated', 32, 1, 32, /largest size of this run \(32\)/],
  ['not-saturated', 32, 4, 21, /server's room: \(max_connections 100 − 3 reserved − 10 for administration\) \/ 4 pools = 21/],
])('%s at %i with %i workers gives max %i', (kind, pick, workers, max, limitedBy) => {
  const estimate = { pick, interval: [pick, pick] as const, confidence: 1, curve: [] };
  const recommendation = recommend(kind, estimate, limitsOf(workers));
  expect(recommendation.max).toBe(max);
  expect(recommendation.limitedBy).toMatch(limitedBy);
});
