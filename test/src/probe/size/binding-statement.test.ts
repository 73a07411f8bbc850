import { describe, expect, test } from 'vitest';
import { findStatementLoads } from '../../../../src/probe/size/binding-statement.ts';
import type { StatementTimes } from '../../../../src/probe/size/lanes.ts';
import type { VerdictKind } from '../../../../src/probe/size/size-result.ts';

const statements = ['SELECT * FROM orders', 'UPDATE counters SET n = n + 1'].map((text) => ({
  text,
  share: 0.5,
  parameters: [],
  meanMs: 1,
}));

/** Mean times of both statements by size, each run a hundred times. */
function times(...means: readonly (readonly [size: number, first: number, second: number])[]) {
  return means.map(([size, ...ms]): StatementTimes => ({
    size,
    statements: ms.map((each) => ({ completed: 100, totalMs: 100 * each })),
  }));
}

function find(kind: VerdictKind, all: readonly StatementTimes[], pick = 2) {
  return findStatementLoads(all, pick, { kind, statements });
}

describe('the statement that limits the size', () => {
  test('is the one that queues, and not the one that takes longest', () => {
    const loads = find('lock-bound', times([1, 20, 2], [2, 20, 4], [8, 21, 16]));
    expect(loads).toMatchObject({
      alone: 1,
      from: 2,
      statements: [
        { aloneMs: 20, meanMs: 20.5 },
        { aloneMs: 2, meanMs: 10 },
      ],
      binding: {
        at: 1,
        because:
          'UPDATE counters SET n = n + 1 limits the pool size: 94 % of the time that statements spend waiting for locks is its own (mean 2.0 ms alone, 10 ms with 2 clients and more).',
      },
    });
  });

  test('queues for the CPU or the disk where there is no lock', () => {
    expect(find('found', times([1, 5, 1], [2, 5, 1], [8, 20, 2]))?.binding).toEqual({
      at: 0,
      because:
        'SELECT * FROM orders limits the pool size: 94 % of the time that statements spend queueing is its own (mean 5.0 ms alone, 13 ms with 2 clients and more).',
    });
  });

  test('keeps the connections of a pooler busy', () => {
    expect(find('pooler-bound', times([1, 9, 1], [4, 18, 10]))?.binding).toMatchObject({ at: 0 });
  });

  test.each(['client-bound', 'not-saturated'] as const)(
    'is none where the answer is %s',
    (kind) => {
      expect(find(kind, times([1, 5, 1], [8, 50, 2]))).toMatchObject({ binding: null });
    },
  );
});

test('a single statement needs no comparison, and without times there is none', () => {
  const [only] = statements;
  expect(find('found', [])).toBeNull();
  expect(
    findStatementLoads(times([1, 1, 1]), 1, {
      kind: 'found',
      statements: only === undefined ? [] : [only],
    }),
  ).toBeNull();
});

test('a mean of a few runs is not shown', () => {
  const few = times([1, 5, 1], [2, 5, 3]).map((each) => ({
    ...each,
    statements: each.statements.map(({ totalMs }, at) => ({
      completed: at === 0 ? 2 : 100,
      totalMs,
    })),
  }));
  expect(find('found', few)?.statements[0]).toMatchObject({ aloneMs: null, meanMs: null });
});
