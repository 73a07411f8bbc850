import { expect, test } from 'vitest';
import { fitRounds, toLogRounds } from '../../../../src/probe/size/rounds.ts';
import { makeSlices } from '../../../support/synthetic-slices.ts';

const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

test('without gaps a size is its mean', () => {
  const { logs, counts } = fitRounds([
    new Map([
      [1, 1],
      [2, 2],
    ]),
    new Map([
      [1, 3],
      [2, 4],
    ]),
  ]);
  expect(logs).toEqual([expect.closeTo(2), expect.closeTo(3)]);
  expect(counts).toEqual([2, 2]);
});

test('a size that is missing from a slow round is not flattered', () => {
  const slices = makeSlices({ sizes, rounds: 8, throughput: () => 400, noise: 0 });
  const slowest = slices.reduce((least, slice) =>
    slice.throughput < least.throughput ? slice : least,
  ).round;
  const { logs } = fitRounds(
    toLogRounds(slices.filter(({ round, size }) => !(round === slowest && size === 32))),
  );
  expect(logs.at(-1)).toBeCloseTo(logs[0] ?? 0, 2);
});

test('of several slices of one size in one round the last counts', () => {
  const [slice] = makeSlices({ sizes: [1], rounds: 1, throughput: () => 100 });
  if (slice === undefined) throw new Error('no slice');
  expect(
    toLogRounds([
      { ...slice, throughput: 5 },
      { ...slice, throughput: 80 },
    ]),
  ).toEqual([new Map([[1, Math.log(80)]])]);
});

test('the noise is that of a slice within its round', () => {
  const { variance, freedom } = fitRounds(
    toLogRounds(makeSlices({ sizes, rounds: 20, throughput: () => 400, noise: 0.1 })),
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
  const gap = (each: typeof slices) => fitRounds(toLogRounds(each)).logs[3] ?? 0;
  expect(Math.abs(gap(astray) - gap(slices))).toBeLessThan(0.04);
});
