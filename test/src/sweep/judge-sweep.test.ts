import { expect, test } from 'vitest';
import { judgeSweep } from '../../../src/sweep/judge-sweep.ts';
import type { SweepRow } from '../../../src/sweep/sweep-result.ts';
import { latencyOf, probeResults } from '../../support/probe-results.ts';

const facts = { users: 150, thinkMs: 100, cores: 2, variable: 'POOL_MAX', held: null };

/** Rows of max 10, 20 and 40 with so many requests and so long a queue. */
function rowsOf(
  requests: readonly number[],
  waiting: readonly number[],
  change: (max: number) => Partial<SweepRow> = () => ({}),
): readonly SweepRow[] {
  return probeResults.sweep.rows.map((row, index) => ({
    ...row,
    requests: requests[index] ?? 0,
    peakWaiting: waiting[index] ?? 0,
    ...change(row.max),
  }));
}

test.each<readonly [kind: string, pick: number | null, rows: readonly SweepRow[], words: RegExp]>([
  [
    'not-saturated',
    null,
    rowsOf([3000, 4400, 5400], [96, 58, 12], () => ({ holdMs: 60 })),
    /up to 12 callers still wait .* client\. .*Longest queue: 96 with 10, 58 with 20, 12 with 40\./,
  ],
  [
    'found',
    20,
    rowsOf([3000, 5300, 5400], [96, 3, 0]),
    /^A pool of 20 serves 5,300 requests, 98 % of peak throughput \(5,400 with 40\)\. Up to 3 callers wait/,
  ],
  [
    'found',
    40,
    rowsOf([3000, 4400, 5400], [96, 58, 0]),
    /^A pool of 40 serves 5,400 requests, the most of all sizes tested\. No caller waits/,
  ],
  [
    'app-bound',
    10,
    rowsOf([5000, 5100, 5000], [96, 58, 12], () => ({ busiestCores: 0.97 })),
    /busiest process used 0\.97 of a core with a pool of 20.* More connections do not help: a pool of 10 serves 5,000 requests, 98 % of peak throughput/,
  ],
  [
    'host-bound',
    null,
    rowsOf([5000, 5100, 5000], [96, 58, 12], () => ({ idleCores: 0.04, appCores: 0.8 })),
    /^Of its 2 cores 0\.0 were idle .*\(the application used 0\.8; the rest/,
  ],
  [
    'generator-bound',
    null,
    rowsOf([5000, 5100, 5000], [0, 0, 0], () => ({
      generator: { busy: 0.96, lagP99Ms: 40, dropped: 0 },
    })),
    /busy for 96 % of the time/,
  ],
  [
    'not-read',
    null,
    rowsOf([5000, 5100, 5000], [96, 96, 96], () => ({ seenMax: 10, peakTotal: 10 })),
    /was started with POOL_MAX = 10, 20, 40, but its pool kept max 10 and opened at most 10 connections: it does not read POOL_MAX/,
  ],
  [
    'no-answers',
    null,
    rowsOf([0, 0, 0], [0, 0, 0], () => ({ errors: { 500: 7 } })),
    /^No request was answered correctly \(21 × 500\)\.$/,
  ],
  ['one-size', null, rowsOf([5000], [3]).slice(0, 1), /^Only a pool of 10 was tested/],
])('%s', (kind, pick, rows, words) => {
  const judged = judgeSweep(rows, facts);
  expect([judged.verdict.kind, judged.pick]).toEqual([kind, pick]);
  expect(judged.verdict.because).toMatch(words);
});

test('a pool whose size nobody saw is judged by its answers', () => {
  expect(
    judgeSweep(
      rowsOf([3000, 5300, 5400], [0, 0, 0], () => ({ seenMax: null, peakWaiting: null })),
      facts,
    ),
  ).toMatchObject({ verdict: { kind: 'found' }, pick: 20 });
});

test.each<readonly [what: string, kind: string, change: Partial<SweepRow>]>([
  [
    'a wait that is no worthwhile share of the latency',
    'found',
    { waitMs: 0.8, waitP95Ms: 15, latency: latencyOf(23, 900), holdMs: 60 },
  ],
  [
    'a wait though fewer clients are needed than there are',
    'found',
    { waitMs: 6, latency: latencyOf(23, 900), holdMs: 14 },
  ],
  [
    'a wait that is most of the latency',
    'not-saturated',
    { waitMs: 60, latency: latencyOf(80, 900), holdMs: 14 },
  ],
])('%s is %s', (_what, kind, change) => {
  const { verdict } = judgeSweep(
    rowsOf([3000, 4400, 5400], [96, 58, 12], () => change),
    facts,
  );
  expect(verdict.kind).toBe(kind);
  expect(verdict.because).not.toContain('keep about');
});

test('clients that are lost are told of, as the reason why nobody is answered', () => {
  const { verdict } = judgeSweep(
    rowsOf([0, 0, 0], [9, 9, 9], () => ({ errors: { unanswered: 7 } })),
    { ...facts, held: 'All 5 clients of the pool were out for long.' },
  );
  expect(verdict.because).toBe(
    'No request was answered correctly (21 × unanswered). All 5 clients of the pool were out for long.',
  );
});

/** Two passes of each size that differ by so much of the better one. */
function noisyRows(requests: readonly number[], spread: number): readonly SweepRow[] {
  return rowsOf(requests, [0, 0, 0]).map((row) => ({
    ...row,
    passes: [row.requests * (2 / (2 - spread)), row.requests * ((2 - 2 * spread) / (2 - spread))],
  }));
}

test('a gain of 5 % is not called found where passes of the same size differ by 11 %', () => {
  const { verdict, pick } = judgeSweep(noisyRows([5000, 5100, 5250], 0.11), facts);
  expect([verdict.kind, pick]).toEqual(['no-difference', null]);
  expect(verdict.because).toMatch(
    /^A pool of 10 serves 5,000 requests; 5,250 requests with 40 are 5 % more\. Passes of the same size differ by up to 11 %.* A pool of 10, the smallest size tested, is probably enough\. .*--passes/,
  );
});

test.each<readonly [what: string, kind: string, pick: number | null, rows: readonly SweepRow[]]>([
  ['passes that agree', 'found', 10, noisyRows([5000, 5100, 5250], 0.05)],
  [
    'a neighbour that is worse by more than the passes differ',
    'found',
    20,
    noisyRows([3000, 5300, 5400], 0.3),
  ],
  ['a neighbour that is worse by less', 'no-difference', null, noisyRows([3000, 4400, 5400], 0.2)],
])('%s: %s', (_what, kind, pick, rows) => {
  expect(judgeSweep(rows, facts)).toMatchObject({ verdict: { kind }, pick });
});

test.each([
  ['not-saturated', 0.1],
  ['no-difference', 0.25],
])(
  'a queue and a rise of 19 %% with the last size is %s where passes differ by %f',
  (kind, spread) => {
    const rows = noisyRows([3000, 4400, 5400], spread).map((row) => ({
      ...row,
      peakWaiting: 40,
      holdMs: 60,
    }));
    expect(judgeSweep(rows, facts).verdict.kind).toBe(kind);
  },
);
