import { expect, it } from 'vitest';
import { createShelf } from '../../../rules/project/shelf.ts';

it('takes off what was used longest ago until the rest is light enough', () => {
  const shelf = createShelf(10);
  for (const path of ['a', 'b', 'c']) shelf.put(path, 4);
  shelf.touch('a');
  expect(shelf.trim()).toEqual(['b']);
  expect(shelf.trim()).toEqual([]);
});

it('knows the latest weight of a thing only', () => {
  const shelf = createShelf(10);
  shelf.put('a', 100);
  shelf.put('a', 1);
  shelf.put('b', 9);
  expect(shelf.trim()).toEqual([]);
});

it('does not keep one that is too heavy alone', () => {
  const shelf = createShelf(10);
  shelf.put('a', 11);
  shelf.touch('nobody');
  expect(shelf.trim()).toEqual(['a']);
});
