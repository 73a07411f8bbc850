import type { State } from '../flow/explore.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Finding, PathStep } from './finding.ts';
import { remedyBeside, remedyFor, wordsOf, type Leak } from './leak-words.ts';
import { clientText, takenText } from './taken-text.ts';
import { excerpt, placeOf } from '../syntax/excerpt.ts';
import { contains, findAncestor, type SourceFile } from '../syntax/source-file.ts';
import type { Resolver } from '../values/resolver.ts';
import { unintended } from './kept-on-purpose.ts';
import { mayKnowOfLoss } from './owning-listeners.ts';
import {
  exitOf,
  isLeavingRound,
  lastThrower,
  rejectionIn,
  wasThrown,
  type Exit,
} from './way-out.ts';
import { leakingAmong, sinceAcquire } from '../typestate/leaking.ts';

/** The checkout does not come back on some path: at most one finding, a normal path before an exception, and the likeliest of each. */
export function findLeak(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): Finding | undefined {
  const { exploration, releases } = checkout;
  if (mayKnowOfLoss(checkout, file)) return undefined;
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
    data: {
      pool: poolText,
      client: clientText(checkout),
      remedy: remedyFor(checkout),
      ...data,
    },
    place: placeOf(call),
    steps: [{ place: placeOf(call), text: takenText(checkout) }, ...steps],
  };
}

/** `await trx.commit()`: nothing sends it. */
function endsUnsent(checkout: Checkout, end: Node, file: SourceFile): Finding {
  const place = placeOf(end);
  const what = excerpt(end, file);
  const { poolText, driver } = checkout.acquisition;
  const by = driver.releasedBy ?? '';
  return {
    ...finding(checkout, 'neverReleased', {}, [
      { place, text: `${what} only builds the command: it is not sent without \`.${by}()\`.` },
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
    const where = isJump ? ` (line ${exit.place.start.line})` : '';
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
      when: whenLeft(exit, before.words),
      ...(isInLaterTry(exit.node, checkout) && { remedy: wordsOf(checkout).beforeExit }),
    },
    [...before.steps, { place: exit.place, text: `${exit.text} ${wordsOf(checkout).still}` }],
  );
}

/** "if the function returns at line 7", at the end of the message's first sentence. */
function whenLeft({ node, place: { start } }: Exit, failed: string): string {
  if (node === null && failed === '')
    return `on a path to the end of the function (line ${start.line})`;
  return `if ${exits[node?.type ?? ''] ?? 'the function ends'} at line ${start.line}${failed}`;
}

const exits: Readonly<Record<string, string>> = {
  ReturnStatement: 'the function returns',
  YieldExpression: 'its consumer stops',
  BreakStatement: 'the loop is left',
  ContinueStatement: 'the iteration is left',
};

/** The block of a `try` after the call is left, whose handlers do not run then. */
function isInLaterTry(exit: Node | null, { acquisition: { call } }: Checkout): boolean {
  const enclosing =
    exit && findAncestor(exit, (each) => each.type === 'TryStatement' || isFunction(each));
  return (
    enclosing?.type === 'TryStatement' &&
    enclosing.finalizer === null &&
    enclosing.range[0] > call.range[1] &&
    contains(enclosing.block, exit ?? enclosing)
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
  const what = excerpt(failed, file);
  return {
    words: ` after line ${failed.loc.start.line} failed`,
    steps: [{ place: placeOf(failed), text: `${what} may fail, and the error is caught.` }],
  };
}

function leavesByException(checkout: Checkout, leak: State<Fact>, file: SourceFile): Finding {
  const thrower = lastThrower(checkout, leak) ?? checkout.acquisition.call;
  const rejection = rejectionIn(thrower, checkout, leak);
  if (rejection !== undefined) return leavesByRejection(checkout, rejection, file);
  const place = placeOf(thrower);
  const what = excerpt(thrower, file);
  const does = thrower.type === 'ThrowStatement' ? 'throws' : 'may throw';
  const remedy = remedyBeside(thrower, checkout);
  const failed =
    thrower.type === 'ThrowStatement' ? failedBefore(thrower, checkout, leak) : undefined;
  const before = tellCaught(failed, file);
  return finding(
    checkout,
    'notReleasedOnThrow',
    {
      when: `if line ${place.start.line} throws${before.words}`,
      ...(remedy === undefined ? {} : { remedy }),
    },
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

function leavesByRejection(checkout: Checkout, rejection: Node, file: SourceFile): Finding {
  const place = placeOf(rejection);
  const what = excerpt(rejection, file);
  return finding(
    checkout,
    'notReleasedOnSomePath',
    { when: `if the promise rejects at line ${place.start.line}` },
    [{ place, text: `${what} rejects the promise. ${wordsOf(checkout).still}` }],
  );
}
