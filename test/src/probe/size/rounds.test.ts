import { expect, test } from 'vitest';
import { fitRounds } from '../../../../src/probe/size/rounds.ts';
import { calm, makeSlices } from '../../../support/synthetic-slices.ts';

const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

const load = { ...calm, foreignCores: 0, backendCores: 1, waiting: { backends: 0, probe: 0 } };

test('without gaps a size is its mean', () => {
  const throughputs = [
    [1, 2],
    [3, 4],
  ];
  const { logs, counts, corrections } = fitRounds(
    throughputs.flatMap((row, round) =>
      row.map((log, index) => ({ round, size: index + 1, throughput: Math.exp(log), load })),
    ),
  );
  expect(logs).toEqual([expect.closeTo(2), expect.closeTo(3)]);
  expect(counts).toEqual([2, 2]);
  expect(corrections).toEqual([0, 0]);
});

test('a slice beside other programs is corrected, and weighs less', () => {
  const slices = makeSlices({ sizes: [1, 2], rounds: 2, throughput: () => 400, noise: 0, load });
  const disturbed = { ...load, foreignCores: 2, waiting: { backends: 0.5, probe: 0 } };
  const { logs, counts, corrections } = fitRounds(
    slices.map((slice) =>
      slice.size === 1 ? { ...slice, throughput: slice.throughput / 2, load: disturbed } : slice,
    ),
  );
  expect((logs[0] ?? 0) - (logs[1] ?? 0)).toBeCloseTo(0, 5);
  expect(counts[0]).toBeLessThan((counts[1] ?? 0) / 2);
  expect((corrections[0] ?? 0) - (corrections[1] ?? 0)).toBeCloseTo(Math.log(2), 5);
});

test('a size that is missing from a slow round is not flattered', () => {
  const slices = makeSlices({ sizes, rounds: 8, throughput: () => 400, noise: 0 });
  const slowest = slices.reduce((least, slice) =>
    slice.throughput < least.throughput ? slice : least,
  ).round;
  const { logs } = fitRounds(
    slices.filter(({ round, size }) => !(round === slowest && size === 32)),
  );
  expect(logs.at(-1)).toBeCloseTo(logs[0] ?? 0, 2);
});

test('the noise is that of a slice within its round', () => {
  const { variance, freedom } = fitRounds(
    makeSlices({ sizes, rounds: 20, throughput: () => 400, noise: 0.1 }),
  );
  expect(Math.sqrt(variance)).toBeGreaterThan(0.085);
  expect(Math.sqrt(variance)).toBeLessThan(0.115);
  expect(freedom).toBe(200 - 10 - 20 + 2);
});

test('one slice that went astray moves its size by little', () => {
  const slices = makeSlices({ sizes, rounds: 5, throughput: () => 400, noise: 0.01 });
  const astray = slices.map((slice, index) =>
    index === 13 ? { ...slice, throughput: slice.throughput / 3 } : slice,
  );
  const gap = (each: typeof slices) => fitRounds(each).logs[3] ?? 0;
  expect(Math.abs(gap(astray) - gap(slices))).toBeLessThan(0.04);
});
