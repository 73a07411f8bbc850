import { expect, it } from 'vitest';
import { holds, isSameRange, readPoolPlace } from '../../../../src/editor/lenses/pool-place.ts';

const range = { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } };

it('a place is read without what else comes with it', () => {
  expect(readPoolPlace('file:///a.ts', { ...range, max: 5 })).toEqual({
    uri: 'file:///a.ts',
    range,
  });
});

it.each([
  [undefined, range],
  [{ toString: (): string => 'file:///a.ts' }, range],
  ['file:///a.ts', undefined],
  ['file:///a.ts', null],
  ['file:///a.ts', [1, 2, 3, 4]],
  ['file:///a.ts', { start: range.start }],
  ['file:///a.ts', { start: { line: -1, character: 0 }, end: range.end }],
  ['file:///a.ts', { start: { line: '1', character: 0 }, end: range.end }],
  ['file:///a.ts', { start: { line: 0.5, character: 0 }, end: range.end }],
])('%j %j is none', (uri, place) => {
  expect(readPoolPlace(uri, place)).toBeUndefined();
});

it.each([
  [1, 1, false],
  [1, 2, true],
  [2, 0, true],
  [3, 4, true],
  [3, 5, false],
  [0, 9, false],
])('line %j, character %j is inside: %j', (line, character, isInside) => {
  expect(holds(range, { line, character })).toBe(isInside);
});

it('ranges are the same when both ends are', () => {
  expect(isSameRange(range, structuredClone(range))).toBe(true);
  expect(isSameRange(range, { ...range, end: { line: 3, character: 5 } })).toBe(false);
});
