import { libraryOf } from '../model/libraries.ts';
import { calledName } from '../syntax/calls.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import { contains, findAncestor, memberName, parentOf } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { clientName } from './taken-text.ts';

export type Leak =
  'neverReleased' | 'notReleasedOnSomePath' | 'notReleasedOnThrow' | 'acquiredAgain';

interface Words {
  readonly messages: Readonly<Record<Leak, string>>;
  readonly noPath: string;
  readonly still: string;
  readonly again: string;
  /** What to do, by where that is. */
  readonly inTry: string;
  readonly inChain: string;
  readonly inCatch: string;
  readonly inFinally: string;
  readonly beforeExit: string;
}

const ofClient: Words = {
  messages: {
    neverReleased: 'neverReleased',
    notReleasedOnSomePath: 'notReleasedOnSomePath',
    notReleasedOnThrow: 'notReleasedOnThrow',
    acquiredAgain: 'acquiredAgain',
  },
  noPath: 'No path releases the client.',
  still: 'The client is still checked out.',
  again: 'The same call checks out another client while the first one is still checked out.',
  inTry: 'Wrap the code after the checkout in `try … finally` and release in the `finally`',
  inChain: 'End the chain in that handler with `.finally(() => client.release())`',
  inCatch: 'Release in a `finally`, which also runs when the `catch` throws',
  inFinally: 'Release first in the `finally`, or wrap what may throw in its own `try … finally`',
  beforeExit: 'Release in a `finally` of this `try`',
};

const ofTransaction: Words = {
  messages: {
    neverReleased: 'neverEnded',
    notReleasedOnSomePath: 'notEndedOnSomePath',
    notReleasedOnThrow: 'notEndedOnThrow',
    acquiredAgain: 'begunAgain',
  },
  noPath: 'No path commits or rolls it back.',
  still: 'The transaction is still open.',
  again: 'The same call begins another transaction while the first one is still open.',
  inTry: 'Wrap the code after this call in `try … catch` and roll back in the `catch`',
  inChain: 'End the chain in that handler with a commit, and roll back in its `catch`',
  inCatch: 'Roll back first in the `catch`',
  inFinally: 'Roll back first in the `finally`',
  beforeExit: 'Commit or roll back before this exit',
};

const ofConnection: Words = {
  ...ofClient,
  messages: { ...ofClient.messages, neverReleased: 'connectionNeverReleased' },
};

const ofBorrowed: Words = {
  ...ofConnection,
  inTry: 'Release it in a `finally`, unless the surrounding calls hold it',
};

/** How a leak is reported, by what was taken. */
export function wordsOf({ acquisition: { driver, mayBeBorrowed } }: Checkout): Words {
  if (driver.isTransaction) return ofTransaction;
  if (mayBeBorrowed) return ofBorrowed;
  return libraryOf(driver) === undefined ? ofClient : ofConnection;
}

/** What to do depends on how the client comes: a `finally` helps neither a callback nor a chain. */
export function remedyFor(checkout: Checkout): string {
  const { call, style, driver } = checkout.acquisition;
  if (style === 'callback')
    return `${driver.closesByArgument ? 'Call `done()`' : 'Release it'} on every path of the callback, error branches included`;
  const up = parentOf(call);
  const { inChain, inTry } = wordsOf(checkout);
  return up?.type === 'MemberExpression' && memberName(up) === 'then'
    ? inChain
    : (releaseWrittenOut(checkout) ?? inTry);
}

/** The cure as code, where the client has a name and a method that releases it. */
function releaseWrittenOut(checkout: Checkout): string | undefined {
  const { call, driver, shape, mayBeBorrowed } = checkout.acquisition;
  const name = clientName(checkout);
  const taking = call.type === 'CallExpression' ? calledName(call.callee) : undefined;
  const [release] = driver.releases;
  const isOwn = !driver.isTransaction && shape === undefined && mayBeBorrowed !== true;
  return !isOwn || !name || !taking || !release
    ? undefined
    : `Wrap the code after \`${taking}()\` in \`try … finally { ${name}.${release}() }\``;
}

const late = 'Keep the promise of the client, and release the client when it arrives late';
const alone = 'Await the client on its own';

/** Where what throws stands in a `finally` or `catch` of its own, the `try` that one would ask for is there already. */
export function remedyBeside(thrower: Node, checkout: Checkout): string | undefined {
  const { joined, raced } = checkout.acquisition;
  if (raced !== undefined && contains(thrower, raced.call)) return late;
  if (joined !== undefined && contains(thrower, joined.call)) return alone;
  const inner = findAncestor(
    thrower,
    (each): each is Node =>
      isFunction(each) ||
      each.type === 'CatchClause' ||
      (each.parent?.type === 'TryStatement' && each.parent.finalizer === each),
  );
  if (inner === undefined || isFunction(inner)) return undefined;
  const { inCatch, inFinally } = wordsOf(checkout);
  return inner.type === 'CatchClause' ? inCatch : inFinally;
}
