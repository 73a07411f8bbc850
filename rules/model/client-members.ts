/** Methods of a client that do no harm after its release: they touch listeners and texts, never the connection. Fact: pg 8.23 `lib/client.js`. */
export const harmlessMembers: ReadonlySet<string> = new Set([
  'on',
  'once',
  'off',
  'addListener',
  'prependListener',
  'removeListener',
  'removeAllListeners',
  'listeners',
  'listenerCount',
  'eventNames',
  'setMaxListeners',
  'emit',
  'escapeIdentifier',
  'escapeLiteral',
  'getTypeParser',
  'setTypeParser',
  'getTransactionStatus',
  'toString',
  'hasOwnProperty',
  'ref',
  'unref',
]);

/** Words in the names of functions that tidy up or look at what they are given, and so may get a client that came back. */
const tidyingWords: ReadonlySet<string> = new Set([
  'release',
  'return',
  'free',
  'dispose',
  'destroy',
  'close',
  'end',
  'cleanup',
  'clean',
  'delete',
  'remove',
  'clear',
  'unregister',
  'detach',
  'untrack',
  'forget',
  'track',
  'has',
  'get',
  'expect',
  'assert',
  'equal',
  'log',
  'inspect',
  'emit',
  'finish',
  'disconnect',
  'recycle',
  'giveback',
]);

/** True for `releaseClient`, `connections.delete`, `expect`; false for `insertOrder`. */
export function tidiesByName(name: string): boolean {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/u)
    .some((word) => tidyingWords.has(word.toLowerCase()));
}
