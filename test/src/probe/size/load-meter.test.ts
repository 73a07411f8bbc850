import { expect, test } from 'vitest';
import {
  compareReadings,
  createLoadMeter,
  measureOthers,
  type LoadReading,
} from '../../../../src/probe/size/load-meter.ts';
import { systemClock } from '../../../../src/probe/clock.ts';

const before: LoadReading = {
  atMs: 1000,
  ownMs: 10,
  busyMs: 500,
  idleMs: 100,
  stolenMs: 0,
  backendsMs: 50,
  waitingMs: { backends: 40, probe: 5 },
  eventLoops: [{ active: 0, idle: 0, utilization: 0 }],
};

test('two readings tell cores, and how many tasks waited for one', () => {
  const after = {
    ...before,
    atMs: 1200,
    ownMs: 50,
    busyMs: 880,
    idleMs: 120,
    stolenMs: 20,
    backendsMs: 250,
    waitingMs: { backends: 640, probe: 25 },
  };
  expect(compareReadings(before, after)).toMatchObject({
    ownCores: 0.2,
    backendCores: 1,
    foreignCores: expect.closeTo(0.7) as number,
    idleCores: 0.1,
    stolenCores: 0.1,
    waiting: { backends: 3, probe: 0.1 },
  });
});

test('what nobody tells is null', () => {
  const blind = { ...before, stolenMs: null, backendsMs: null, waitingMs: null };
  expect(compareReadings(blind, { ...blind, atMs: 1200 })).toMatchObject({
    foreignCores: null,
    backendCores: null,
    stolenCores: null,
    waiting: null,
  });
});

test('a process that is no PostgreSQL is not taken for a backend', () => {
  const meter = createLoadMeter({ pids: [process.pid], pooler: null, isServerLocal: true });
  const { backendsMs, waitingMs, busyMs } = meter.read();
  meter.stop();
  expect([meter.seesBackends, backendsMs, waitingMs]).toEqual([false, null, null]);
  expect(busyMs).toBeGreaterThan(0);
});

test('what others use is a share of the processors', async () => {
  const share = await measureOthers(systemClock, new AbortController().signal);
  expect(share).toBeGreaterThanOrEqual(0);
  expect(share).toBeLessThanOrEqual(1);
});
