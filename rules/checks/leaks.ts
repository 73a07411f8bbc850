import type { State } from '../flow/explore.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Finding, PathStep } from './finding.ts';
import { libraryOf } from '../model/libraries.ts';
import { takenText } from './taken-text.ts';
import { mention, placeOf } from '../syntax/mention.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Resolver } from '../values/resolver.ts';
import { unintended } from './kept-on-purpose.ts';
import { exitOf, isLeavingRound, lastThrower, rejectionIn, wasThrown } from './way-out.ts';
import { leakingAmong, sinceAcquire } from '../typestate/leaking.ts';

/** The checkout does not come back on some path: at most one finding, a normal path before an exception, and the likeliest of each. */
export function findLeak(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): Finding | undefined {
  const { exploration, releases } = checkout;
  const all = leakingAmong([...exploration.states, ...exploration.ends], checkout);
  const leaking = unintended(all, checkout, file, resolver);
  const failures = failuresOn();
  const normal = likeliest(
    leaking.filter(
      (state) => state.fact.status === 'lost' || (state.point.kind === 'exit' && !wasThrown(state)),
    ),
    failures,
  );
  const first = normal ?? likeliest(leaking, failures);
  if (first === undefined) return undefined;
  const unsent = sinceAcquire(checkout, first).findLast(
    ({ point }) => point.node !== null && checkout.unsentReleases.has(point.node),
  )?.point.node;
  if (unsent) return endsUnsent(checkout, unsent, file);
  // Where nobody ever releases the client or takes it over, the way it leaves is not what is wrong.
  if (
    releases === 0 &&
    leaking.length === all.length &&
    !exploration.states.some(
      ({ fact }) => fact.wasLent || fact.status === 'returned' || fact.status === 'escaped',
    )
  )
    return neverReleased(checkout, first, file);
  return normal === undefined
    ? leavesByException(checkout, first, file)
    : leavesNormally(checkout, normal, file);
}

type Failures = (state: State<Fact>) => number;

/** The one with the fewest failures on its way: a ROLLBACK that fails as well hides that the client is lost whenever the work fails. */
function likeliest(leaks: readonly State<Fact>[], failures: Failures): State<Fact> | undefined {
  const counts = leaks.map(failures);
  const fewest = counts.reduce((least, count) => Math.min(least, count), Infinity);
  return leaks[counts.indexOf(fewest)];
}

/** How often something failed by itself on the way to a state; a `throw` of the program is no failure more. Ways share their beginnings, which are counted once. */
function failuresOn(): Failures {
  const known = new Map<State<Fact>, number>();
  return (state) => {
    const uncounted: State<Fact>[] = [];
    let each: State<Fact> | null = state;
    for (; each !== null && !known.has(each); each = each.from) uncounted.push(each);
    let count = each === null ? 0 : (known.get(each) ?? 0);
    for (const next of uncounted.reverse()) known.set(next, (count += isFailure(next) ? 1 : 0));
    return count;
  };
}

function isFailure({ via, from }: State<Fact>): boolean {
  const point = via?.when === 'throw' ? from?.point : undefined;
  return (
    point !== undefined &&
    point.node !== null &&
    point.kind !== 'unhandled' &&
    point.node.type !== 'ThrowStatement'
  );
}

type Leak = 'neverReleased' | 'notReleasedOnSomePath' | 'notReleasedOnThrow' | 'acquiredAgain';

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
  still: 'The client is still held.',
  again: 'The same call checks out another client while the first one is still held.',
  inTry: 'Start a `try` right after the checkout and release in its `finally`',
  inChain: 'End the chain inside that handler with `.finally(() => client.release())`',
  inCatch: 'Release in a `finally`, which also runs when the `catch` throws',
  inFinally:
    'Release in a `finally` around what may throw here, so that nothing comes before the release',
  beforeExit: 'Release in a `finally` of this `try`, which this exit passes too',
};

const ofTransaction: Words = {
  messages: {
    neverReleased: 'neverEnded',
    notReleasedOnSomePath: 'notEndedOnSomePath',
    notReleasedOnThrow: 'notEndedOnThrow',
    acquiredAgain: 'begunAgain',
  },
  noPath: 'No path commits it or rolls it back.',
  still: 'The transaction is still open.',
  again: 'The same call begins another transaction while the first one is still open.',
  inTry: 'Start a `try` right after this call and roll back in its `catch`',
  inChain: 'End the chain inside that handler with a commit, and with a rollback in its `catch`',
  inCatch: 'Roll back before anything else in the `catch`',
  inFinally: 'Roll back before anything else in the `finally`',
  beforeExit: 'Commit or roll back before this exit, too',
};

const ofConnection: Words = {
  ...ofClient,
  messages: { ...ofClient.messages, neverReleased: 'connectionNeverReleased' },
};

function wordsOf({ acquisition: { driver } }: Checkout): Words {
  if (driver.isTransaction) return ofTransaction;
  return libraryOf(driver) === undefined ? ofClient : ofConnection;
}

function finding(
  checkout: Checkout,
  messageId: Leak,
  data: Record<string, string>,
  steps: readonly PathStep[],
): Finding {
  const { call, poolText } = checkout.acquisition;
  return {
    rule: 'no-unreleased-client',
    messageId: wordsOf(checkout).messages[messageId],
    data: { pool: poolText, remedy: remedyFor(checkout), ...data },
    place: placeOf(call),
    steps: [{ place: placeOf(call), text: takenText(checkout) }, ...steps],
  };
}

/** What to do depends on how the client comes: a `finally` helps neither a callback nor a chain. */
function remedyFor(checkout: Checkout): string {
  const { call, style, driver } = checkout.acquisition;
  if (style === 'callback')
    return `${driver.closesByArgument ? 'Call `done()`' : 'Release it'} on every path of the callback, first thing in an error branch`;
  const up = parentOf(call);
  const { inChain, inTry } = wordsOf(checkout);
  return up?.type === 'MemberExpression' && memberName(up) === 'then' ? inChain : inTry;
}

/** `await trx.commit()`: nothing sends it. */
function endsUnsent(checkout: Checkout, end: Node, file: SourceFile): Finding {
  const place = placeOf(end);
  const what = mention(end, file);
  const { poolText, driver } = checkout.acquisition;
  const by = driver.releasedBy ?? '';
  return {
    ...finding(checkout, 'neverReleased', {}, [
      { place, text: `${what} only builds the command: without \`.${by}()\` it sends nothing.` },
    ]),
    messageId: 'endNotSent',
    data: { pool: poolText, end: what, line: String(place.start.line), by },
  };
}

function neverReleased(checkout: Checkout, leak: State<Fact>, file: SourceFile): Finding {
  const exit = exitOf(checkout, leak, file);
  return finding(checkout, 'neverReleased', {}, [
    { place: exit.place, text: `${exit.text} ${wordsOf(checkout).noPath}` },
  ]);
}

function leavesNormally(checkout: Checkout, leak: State<Fact>, file: SourceFile): Finding {
  const exit = exitOf(checkout, leak, file);
  if (leak.fact.status === 'lost') {
    const isJump = isLeavingRound(exit.node, checkout);
    const next = {
      place: placeOf(checkout.acquisition.call),
      text: wordsOf(checkout).again,
    };
    const where = isJump ? ` (line ${exit.place.start.line}, ${exit.what})` : '';
    return finding(
      checkout,
      'acquiredAgain',
      { where },
      isJump ? [{ place: exit.place, text: exit.text }, next] : [next],
    );
  }
  const failed = caughtBefore(exit.node, checkout, leak);
  const before = tellCaught(failed, file);
  return finding(
    checkout,
    'notReleasedOnSomePath',
    {
      line: String(exit.place.start.line),
      where: exit.what + before.words,
      ...(isInLaterTry(exit.node, checkout) && { remedy: wordsOf(checkout).beforeExit }),
    },
    [...before.steps, { place: exit.place, text: `${exit.text} ${wordsOf(checkout).still}` }],
  );
}

/** The block of a `try` after the call is left, whose handlers do not run then. */
function isInLaterTry(exit: Node | null, { acquisition: { call } }: Checkout): boolean {
  const around =
    exit && findAncestor(exit, (each) => each.type === 'TryStatement' || isFunction(each));
  return (
    around?.type === 'TryStatement' &&
    around.finalizer === null &&
    around.range[0] > call.range[1] &&
    contains(around.block, exit ?? around)
  );
}

/** What failed on the way to a normal end: worth saying where the function ends behind a handler, or leaves in one. */
function caughtBefore(exit: Node | null, checkout: Checkout, leak: State<Fact>): Node | undefined {
  const failed = lastThrower(checkout, leak);
  if (failed === undefined || exit === null || contains(exit, failed)) return failed;
  return findAncestor(exit, (each): each is Node => each.type === 'CatchClause') === undefined
    ? undefined
    : failed;
}

/** What failed and was caught on the way, at the end of a sentence and as a step of the path. */
function tellCaught(
  failed: Node | undefined,
  file: SourceFile,
): { readonly words: string; readonly steps: Finding['steps'] } {
  if (failed === undefined) return { words: '', steps: [] };
  const what = mention(failed, file);
  return {
    words: `, after ${what} failed at line ${failed.loc.start.line}`,
    steps: [{ place: placeOf(failed), text: `${what} may fail, and the error is caught.` }],
  };
}

function leavesByException(checkout: Checkout, leak: State<Fact>, file: SourceFile): Finding {
  const thrower = lastThrower(checkout, leak) ?? checkout.acquisition.call;
  const rejection = rejectionIn(thrower, checkout, leak);
  if (rejection !== undefined) return leavesByRejection(checkout, rejection, file);
  const place = placeOf(thrower);
  const what = mention(thrower, file);
  const does = thrower.type === 'ThrowStatement' ? 'throws' : 'may throw';
  const remedy = remedyBeside(thrower, checkout);
  const failed =
    thrower.type === 'ThrowStatement' ? failedBefore(thrower, checkout, leak) : undefined;
  const before = tellCaught(failed, file);
  const where = what + before.words;
  return finding(
    checkout,
    'notReleasedOnThrow',
    { line: String(place.start.line), where, ...(remedy === undefined ? {} : { remedy }) },
    [
      ...before.steps,
      {
        place,
        text: `${what} ${does}, and control leaves the function. ${wordsOf(checkout).still}`,
      },
    ],
  );
}

/** What failed on the way into the handler that throws. */
function failedBefore(thrower: Node, checkout: Checkout, leak: State<Fact>): Node | undefined {
  if (
    findAncestor(thrower, (each): each is Node => isFunction(each) || each.type === 'CatchClause')
      ?.type !== 'CatchClause'
  )
    return undefined;
  return sinceAcquire(checkout, leak).findLast(isFailure)?.from?.point.node ?? undefined;
}

const late =
  'Keep the promise of the client in a variable, and release the client there when it comes too late';
const alone = 'Wait for the client in an `await` of its own';

/** Where what throws stands in a `finally` or `catch` of its own, the `try` that one would ask for is there already. */
function remedyBeside(thrower: Node, checkout: Checkout): string | undefined {
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

function leavesByRejection(checkout: Checkout, rejection: Node, file: SourceFile): Finding {
  const place = placeOf(rejection);
  const what = mention(rejection, file);
  return finding(
    checkout,
    'notReleasedOnSomePath',
    { line: String(place.start.line), where: what },
    [{ place, text: `${what} ends the work. ${wordsOf(checkout).still}` }],
  );
}
