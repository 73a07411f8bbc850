import { queryNames, transactionNames } from './drivers.ts';

/**
 * Words in the names of what gives, lends, or is a client. They never decide what something is: only where nothing else about a
 * call speaks of a client do they say whether it is worth looking at the called function, often in another file.
 */
const words: ReadonlySet<string> = new Set([
  'client',
  'clients',
  'conn',
  'connection',
  'connections',
  'connect',
  'pool',
  'pools',
  'acquire',
  'acquired',
  'checkout',
  'borrow',
  'lease',
  'session',
  'transaction',
  'transact',
  'transactional',
  'tx',
  'trx',
  'txn',
  'atomic',
  'atomically',
  'lock',
  'locked',
  'database',
  'db',
  'pg',
  'postgres',
  'postgresql',
  'sql',
  'query',
  'queries',
  'release',
  'done',
  'runner',
  'executor',
  'handle',
  'resource',
  'rollback',
  'commit',
  'begin',
]);

/** Far cheaper than to take a name apart. */
const anyWord = new RegExp([...words].join('|'), 'i');

/** True for `withTx`, `db.acquire`, `client2` and `getPgClient`; false for `context`, which has a `tx` in it, and for `sendMail`. */
export function soundsLikeClient(name: string): boolean {
  return (
    anyWord.test(name) &&
    name
      .split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/u)
      .some((word) => words.has(word.toLowerCase().replace(/(?<!\d)\d+$/u, '')))
  );
}

/** What a program asks of a client. Fact: pg 8.23 `lib/client.js`, Node's `EventEmitter`, `drivers.ts`. */
export const clientMethods: ReadonlySet<string> = new Set([
  ...queryNames,
  ...transactionNames,
  'manager',
  'release',
  'end',
  'connect',
  'on',
  'once',
  'off',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'copyFrom',
  'copyTo',
  'escapeIdentifier',
  'escapeLiteral',
  'getTypeParser',
  'setTypeParser',
]);

/** Methods of arrays, promises, streams and routers, which call back without a client. */
export const callbackMethods: ReadonlySet<string> = new Set([
  'map',
  'filter',
  'forEach',
  'reduce',
  'reduceRight',
  'flatMap',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'sort',
  'toSorted',
  'from',
  'replace',
  'replaceAll',
  'then',
  'catch',
  'finally',
  'on',
  'once',
  'off',
  'addEventListener',
  'pipe',
  'post',
  'put',
  'patch',
  'listen',
  'describe',
  'it',
  'test',
]);
