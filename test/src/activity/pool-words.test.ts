import { expect, test } from 'vitest';
import {
  emptyActivity,
  findPortSpans,
  nextActivity,
  type PoolRow,
} from '../../../src/activity/activity-model.ts';
import {
  describePoolCount,
  describeProcesses,
  titlePools,
} from '../../../src/activity/pool-words.ts';
import type { Session } from '../../../src/activity/snapshot.ts';
import { aReport, aSession } from '../../support/a-session.ts';

function pools(...sessions: readonly Session[]): readonly PoolRow[] {
  return nextActivity(emptyActivity, aReport(sessions)).pools;
}

function titles(...sessions: readonly Session[]): string[] {
  return [...titlePools(pools(...sessions)).values()]
    .map(({ name, apart }) => [name, ...apart].join(' · '))
    .sort();
}

test('a name that is enough stands alone; what differs tells pools of one name apart', () => {
  expect(titles(aSession(), aSession({ application: 'worker' }))).toEqual(['api', 'worker']);
  expect(
    titles(aSession(), aSession({ user: 'other' }), aSession({ application: '', isOwn: true })),
  ).toEqual(['Poolguard’s own', 'api · app', 'api · other']);
  expect(
    titles(
      aSession({ application: '', clientAddress: null }),
      aSession({ application: '', database: 'queue' }),
    ),
  ).toEqual([
    '(no application_name) · queue · 10.0.0.1',
    '(no application_name) · shop · local socket',
  ]);
});

test('a name that reorders text is harmless, and one with a character of no width is another name', () => {
  expect(titles(aSession({ application: 'a\u202Eb' }))).toEqual(['a\\u202eb']);
  expect(titles(aSession({ application: 'api' }), aSession({ application: 'ap\u200Bi' }))).toEqual([
    'ap\\u200bi',
    'api',
  ]);
});

test.each([
  [3, null, '3'],
  [3, 10, '3 (max 10 in code)'],
  [10, 10, '10 (max 10 in code)'],
  [14, 10, '14 (max 10 in code: 2 processes or more)'],
  [31, 10, '31 (max 10 in code: 4 processes or more)'],
])('%d sessions with max %j read %s', (count, max, text) => {
  expect(
    describePoolCount({
      count,
      declared: max === null ? null : { applicationName: 'api', max, label: 'src/db.ts:7' },
    }),
  ).toBe(text);
});

test.each([
  [
    'two processes that started apart',
    [40_000, 40_002, 40_004, 52_000, 52_006],
    [
      [40_000, 40_004, 3],
      [52_000, 52_006, 2],
    ],
  ],
  ['one run of ports', [40_000, 40_002, 40_004], []],
  ['strewn ports', [40_000, 41_500, 43_000, 45_000], []],
  ['a gap that is not much wider than the steps', [40_000, 40_400, 41_500, 41_900], []],
  ['one that stands alone', [40_000, 40_002, 52_000], []],
  ['a local socket', [null, null], []],
])('%s', (_name, ports, expected) => {
  expect(findPortSpans(ports).map(({ from, to, count }) => [from, to, count])).toEqual(expected);
});

test('ports are told when they tell something', () => {
  expect(describeProcesses({ bursts: [], portSpans: [] })).toBe('');
  const portSpans = findPortSpans([40_000, 40_002, 52_000, 52_006]);
  expect(describeProcesses({ bursts: [], portSpans })).toBe(
    'client ports 40000–40002 (2) and 52000–52006 (2)',
  );
});

test('processes that opened their pools at their start are told apart by that; one that opens now and then is not', () => {
  const began = (...seconds: readonly number[]) =>
    pools(
      ...seconds.map((second, index) =>
        aSession({
          pid: index + 1,
          clientPort: 40_000 + ((index * 7_919) % 20_000),
          backendStart: new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString(),
        }),
      ),
    )[0];
  const three = began(0, 0.01, 0.02, 60, 60.01, 60.03, 300, 300.02, 300.03);
  expect(three?.bursts).toEqual([3, 3, 3]);
  expect(three === undefined ? '' : describeProcesses(three)).toBe(
    'opened in 3 bursts (3 + 3 + 3): as many processes, or one that opened more later',
  );
  expect(began(0, 0.01, 0.02)?.bursts).toEqual([]);
  expect(began(0, 12, 31, 47, 90)?.bursts).toEqual([]);
});
