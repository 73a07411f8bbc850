/** A function of a package that gives one which does what its argument does, at least when it is first called. */
export interface WrappingCall {
  readonly module: string;
  readonly name: string;
}

/** Facts: React 19 `cache`, Next.js 15 `unstable_cache`, lodash 4.17, p-memoize 8, memoizee 0.4: their documentation. */
export const wrappingCalls: readonly WrappingCall[] = [
  { module: 'react', name: 'cache' },
  { module: 'next/cache', name: 'unstable_cache' },
  ...['lodash', 'lodash-es'].flatMap((module) => [
    { module, name: 'memoize' },
    { module, name: 'once' },
  ]),
  { module: 'p-memoize', name: 'default' },
  { module: 'memoizee', name: 'default' },
];
