import { expect, test } from 'vitest';
import {
  takeTurns,
  toNeighbourRows,
  type NeighbourRound,
} from '../../../scripts/bench/neighbour/neighbour-rows.ts';

const facts = { name: 'other 2.0.0', rules: 13, poolRules: 5 };
const costs = { parse: 100, bare: 20, ours: 80, theirs: 50, theirPoolRules: 30 };

function rowsOf(...rounds: readonly NeighbourRound[]) {
  return toNeighbourRows(rounds, facts).map(({ name, value: { median }, note }) => ({
    name,
    median,
    note,
  }));
}

test('a plugin costs what it adds to the bare linter, and projects are added up before they are compared', () => {
  const rows = rowsOf(
    { project: 'a', round: 0, files: 10, costs },
    { project: 'b', round: 0, files: 5, costs: { ...costs, parse: 300, ours: 40, theirs: 30 } },
  );
  expect(rows).toEqual([
    { name: 'Poolguard, all rules', median: 20, note: 'CPU, of parsing; 15 files' },
    { name: 'other 2.0.0, all 13 rules', median: 10, note: 'CPU, of parsing; 15 files' },
    { name: 'other 2.0.0, its 5 rules about pools', median: 5, note: 'CPU, of parsing; 15 files' },
    {
      name: 'Poolguard, against all of the other’s rules',
      median: 2,
      note: 'the other is faster, and does less',
    },
    {
      name: 'Poolguard, against the other’s rules about pools',
      median: 4,
      note: 'the other is faster, and does less',
    },
  ]);
});

test('rounds are compared each for itself', () => {
  const [, , , ratio] = toNeighbourRows(
    [
      { project: 'a', round: 0, files: 1, costs },
      { project: 'a', round: 1, files: 1, costs: { ...costs, ours: 50 } },
      { project: 'a', round: 2, files: 1, costs: { ...costs, ours: 35 } },
    ],
    facts,
  );
  expect(ratio?.value).toEqual({ median: 1, low: 0.5, high: 2 });
});

test('each way of linting comes first once in five files', () => {
  const firsts = [0, 1, 2, 3, 4].map((file) => takeTurns(file)[0]);
  expect(new Set(firsts).size).toBe(5);
  expect(takeTurns(7).toSorted()).toEqual(takeTurns(0).toSorted());
});
