import { expect, it } from 'vitest';
import { createLruCache } from '../../../rules/project/lru-cache.ts';

it('takes off what was used longest ago until the rest is light enough', () => {
  const cache = createLruCache(10);
  for (const path of ['a', 'b', 'c']) cache.put(path, 4);
  cache.touch('a');
  expect(cache.trim()).toEqual(['b']);
  expect(cache.trim()).toEqual([]);
});

it('knows the latest weight of a thing only', () => {
  const cache = createLruCache(10);
  cache.put('a', 100);
  cache.put('a', 1);
  cache.put('b', 9);
  expect(cache.trim()).toEqual([]);
});

it('does not keep one that is too heavy alone', () => {
  const cache = createLruCache(10);
  cache.put('a', 11);
  cache.touch('nobody');
  expect(cache.trim()).toEqual(['a']);
});
