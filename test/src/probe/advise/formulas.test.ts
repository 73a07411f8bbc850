import { describe, expect, test } from 'vitest';
import { adviseBy, type AdviceInput } from '../../../../src/probe/advise/formulas.ts';
import { toObservedLoad } from '../../../../src/probe/advise/observe.ts';

const nothing: AdviceInput = {
  serverCores: null,
  applicationCores: null,
  connections: null,
  pools: 1,
  demand: null,
  observed: null,
};

function sizesOf(change: Partial<AdviceInput>) {
  return Object.fromEntries(
    adviseBy({ ...nothing, ...change }).guesses.map(({ name, size }) => [name, size]),
  );
}

test('for one and the same two-core machine the formulas differ widely', () => {
  expect(sizesOf({ serverCores: 2, applicationCores: 8, connections: 97 })).toEqual({
    'node-postgres': [10, 10],
    'HikariCP, PostgreSQL wiki': [4, 5],
    'Grittner 2022': [8, 9],
    'Smith, PostgreSQL High Performance': [4, 6],
    Prisma: [17, 17],
    'Half of what there is': [48, 48],
  });
});

test('what is not known is left out', () => {
  expect(Object.keys(sizesOf({}))).toEqual(['node-postgres']);
});

test('150 users of 150 ms are 27 clients by the rule of thumb', () => {
  expect(sizesOf({ demand: { holdMs: 150, users: 150, rate: null } })['Users × hold time']).toEqual(
    [27, 27],
  );
});

test('800/s of 15 ms need 13 at least, and 19 to be at ease', () => {
  const sizes = sizesOf({ demand: { holdMs: 15, users: null, rate: 800 } });
  expect(sizes['Square-root staffing']).toEqual([16, 19]);
  const [least, comfortable] = sizes["Little's law, Erlang C"] ?? [0, 0];
  expect([least, comfortable > 13, comfortable < 19]).toEqual([13, true, true]);
});

describe('observation', () => {
  const times = {
    activeMs: 3_600_000,
    idleInTransactionMs: 1_200_000,
    sinceMs: 7_200_000,
    since: '2026-01-01T00:00:00Z',
  };

  test('divides the cores by the share of the time that transactions spend in statements', () => {
    const observed = toObservedLoad(times);
    expect(observed).toEqual({ busyShare: 0.75, meanActive: 0.5, since: '2026-01-01T00:00:00Z' });
    expect(sizesOf({ serverCores: 4, observed })['Cybertec, observed']).toEqual([6, 6]);
  });

  test('of less than a minute is none', () => {
    expect(toObservedLoad({ ...times, activeMs: 59_000 })).toBeNull();
  });

  test('knows no average where nobody knows since when', () => {
    expect(toObservedLoad({ ...times, sinceMs: null })?.meanActive).toBeNull();
  });
});
