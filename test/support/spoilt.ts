import fc from 'fast-check';
import { expect } from 'vitest';
import { hostileText } from './hostile-text.ts';

/** Values that JSON may hold where a reader expects others. */
export const strangeValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    -1,
    1.5,
    1e308,
    -0,
    true,
    '',
    [],
    {},
    [[]],
    '__proto__',
    2 ** 53,
    'x'.repeat(10_000),
  ),
  hostileText,
  fc.jsonValue({ maxDepth: 2 }),
);

/** Plain data of which up to three parts are something else. */
export function spoilt(samples: readonly unknown[]): fc.Arbitrary<unknown> {
  const changes = fc.array(fc.tuple(fc.nat(200), strangeValue), { maxLength: 3 });
  return fc
    .tuple(fc.constantFrom(...samples), changes)
    .map(([sample, all]) =>
      all.reduce((value, [index, part]) => withPart(value, index, part), sample),
    );
}

/** Puts another value at the n-th place of a value's leaves and branches. */
function withPart(value: unknown, index: number, part: unknown): unknown {
  let left = index;
  const visit = (each: unknown): unknown => {
    if (left-- === 0) return part;
    if (Array.isArray(each)) return each.map(visit);
    return typeof each === 'object' && each !== null
      ? Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, visit(inner)]))
      : each;
  };
  return visit(value);
}

/** What is written is read back equal; any other JSON gives a value that is read again as itself, or undefined, and no exception. */
export function expectToRead<Value>(
  samples: readonly NonNullable<Value>[],
  read: (value: unknown) => Value,
): void {
  for (const sample of samples) expect(read(structuredClone(sample))).toEqual(sample);
  fc.assert(
    fc.property(fc.oneof(spoilt(samples), strangeValue, fc.jsonValue()), (given) => {
      const value = read(given);
      if (value !== undefined) expect(read(structuredClone(value))).toEqual(value);
    }),
    { numRuns: 300 },
  );
}

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
