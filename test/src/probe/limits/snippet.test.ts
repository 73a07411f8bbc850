import { expect, test } from 'vitest';
import { toSnippets } from '../../../../src/probe/limits/snippet.ts';
import type { SizeResult } from '../../../../src/probe/result.ts';
import type { PoolerSummary } from '../../../../src/probe/result-head.ts';
import { hostileTexts } from '../../../support/hostile-text.ts';
import { foundTwo } from '../../../support/probe-result.ts';

const pooler: PoolerSummary = {
  version: '1.18.0',
  mode: 'transaction',
  defaultPoolSize: 20,
  maxClientConnections: 100,
  peakWaitMs: 4,
  peakWaitingClients: 2,
  waitShare: 0.2,
};

function behindPooler(change: Partial<SizeResult>, said: Partial<PoolerSummary> = {}): SizeResult {
  return { ...foundTwo, ...change, server: { ...foundTwo.server, pooler: { ...pooler, ...said } } };
}

const recommended = (change: Partial<NonNullable<SizeResult['recommendation']>>) =>
  ({
    max: 2,
    interval: [2, 3],
    confidence: 0.93,
    limitedBy: 'the measured curve',
    defaultPoolSize: null,
    connectionTimeoutMs: 1000,
    ...change,
  }) as const;

test('for the application', () => {
  expect(toSnippets(foundTwo)).toEqual([
    {
      language: 'js',
      title: 'In the application',
      text: `new Pool({
  // Measured 2026-01-02 by poolguard on shop: 2 to 3 plausible (confidence
  // 93 %). A real pool did 950 statements/s. Limited by the measured
  // throughput: 90 % of its peak takes 2 connections.
  max: 2,
  // Ten times what nearly all requests waited for a client at 70 % of the
  // load, in whole seconds.
  connectionTimeoutMillis: 5000,
  // Clients outlive the pause between two bursts.
  idleTimeoutMillis: 30000,
})`,
    },
  ]);
});

test.each<[string, SizeResult, string | undefined]>([
  [
    'the backends that were worth having, and room for all clients',
    behindPooler({
      recommendation: recommended({ defaultPoolSize: 3 }),
      limits: { pools: 60, limits: [], binding: null },
    }),
    `[pgbouncer]
; Measured 2026-01-02 by poolguard on shop: backends for all clients together; 20 so far.
default_pool_size = 3
; 60 pools of 2, and a quarter to spare.
max_client_conn = 150`,
  ],
  [
    'no number where the pooler was the limit',
    behindPooler(
      { recommendation: recommended({ max: 4 }), verdict: { kind: 'pooler-bound', because: '' } },
      { defaultPoolSize: 4 },
    ),
    `[pgbouncer]
; All 4 were used. More may help: raise the limit and measure again.
; default_pool_size = 4`,
  ],
  [
    'nothing where nothing has to change',
    behindPooler({ recommendation: recommended({}) }),
    undefined,
  ],
])('for the pooler: %s', (_, result, text) => {
  expect(toSnippets(result)[1]?.text).toBe(text);
});

test('nothing without a number', () => {
  expect(toSnippets({ ...foundTwo, recommendation: null })).toEqual([]);
});

test('a hostile name stays in its comment', () => {
  const [snippet] = toSnippets({
    ...foundTwo,
    server: { ...foundTwo.server, database: `a\n}); evil(); //\u2028${hostileTexts.join('')}` },
  });
  const lines = snippet?.text.split(/[\n\r\u2028\u2029]/) ?? [];
  expect(lines.filter((line) => !/^ {2}\/\/ /.test(line))).toEqual([
    'new Pool({',
    '  max: 2,',
    '  connectionTimeoutMillis: 5000,',
    '  idleTimeoutMillis: 30000,',
    '})',
  ]);
  expect(lines[1]).toMatch(/^ {2}\/\/ Measured 2026-01-02 by poolguard on a /);
});
