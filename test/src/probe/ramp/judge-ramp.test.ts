import { expect, test } from 'vitest';
import type { PoolLoad } from '../../../../src/probe/load/pool-load.ts';
import { judgeRamp } from '../../../../src/probe/ramp/judge-ramp.ts';
import type { RampCell } from '../../../../src/probe/ramp/ramp-result.ts';
import { aLoad } from '../../../support/probe-result.ts';

const rates = [100, 300, 500, 800, 1000];

/** A minute of arrivals, as the field report has it: p99 and the share that was refused. */
function cellsOf(
  max: number,
  p99: readonly number[],
  lost: readonly number[],
  change: Partial<PoolLoad> = {},
): readonly RampCell[] {
  return rates.map((rate, index) => {
    const refused = Math.round(rate * 60 * (lost[index] ?? 0));
    const requests = rate * 60 - refused;
    const latency = {
      count: requests,
      averageMs: 20,
      p50Ms: 15,
      p95Ms: 30,
      p99Ms: p99[index] ?? 0,
      maxMs: 6000,
    };
    const wait = { ...latency, averageMs: 15 };
    return {
      max,
      rate,
      load: {
        ...aLoad,
        seconds: 60,
        requests,
        latency,
        wait,
        errors: refused === 0 ? {} : { 'wait-timeout': refused },
        ...change,
      },
    };
  });
}

const hundred = cellsOf(100, [42, 55, 280, 2800, 5000], [0, 0, 0.001, 0.042, 0.128]);
const twoHundred = cellsOf(200, [38, 45, 52, 85, 180], [0, 0, 0, 0, 0.0002]);

test('the field report: a pool of 100 bends at 500/s, one of 200 does not', () => {
  const { inflections, verdict } = judgeRamp([...hundred, ...twoHundred], 60_000);
  expect(inflections).toEqual([
    { max: 100, rate: 500, because: 'p99 is 280 ms, 7 times that at 100/s' },
    { max: 200, rate: null, because: 'at 1000/s p99 is 180 ms and nothing is lost that matters' },
  ]);
  expect(verdict.kind).toBe('keeps-up');
});

test('losses are named by cause', () => {
  const [late] = judgeRamp(hundred.slice(3), 60_000).inflections;
  expect(late).toEqual({
    max: 100,
    rate: 800,
    because: '4.2 % of the arrivals were lost (2016 × wait-timeout)',
  });
});

test('a line that outlasts the arrivals is falling behind, and a long tail of the database itself is not', () => {
  const behind = judgeRamp(cellsOf(4, [40, 40, 40, 40, 40], [], { seconds: 75 }), 60_000);
  expect(behind.inflections).toEqual([
    { max: 4, rate: 100, because: 'its line took 15,000 ms to go away after the last arrival' },
  ]);
  expect(behind.verdict.kind).toBe('falls-behind');
  const slowServer = hundred.slice(0, 2).concat(
    cellsOf(100, [0, 0, 280], [], {
      wait: { count: 9, averageMs: 1, p50Ms: 0, p95Ms: null, p99Ms: null, maxMs: 9 },
    }).slice(2, 3),
  );
  expect(judgeRamp(slowServer, 60_000).inflections[0]?.rate).toBeNull();
});

test('the smaller of two that keep up is enough', () => {
  expect(
    judgeRamp([...twoHundred, ...twoHundred.map((cell) => ({ ...cell, max: 400 }))], 60_000).verdict
      .because,
  ).toMatch(/200 is enough: a larger pool is not needed/);
});

test('no answer is no verdict on sizes', () => {
  expect(judgeRamp(cellsOf(1, [], [], { requests: 0 }), 60_000).verdict.kind).toBe('no-answers');
});
