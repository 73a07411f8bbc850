import { expect, test } from 'vitest';
import type { CompareRow, Strategy } from '../../../../src/probe/compare/compare-result.ts';
import { judgeCompare } from '../../../../src/probe/compare/judge-compare.ts';
import { aLoad } from '../../../support/probe-result.ts';

function row(
  strategy: Strategy,
  connections: number,
  throughput: number,
  errors: Readonly<Record<string, number>> = {},
): CompareRow {
  return {
    strategy,
    callers: 200,
    connections,
    eventLoop: 0.5,
    load: { ...aLoad, throughput, errors },
  };
}

const others = [
  row('new-connection', 48, 294),
  row('shared-client', 1, 3849),
  row('pipelined-client', 1, 8795),
];

test('the smaller of two pools that do the same is taken, and each other way is told by its share', () => {
  const { kind, because } = judgeCompare([...others, row('pool', 2, 6400), row('pool', 10, 6542)]);
  expect(kind).toBe('smaller-pool');
  expect(because).toBe(
    'With 200 callers a pool of 2 answers 6,400 requests/s. That is 98 % of what 10 do (6,542 requests/s): take the smaller. ' +
      'A new connection for each request: 294 requests/s, 5 % of it. One client for all: 3,849 requests/s, 60 % of it. ' +
      'One pipelined client: 8,795 requests/s, 137 % of it, for single statements that need no transaction.',
  );
});

test('a larger pool that does more is worth it', () => {
  expect(judgeCompare([...others, row('pool', 2, 3000), row('pool', 10, 6542)]).kind).toBe('pool');
});

test('a smaller pool that fails more is not as good', () => {
  expect(judgeCompare([row('pool', 2, 6500, { '40001': 9 }), row('pool', 10, 6542)]).kind).toBe(
    'pool',
  );
});

test('where one client does as much, that is said', () => {
  expect(judgeCompare([row('shared-client', 1, 990), row('pool', 10, 1000)]).kind).toBe(
    'one-client',
  );
});

test('failures are told by cause', () => {
  expect(
    judgeCompare([row('new-connection', 48, 10, { '53300': 29_433 }), row('pool', 10, 1000)])
      .because,
  ).toContain('1 % of it, and 29,433 failures (29433 × 53300).');
});

test('without an answer there is no verdict', () => {
  expect(judgeCompare([]).kind).toBe('no-answers');
});
