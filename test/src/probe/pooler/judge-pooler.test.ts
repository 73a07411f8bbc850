import { expect, test } from 'vitest';
import { judgePooler } from '../../../../src/probe/pooler/judge-pooler.ts';
import type { VerdictKind } from '../../../../src/probe/result.ts';

const limit = { name: 'default_pool_size', value: 4 } as const;

test.each<[string, VerdictKind, number, Parameters<typeof judgePooler>[2], VerdictKind]>([
  ['all backends were worth having', 'found', 4, { limit, peakWaiting: 3 }, 'pooler-bound'],
  [
    'clients fill the gaps of the round trip',
    'found',
    6,
    { limit, peakWaiting: 3 },
    'pooler-bound',
  ],
  [
    'as many clients as the run could try',
    'not-saturated',
    8,
    { limit, peakWaiting: 3 },
    'pooler-bound',
  ],
  ['a starved client beyond them', 'client-bound', 4, { limit, peakWaiting: 3 }, 'pooler-bound'],
  ['flat while backends were free', 'found', 3, { limit, peakWaiting: 5 }, 'found'],
  ['nobody waited', 'not-saturated', 4, { limit, peakWaiting: 0 }, 'not-saturated'],
  ['its size is not known', 'found', 4, { limit: null, peakWaiting: 0 }, 'found'],
  ['a lock on the server', 'lock-bound', 4, { limit, peakWaiting: 3 }, 'lock-bound'],
])('%s', (_, kind, pick, evidence, judged) => {
  expect(judgePooler({ kind, because: 'As measured.' }, { pick }, evidence).kind).toBe(judged);
});

test('the sentence names the setting and what to do', () => {
  expect(
    judgePooler({ kind: 'found', because: '' }, { pick: 4 }, { limit, peakWaiting: 1 }).because,
  ).toBe(
    'Throughput rose until all 4 backends that the pooler keeps for this database and user were used (default_pool_size 4), and 1 client waited for one at the worst moment: the pooler is the limit, and what the server could do is not known. Raise default_pool_size and probe again, or probe the server directly.',
  );
});
