import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEffects, type Effect, type EffectsOf } from '../../../rules/summaries/effects.ts';
import type { Node } from '../../../rules/syntax/node.ts';
import type { SourceFile } from '../../../rules/syntax/source-file.ts';
import type { KnownFunction } from '../../../rules/typestate/outcome.ts';
import type { Resolver } from '../../../rules/values/resolver.ts';

const size = 8;
const width = 3;
const file = { path: 'a.ts', text: 'f'.repeat(size * (width + 1)) } as SourceFile;

/** Functions that call each other, one call a character of the file; those in `working` do some work after their calls. */
function createProgram(
  calls: readonly (readonly number[])[],
  working: ReadonlySet<number>,
): (start: number) => readonly string[] {
  const nodeAt = (at: number): Node => ({ range: [at, at + 1] }) as unknown as Node;
  const functions = calls.map(
    (_, index) =>
      ({ kind: 'function', node: nodeAt(index * (width + 1)), file }) as unknown as KnownFunction,
  );
  const sites = calls.map((called, index) =>
    called.map((_each, at) => nodeAt(index * (width + 1) + at)),
  );
  const works = calls.map((_, index) => nodeAt(index * (width + 1) + width));
  const effectsOf: EffectsOf<Effect, undefined> = createEffects({
    effectsIn: (fn, _entry, resolver) => {
      const index = functions.indexOf(fn);
      const inside = (calls[index] ?? []).flatMap(
        (each, at) =>
          effectsOf(
            functions[each] ?? fn,
            sites[index]?.[at] ?? fn.node,
            { file, resolver },
            undefined,
          ) ?? [],
      );
      const own = { node: works[index] ?? fn.node, file, via: [] };
      return working.has(index) ? [...inside, own] : inside;
    },
  });
  const resolver = {} as Resolver;
  return (start) => {
    const [fn] = functions.slice(start, start + 1);
    const [nearest] =
      fn === undefined ? [] : (effectsOf(fn, fn.node, { file, resolver }, undefined) ?? []);
    return nearest === undefined
      ? []
      : [...nearest.via.map(({ callee }) => callee), nearest.node].map(({ range }) =>
          String(range),
        );
  };
}

function distance(
  start: number,
  calls: readonly (readonly number[])[],
  working: ReadonlySet<number>,
): number {
  const seen = new Map([[start, 1]]);
  // The map grows while it is read: nearest first.
  for (const [index, steps] of seen) {
    if (working.has(index)) return steps + 1;
    for (const each of calls[index] ?? []) if (!seen.has(each)) seen.set(each, steps + 1);
  }
  return 0;
}

test('the nearest effect is found over a shortest way, the same one whoever is asked first', () => {
  const graphs = fc.array(fc.array(fc.nat(size - 1), { maxLength: width }), {
    minLength: size,
    maxLength: size,
  });
  const nodes = [...Array(size).keys()];
  fc.assert(
    fc.property(
      graphs,
      fc.subarray(nodes),
      fc.shuffledSubarray(nodes, { minLength: 1 }),
      (calls, working, order) => {
        const works = new Set(working);
        const ask = createProgram(calls, works);
        for (const start of order) {
          const found = ask(start);
          expect(found).toHaveLength(distance(start, calls, works));
          expect(found).toEqual(createProgram(calls, works)(start));
        }
      },
    ),
    { numRuns: 200 },
  );
});
