import { expect, test } from 'vitest';
import { judgeK6 } from '../../../src/k6/judge-k6.ts';
import type { K6Result } from '../../../src/k6/k6-result.ts';
import { latencyOf, probeResults } from '../../support/probe-results.ts';

const passed = probeResults.k6.thresholds.map((threshold) => ({ ...threshold, passed: true }));
const good: K6Result = {
  ...probeResults.k6,
  elapsedMs: 20_012,
  requests: 3550,
  throughput: 300,
  latency: latencyOf(21, 3550),
  errors: {},
  dropped: 0,
  thresholds: passed,
};

test.each<readonly [string, Partial<K6Result>, readonly (string | RegExp)[]]>([
  [
    'kept-up',
    {},
    [
      'The application kept up: 3,550 requests were answered, 300 a second, and none failed.',
      'On average 6.3 requests were in flight at once, where a pool of 4 has 4 clients.',
    ],
  ],
  [
    'kept-up',
    { dropped: 3, errors: { 503: 2 }, pool: null },
    [
      'The application kept up: 3,550 requests were answered, 300 a second, and 2 failed.',
      'k6 dropped 3 iterations, too few to count.',
      'On average 6.3 requests were in flight at once.',
    ],
  ],
  [
    'dropped',
    { dropped: 148, allocatedVUs: 1500 },
    [
      /^k6 dropped 148 iterations, 4\.0 % of all, so the load was lower than planned: all 1,500 VUs were waiting for answers\. Use more VUs/,
      /^On average/,
    ],
  ],
  [
    'dropped',
    { dropped: 148, errors: { 500: 10 } },
    [
      /no VU was free in time, although k6 may start up to 1,500/,
      /^10 requests failed/,
      /^On average/,
    ],
  ],
  [
    'failed',
    { errors: { 503: 90, ECONNRESET: 30 }, pools: 12 },
    [
      '120 requests failed, 3.3 % of those sent: 90 × 503, 30 × ECONNRESET.',
      /where 12 pools of 4 have 48 clients\.$/,
    ],
  ],
  [
    'crossed',
    { thresholds: [{ metric: 'http_req_duration', condition: 'p(99)<5', passed: false }] },
    [
      /but a threshold was crossed/,
      'A threshold was crossed, for which k6 exits with 99: http_req_duration (p(99)<5).',
      /^On average/,
    ],
  ],
  [
    'dropped',
    { requests: 3400 },
    [
      '150 planned arrivals never started. k6 does not count them as dropped; its machine was overloaded.',
      /^On average/,
    ],
  ],
  [
    'kept-up',
    { requests: 900, elapsedMs: 6100 },
    ['The run ended after 6.1 of 20.0 s.', /^The application kept up: 900/, /^On average/],
  ],
  ['kept-up', { requests: 1775, segment: '0:1/2' }, [/^The application kept up/, /^On average/]],
  [
    'no-answers',
    { requests: 0, latency: null, errors: { ECONNREFUSED: 900 } },
    [/^Not one of 900 requests succeeded/],
  ],
  [
    'no-answers',
    { requests: 0, latency: null, dropped: 12 },
    ['No request was sent: the run ended before the first response.'],
  ],
])('%s: %j', (kind, change, expected) => {
  const judgement = judgeK6({ ...good, ...change });
  expect(judgement.kind).toBe(kind);
  expect(judgement.sentences).toEqual(
    expected.map((each) =>
      typeof each === 'string' ? each : (expect.stringMatching(each) as string),
    ),
  );
});
