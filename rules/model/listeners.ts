/** Methods of Node's `EventEmitter` that put a listener on a client for good. `once` is left out: it takes itself off. */
export const addingMethods: ReadonlySet<string> = new Set(['on', 'addListener', 'prependListener']);

/** Methods that take listeners off: of one event where they are told one. */
export const removingMethods: ReadonlySet<string> = new Set([
  'off',
  'removeListener',
  'removeAllListeners',
]);

const words: ReadonlySet<string> = new Set([
  'off',
  'remove',
  'cleanup',
  'clean',
  'clear',
  'detach',
  'unsubscribe',
  'unlisten',
  'unregister',
  'unbind',
  'dispose',
  'teardown',
  'stop',
  'reset',
]);

/** True for `detachListeners`, `cleanUp`, `unsubscribe`. */
export function removesListenersByName(name: string): boolean {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/u)
    .some((word) => words.has(word.toLowerCase()));
}

/** Code that takes listeners off has one of these in it. */
export const removingWords = /\b(?:off|removeListener|removeAllListeners)\b/u;
