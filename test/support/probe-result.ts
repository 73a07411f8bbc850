import type { ProbeResult } from '../../src/probe/result.ts';

/** A probe that found two clients on a two-core machine. */
export const foundTwo: ProbeResult = {
  schemaVersion: 1,
  verdict: { kind: 'found', because: '2 clients do 980 statements/s, 98 % of the most that any size did (1,000 statements/s with 4).' },
  recommendation: { max: 2, interval: [2, 3], confidence: 0.93, limitedBy: 'the measured curve, which is flat from 2 on' },
  sizes: [
    { size: 1, throughput: 500, low: 480, high: 520, meanMs: 2, acceptedSlices: 5, slices: 5 },
    { size: 2, throughput: 980, low: 940, high: 1010, meanMs: 2.04, acceptedSlices: 5, slices: 6 },
    { size: 4, throughput: 1000, low: 900, high: 1100, meanMs: 4, acceptedSlices: 5, slices: 5 },
  ],
  knee: 2,
  cap: { size: 4, because: 'asked for' },
  statement: 'SELECT 1',
  rounds: 5,
  elapsedMs: 8700,
  notes: ['The statement is a stand-in.'],
  errors: {},
  validation: { max: 2, callers: 8, throughput: 950, averageMs: 8.4, averageWaitMs: 6.3, averageDatabaseMs: 2.1, p50Ms: 8.2, p95Ms: 12, p99Ms: 15.2, peakWaiting: 6 },
  server: { version: '18.4', host: 'localhost', port: 5432, database: 'shop' },
};
