import { expect, test } from 'vitest';
import { judgePooler } from '../../../../src/probe/pooler/judge-pooler.ts';
import type { VerdictKind } from '../../../../src/probe/result.ts';

const limit = { name: 'default_pool_size', value: 4 } as const;

test.each<[string, VerdictKind, number, Parameters<typeof judgePooler>[2], VerdictKind]>([
  [
    'all backends were worth having',
    'found',
    4,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'clients fill the gaps of the round trip',
    'found',
    6,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'as many clients as the run could try',
    'not-saturated',
    8,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'a starved client beyond them',
    'client-bound',
    4,
    { limit, peakWaiting: 3, mostClients: 8 },
    'pooler-bound',
  ],
  ['flat while backends were free', 'found', 3, { limit, peakWaiting: 5, mostClients: 8 }, 'found'],
  [
    'a line that no look happened to see',
    'found',
    4,
    { limit, peakWaiting: 0, mostClients: 8 },
    'pooler-bound',
  ],
  [
    'as many clients as backends, one of which waited',
    'not-saturated',
    4,
    { limit, peakWaiting: 1, mostClients: 4 },
    'pooler-bound',
  ],
  ['nobody waited', 'not-saturated', 4, { limit, peakWaiting: 0, mostClients: 4 }, 'not-saturated'],
  ['its size is not known', 'found', 4, { limit: null, peakWaiting: 0, mostClients: 8 }, 'found'],
  [
    'a lock on the server',
    'lock-bound',
    4,
    { limit, peakWaiting: 3, mostClients: 8 },
    'lock-bound',
  ],
])('%s', (_, kind, pick, evidence, judged) => {
  expect(judgePooler({ kind, because: 'As measured.' }, { pick }, evidence).kind).toBe(judged);
});

test.each([
  [1, '1 client waited for one at the worst moment'],
  [0, 'of 8 clients the others had to wait'],
])(
  'the sentence names the setting and what to do, with %i seen in line',
  (peakWaiting, waiting) => {
    expect(
      judgePooler(
        { kind: 'found', because: '' },
        { pick: 4 },
        { limit, peakWaiting, mostClients: 8 },
      ).because,
    ).toBe(
      `Throughput rose until all 4 backends that the pooler keeps for this database and user were used (default_pool_size 4), and ${waiting}: the pooler is the limit, and what the server could do is not known. Raise default_pool_size and probe again, or probe the server directly.`,
    );
  },
);
