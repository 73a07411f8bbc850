import { expect, test } from 'vitest';
import { explore, type Exploration } from '../../../rules/flow/explore.ts';
import type { Edge, Graph, Point } from '../../../rules/flow/graph.ts';

type Fact = Readonly<Record<number, boolean>>;

/** A row of coins: at each point one is tossed. */
function tossed(coins: number, mostStates?: number): Exploration<Fact> {
  const points: Point[] = Array.from({ length: coins + 1 }, (_, id) => ({
    id,
    kind: 'join',
    node: null,
    target: null,
    bodies: [],
    edges: [],
  }));
  for (const [id, point] of points.entries()) {
    const to = points[id + 1];
    if (to !== undefined) point.edges.push({ to, when: 'true' }, { to, when: 'false' });
  }
  const [entry] = points;
  if (entry === undefined) throw new Error('no points');
  const graph = { entry, points } as unknown as Graph;
  const toss = (fact: Fact, { id }: Point, { when }: Edge): readonly Fact[] => [
    { ...fact, [id]: when === 'true' },
  ];
  return explore(
    graph,
    {
      initial: {},
      transfer: toss,
      keyOf: (fact) => JSON.stringify(fact),
      partsOf: (fact) => ['', ...Object.entries(fact).map((entry) => entry.join())],
    },
    mostStates,
  );
}

test('every combination is found where there are few', () => {
  const { states, ends, isComplete, isSampled } = tossed(5);

  expect([isComplete, isSampled]).toEqual([true, false]);
  expect(states).toHaveLength(2 ** 6 - 1);
  expect(ends).toHaveLength(2 ** 5);
});

test('where there are too many, each part is found in some combination, and the number grows with the parts', () => {
  const { states, isComplete, isSampled } = tossed(40);
  const last = states.filter(({ point }) => point.id === 40).map(({ fact }) => fact);

  expect([isComplete, isSampled]).toEqual([false, true]);
  for (const coin of Array(40).keys())
    expect(new Set(last.map((fact) => fact[coin]))).toEqual(new Set([true, false]));
  expect(last.length).toBeLessThanOrEqual(80);
  expect(last.every((fact) => Object.keys(fact).length === 40)).toBe(true);
});

test('where even a sample is too large nothing is concluded', () => {
  const { isComplete, isSampled } = tossed(40, 100);

  expect([isComplete, isSampled]).toEqual([false, false]);
});
