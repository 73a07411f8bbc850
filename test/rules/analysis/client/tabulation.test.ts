import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTable, type Table } from '../../../../rules/analysis/client/tabulation.ts';

type Found = ReadonlySet<number> | 'unknown';

/** Answers which nodes can be reached from a node of a graph, by asking its neighbours. */
function reaching(next: (node: number) => readonly number[]): (node: number) => Found {
  const table: Table<number, Found> = createTable<number, Found>({
    least: new Set(),
    unknown: 'unknown',
    includes: (more, fewer) =>
      more === 'unknown' || (fewer !== 'unknown' && [...fewer].every((each) => more.has(each))),
    solve(node) {
      const found = new Set([node]);
      for (const each of next(node)) {
        const further = table(each, each);
        if (further === 'unknown') return { answer: further, work: 1 };
        further.forEach((one) => found.add(one));
      }
      return { answer: found, work: 1 };
    },
  });
  return (node) => table(node, node);
}

function reachable(from: number, next: (node: number) => readonly number[]): ReadonlySet<number> {
  const found = new Set([from]);
  for (const node of found) next(node).forEach((each) => found.add(each));
  return found;
}

const size = 8;
const graphs = fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), {
  minLength: size,
  maxLength: size,
});

describe('tabulation', () => {
  test('finds the same, whoever is asked first', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.shuffledSubarray([...Array(size).keys()], { minLength: 1 }),
        (graph, order) => {
          const next = (node: number): readonly number[] => graph[node] ?? [];
          const ask = reaching(next);
          for (const node of order) expect(ask(node)).toEqual(reachable(node, next));
        },
      ),
    );
  });

  test('answers the head of a chain of 20,000', () => {
    const length = 20_000;
    let asked = 0;
    const table: Table<number, number> = createTable<number, number>({
      least: 0,
      unknown: -1,
      includes: (more, fewer) => more >= fewer,
      solve(node) {
        asked++;
        return { answer: node === length ? node : table(node + 1, node + 1), work: 1 };
      },
    });

    expect(table(0, 0)).toBe(length);
    expect(asked).toBeLessThanOrEqual(2 * length + 1);
  });

  test('takes back what was concluded from an answer that did not last', () => {
    // 1 and 2 hand on to each other what 0 has said before it knew of 3.
    const texts = new Map<number, ReadonlySet<string>>();
    const table: Table<number, ReadonlySet<string>> = createTable<number, ReadonlySet<string>>({
      least: new Set(),
      unknown: new Set(['unknown']),
      includes: (more, fewer) => [...fewer].every((each) => more.has(each)),
      solve(node) {
        const from = (...nodes: number[]): ReadonlySet<string> =>
          new Set(nodes.flatMap((each) => [...table(each, each)]));
        if (node === 0)
          return {
            answer: table(3, 3).has('sure') ? new Set(['late']) : new Set(['early']),
            work: 1,
          };
        if (node === 1) return { answer: from(2, 0), work: 1 };
        if (node === 2) return { answer: from(1), work: 1 };
        return { answer: new Set([...from(1), 'sure']), work: 1 };
      },
    });
    for (const node of [1, 2, 3]) texts.set(node, table(node, node));

    expect([...(texts.get(1) ?? [])]).toEqual(['late']);
    expect([...(texts.get(2) ?? [])]).toEqual(['late']);
  });

  test('what never settles is unknown, and what stands beside it is known', () => {
    const table: Table<number, string> = createTable<number, string>({
      least: '',
      unknown: 'unknown',
      includes: (more, fewer) => more === fewer || fewer === '',
      solve: (node) => ({
        answer: node === 0 ? (table(0, 0) === 'odd' ? 'even' : 'odd') : 'known',
        work: 10_000,
      }),
    });

    expect([table(0, 0), table(1, 1)]).toEqual(['unknown', 'known']);
  });

  test('goes on after a question that fails', () => {
    const table: Table<number, string> = createTable<number, string>({
      least: '',
      unknown: 'unknown',
      includes: (more, fewer) => more === fewer || fewer === '',
      solve(node) {
        if (node === 1) throw new Error('a mistake');
        return { answer: node === 0 ? table(1, 1) : 'known', work: 1 };
      },
    });

    expect(() => table(0, 0)).toThrow('a mistake');
    expect([table(0, 0), table(1, 1), table(2, 2)]).toEqual(['unknown', 'unknown', 'known']);
  });
});
