import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimesRecorder } from '../../../monitor/watch/times.ts';

test('nothing recorded is null', () => {
  expect(createTimesRecorder().take()).toBeNull();
});

test('count, average and maximum are exact, and taking begins anew', () => {
  const recorder = createTimesRecorder();
  for (const ms of [1, 2, 3, 94]) recorder.record(ms);
  expect(recorder.take()).toMatchObject({ count: 4, averageMs: 25, maxMs: 94 });
  expect(recorder.take()).toBeNull();
});

test('percentiles are right to one per cent, or a microsecond', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
      (values) => {
        const recorder = createTimesRecorder();
        for (const value of values) recorder.record(value);
        const times = recorder.take();
        const sorted = values.toSorted((a, b) => a - b);
        for (const [share, told] of [
          [0.5, times?.p50Ms],
          [0.95, times?.p95Ms],
          [0.99, times?.p99Ms],
        ] as const) {
          const exact = sorted[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;
          expect(Math.abs((told ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * 0.01 + 0.001);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('days fit in', () => {
  const recorder = createTimesRecorder();
  recorder.record(200_000_000);
  expect(recorder.take()).toMatchObject({ count: 1, maxMs: 200_000_000 });
});

test('a cut has everything since the cut before, whatever was taken in between', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.double({ min: 0, max: 600_000, noNaN: true }), { maxLength: 50 }), {
        maxLength: 6,
      }),
      (looks) => {
        const recorder = createTimesRecorder();
        recorder.record(7);
        recorder.take();
        recorder.cut();
        for (const look of looks) {
          for (const ms of look) recorder.record(ms);
          recorder.take();
        }
        const all = looks.flat();
        const told = recorder.cut();
        if (all.length === 0) return void expect(told).toBeNull();
        expect(told?.count).toBe(all.length);
        expect(told?.sumMs).toBeCloseTo(
          all.reduce((sum, ms) => sum + ms, 0),
          3,
        );
        expect(told?.maxMs).toBe(Math.max(...all));
        expect(told?.steps.reduce((sum, [, count]) => sum + count, 0)).toBe(all.length);
        expect(recorder.cut()).toBeNull();
      },
    ),
  );
});
