import { expect, test } from 'vitest';
import { planProbe, planRamp, planUsers } from '../../../src/k6/plan-k6.ts';
import { requestOf } from '../../support/k6-plans.ts';
import { probeResults } from '../../support/probe-results.ts';

const frame = {
  request: requestOf(),
  sharing: { workers: 1, instances: 1, deployOverlap: 0 },
  madeBy: '0.1.0',
};

test('a ramp has the rates and the time of the probe, once for each size', () => {
  // 30 s less half a second for each of 2 pools, for 6 cells.
  expect(
    planRamp(frame, { rates: [300, 100, 500, 100], sizes: [10, 20], seconds: 30 }),
  ).toMatchObject({
    origin: 'probe ramp',
    sizes: [10, 20],
    load: { kind: 'arrivals', stages: [100, 300, 500].map((rate) => ({ seconds: 29 / 6, rate })) },
  });
});

test('a probe takes its rates from what was measured, from what is named, else the usual ones', () => {
  const { size } = probeResults;
  const throughput = size.sizes.find((each) => each.size === size.goodSize)?.throughput ?? NaN;
  const measured = planProbe(frame, { seconds: 20, rates: null, earlier: size });
  expect(measured).toMatchObject({
    sizes: [3],
    load: {
      kind: 'arrivals',
      stages: [0.5, 0.8, 1, 1.2].map((step) => ({
        seconds: 5,
        rate: Math.round(throughput * step),
      })),
    },
  });
  expect(measured.source).toContain(
    `${Math.round(throughput)} statements a second that 6 clients reached`,
  );
  expect(planProbe(frame, { seconds: 10, rates: [7, 9], earlier: size })).toMatchObject({
    sizes: [3],
    source: null,
    load: {
      kind: 'arrivals',
      stages: [
        { seconds: 5, rate: 7 },
        { seconds: 5, rate: 9 },
      ],
    },
  });
  expect(planProbe(frame, { seconds: 15, rates: null, earlier: null })).toMatchObject({
    sizes: [],
    load: { kind: 'arrivals', stages: [100, 300, 500].map((rate) => ({ seconds: 5, rate })) },
  });
});

test('users come as they are, and stages without one are none', () => {
  const stages = [{ seconds: 10, users: 150 }];
  expect(
    planUsers(frame, { origin: 'sweep', stages, thinkMs: 50, sizes: [10, 40, 10] }),
  ).toMatchObject({
    origin: 'sweep',
    sizes: [10, 40],
    load: { kind: 'users', stages, thinkMs: 50 },
  });
  expect(
    planUsers(frame, {
      origin: 'sweep',
      stages: [{ seconds: 10, users: 0 }],
      thinkMs: 50,
      sizes: [10],
    }),
  ).toBeNull();
});
