/** Methods of Node's `EventEmitter` that put a listener on a client permanently. `once` is left out: it takes itself off. */
export const addingMethods: ReadonlySet<string> = new Set(['on', 'addListener', 'prependListener']);

/** Methods that take listeners off: of one event where they are told one. */
export const removingMethods: ReadonlySet<string> = new Set([
  'off',
  'removeListener',
  'removeAllListeners',
]);

/** The event with which a client tells that it has lost its connection (pg 8.23 `lib/client.js`, `_handleErrorEvent`); a query that fails is none. */
export const lossEvent = 'error';
