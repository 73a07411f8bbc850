/**
 * Words in the names of functions that take over the client they are given: whoever is called so gives it back, keeps it,
 * or is somebody who waits for it. All other functions without a known source only borrow.
 */
const words: ReadonlySet<string> = new Set([
  'release',
  'return',
  'free',
  'dispose',
  'destroy',
  'giveback',
  'recycle',
  'resolve',
  'push',
  'set',
  'add',
  'unshift',
  'enqueue',
]);

/** Words in the names of those who wait for a client, as long as nobody waits for them in turn. */
const waiterWords: ReadonlySet<string> = new Set(['callback', 'cb', 'next']);

/** True for `releaseClient`, `return_client`, `callback`; false for `sendMail`. */
export function takesOverByName(name: string): boolean {
  return isWaiterByName(name) || wordsOf(name).some((word) => words.has(word));
}

/** True for `callback`, `nextHandler`; false for `release`. */
export function isWaiterByName(name: string): boolean {
  return wordsOf(name).some((word) => waiterWords.has(word));
}

function wordsOf(name: string): readonly string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/u).map((word) => word.toLowerCase());
}

/** Methods after which an object that was made with a client may have given it back: a transaction's `commit`. */
const endings: ReadonlySet<string> = new Set([
  'release',
  'close',
  'end',
  'dispose',
  'destroy',
  'finish',
  'done',
  'commit',
  'rollback',
  'abort',
  'cancel',
  'stop',
]);

/** True for `commit`, `closeTransaction`; false for `execute`. */
export function endsByName(name: string): boolean {
  return wordsOf(name).some((word) => endings.has(word));
}
