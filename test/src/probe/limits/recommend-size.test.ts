import { expect, test } from 'vitest';
import type { PoolerReport } from '../../../../src/pooler/pooler-report.ts';
import { recommendSize } from '../../../../src/probe/limits/recommend-size.ts';
import type { PoolerWatch } from '../../../../src/probe/pooler/pooler-watch.ts';
import { createRandom } from '../../../../src/probe/random.ts';
import { sizeDefaults } from '../../../../src/probe/request.ts';
import type { VerdictKind } from '../../../../src/probe/result.ts';
import { decide } from '../../../../src/probe/size/decide.ts';
import type { Stage } from '../../../../src/probe/stage.ts';
import { aPooler } from '../../../support/a-pooler.ts';
import { accessTo } from '../../../support/access-to.ts';
import { makeSlices } from '../../../support/synthetic-slices.ts';

const sizes = [1, 2, 4, 8];
const pooled = (waiting: number) =>
  aPooler([{ sv_active: '4', cl_waiting: String(waiting) }], {
    default_pool_size: '4',
    max_client_conn: '100',
  });

function stageOf(looks: readonly PoolerReport[]): Pick<Stage, 'request' | 'reach' | 'seen'> {
  const watch: PoolerWatch | null =
    looks.length === 0
      ? null
      : { before: looks[0] ?? null, problem: null, looks, close: () => Promise.resolve() };
  const facts = {
    maxConnections: 100,
    reserved: 3,
    used: 5,
    roleLimit: null,
    roleFree: null,
    databaseLimit: null,
    databaseFree: null,
  } as unknown as Stage['seen']['facts'];
  return {
    request: {
      ...sizeDefaults,
      ...accessTo('postgres://app@localhost:6432/shop'),
      workload: { kind: 'stand-in' },
    },
    reach: { kind: 'reach', pooler: watch, server: null, close: () => Promise.resolve() },
    seen: { kind: 'clear', facts, cap: { size: 8, because: 'asked for' }, notes: [] },
  };
}

/** What a probe says of a statement that only waits, on a server that can do so many of them at once. */
function conclude(places: number, looks: readonly PoolerReport[]) {
  const slices = makeSlices({
    sizes,
    rounds: 5,
    throughput: (size) => 100 * Math.min(size, places),
  });
  const decision = decide(
    { sizes, current: sizes, slices, samples: [], isBudgetSpent: true },
    createRandom(5),
  );
  if (decision.kind === 'continue') throw new Error(decision.because);
  return recommendSize(stageOf(looks), decision, null);
}

test.each<readonly [string, number, readonly PoolerReport[], VerdictKind, number, number | null]>([
  [
    'four backends in front of a server that could do more',
    4,
    [pooled(0), pooled(3)],
    'pooler-bound',
    4,
    null,
  ],
  [
    'the same, when no look fell into a moment with a line',
    4,
    [pooled(0), pooled(0)],
    'pooler-bound',
    4,
    null,
  ],
  [
    'four backends in front of a server that does no more than two at once',
    2,
    [pooled(0), pooled(3)],
    'found',
    2,
    2,
  ],
  ['no pooler, and a server without an end', 8, [], 'not-saturated', 8, null],
])('%s', (_, places, looks, kind, max, defaultPoolSize) => {
  expect(conclude(places, looks)).toMatchObject({
    verdict: { kind },
    recommendation: { max, defaultPoolSize },
  });
});

test('what the pooler kept from larger pools is said, with the setting, and how many clients it takes is a limit', () => {
  expect(conclude(4, [pooled(0), pooled(3)])).toMatchObject({
    verdict: {
      because: expect.stringMatching(
        /all 4 backends .* \(default_pool_size 4\), and 3 clients waited/,
      ) as string,
    },
    limits: { limits: [{ kind: 'pooler-clients', perPool: 100 }] },
  });
});
