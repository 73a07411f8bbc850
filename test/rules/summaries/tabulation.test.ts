import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTable, type Table } from '../../../rules/summaries/tabulation.ts';

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
    // What 5 knows is late, so 0 changes its mind when 1 and 2 have told each other of its first answer.
    const answers: Readonly<
      Record<number, (from: (node: number) => readonly string[]) => string[]>
    > = {
      0: (from) => (from(3).includes('sure') ? ['second'] : ['first']),
      1: (from) => [...from(2), ...from(0)],
      2: (from) => [...from(1)],
      3: (from) => (from(4).length > 0 && from(5).length > 0 ? ['sure'] : []),
      4: (from) => [...from(5), 'known'],
      5: (from) => [...from(4)],
    };
    const table: Table<number, ReadonlySet<string>> = createTable<number, ReadonlySet<string>>({
      least: new Set(),
      unknown: new Set(['unknown']),
      includes: (more, fewer) => [...fewer].every((each) => more.has(each)),
      solve: (node) => ({
        answer: new Set(answers[node]?.((each) => [...table(each, each)])),
        work: 1,
      }),
    });

    expect([1, 2].map((node) => [...table(node, node)])).toEqual([['second'], ['second']]);
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
