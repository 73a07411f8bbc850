import type { State } from '../flow/explore.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import type { Finding, PathStep } from './finding.ts';
import { stepAt, stepOf, taken } from './path-step.ts';
import { cureOf, type Leaving } from './leak-cures.ts';
import { tryAroundReleases } from './release-code.ts';
import { wordsOf, type Leak } from './leak-words.ts';
import { clientText } from './client-text.ts';
import { excerpt } from '../syntax/excerpt.ts';
import { contains, findAncestor, type SourceFile } from '../syntax/source-file.ts';
import type { Here } from '../values/resolver.ts';
import { unintended } from './kept-on-purpose.ts';
import { decisionOn } from './deciding.ts';
import { mayKnowOfLoss } from './double-release.ts';
import {
  exitOf,
  isLeavingRound,
  lastThrower,
  lastThrowerSeen,
  rejectionIn,
  wasThrown,
  type Exit,
} from './way-out.ts';
import { leakingAmong, sinceAcquire } from '../typestate/leaking.ts';

/** The checkout does not come back on some path: at most one finding, a normal path before an exception, and the likeliest of each. */
export function findLeak(
  checkout: Checkout,
  { file, resolver }: Here,
  alike: readonly Checkout[] = [],
): Finding | undefined {
  return leakAmong({ checkout, file, resolver, alike }, () => true);
}

/** What throws in front of the `try` that releases too early: whatever is done about that, this way stays. */
export function findLeakInFront(
  checkout: Checkout,
  { file, resolver }: Here,
  alike: readonly Checkout[],
): Finding | undefined {
  const around = tryAroundReleases(checkout);
  return (
    around &&
    leakAmong({ checkout, file, resolver, alike }, (state) => {
      const thrower =
        state.point.kind === 'throw-exit' ? lastThrowerSeen(checkout, state) : undefined;
      return thrower !== undefined && thrower.range[1] <= around.range[0];
    })
  );
}

function leakAmong(told: Told, isAsked: (state: State<Fact>) => boolean): Finding | undefined {
  const { checkout, file } = told;
  const { exploration, releases } = checkout;
  if (mayKnowOfLoss(checkout, file)) return undefined;
  const all = leakingAmong([...exploration.states, ...exploration.ends], checkout);
  const leaking = unintended(all, checkout, told).filter(isAsked);
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
  if (unsent) return endsUnsent(told, unsent);
  // Where nobody ever releases the client or takes it over, the way it leaves is not what is wrong.
  if (
    releases === 0 &&
    leaking.length === all.length &&
    !exploration.states.some(
      ({ fact }) => fact.wasLent || fact.status === 'returned' || fact.status === 'escaped',
    )
  )
    return neverReleased(told, first);
  return normal === undefined ? leavesByException(told, first) : leavesNormally(told, normal);
}

/** What the message of a finding says. */
interface Told extends Here {
  readonly checkout: Checkout;
  /** Others of the file whose client comes from the same function. */
  readonly alike: readonly Checkout[];
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
  { checkout, alike, ...where }: Told,
  messageId: Leak,
  data: Record<string, string>,
  steps: readonly PathStep[],
  leaving?: Leaving,
): Finding {
  const { call, poolText } = checkout.acquisition;
  return {
    rule: 'no-unreleased-client',
    messageId: wordsOf(checkout).messages[messageId],
    data: {
      pool: poolText,
      client: clientText(checkout),
      remedy: cureOf(checkout, leaving, where, alike),
      ...data,
    },
    place: call.loc,
    steps: [taken(checkout), ...steps],
  };
}

/** `await trx.commit()`: nothing sends it. */
function endsUnsent(told: Told, end: Node): Finding {
  const { checkout, file } = told;
  const { poolText, driver } = checkout.acquisition;
  const by = driver.releasedBy ?? '';
  return {
    ...finding(told, 'neverReleased', {}, [
      stepOf(end, file, `only builds the command: it is not sent without \`.${by}()\`.`),
    ]),
    messageId: 'endNotSent',
    data: { pool: poolText, end: excerpt(end, file), line: String(end.loc.start.line), by },
  };
}

function neverReleased(told: Told, leak: State<Fact>): Finding {
  const { checkout, file } = told;
  const exit = exitOf(checkout, leak, file);
  return finding(told, 'neverReleased', {}, [
    { place: exit.place, text: `${exit.text} ${wordsOf(checkout).noPath}` },
  ]);
}

function leavesNormally(told: Told, leak: State<Fact>): Finding {
  const { checkout, file } = told;
  const exit = exitOf(checkout, leak, file);
  if (leak.fact.status === 'lost') {
    const isJump = isLeavingRound(exit.node, checkout);
    const next = stepAt(checkout.acquisition.call, wordsOf(checkout).again);
    const where = isJump ? ` (line ${exit.place.start.line})` : '';
    return finding(
      told,
      'acquiredAgain',
      { where },
      isJump ? [{ place: exit.place, text: exit.text }, next] : [next],
    );
  }
  const failed = caughtBefore(exit.node, checkout, leak);
  const before = tellCaught(failed, file);
  const decision =
    exit.node === null && failed === undefined ? decisionOn(leak, checkout, file) : undefined;
  return finding(
    told,
    'notReleasedOnSomePath',
    { when: decision === undefined ? whenLeft(exit, before.words) : `if ${decision.words}` },
    [
      ...before.steps,
      ...(decision === undefined ? [] : [decision.step]),
      { place: exit.place, text: `${exit.text} ${wordsOf(checkout).still}` },
    ],
    { node: exit.node, how: 'exit', caught: failed },
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
  return {
    words: ` after line ${failed.loc.start.line} failed`,
    steps: [stepOf(failed, file, 'may fail, and the error is caught.')],
  };
}

function leavesByException(told: Told, leak: State<Fact>): Finding {
  const { checkout, file } = told;
  const thrower = lastThrower(checkout, leak) ?? checkout.acquisition.call;
  const rejection = rejectionIn(thrower, checkout, leak);
  if (rejection !== undefined) return leavesByRejection(told, rejection, thrower);
  const does = thrower.type === 'ThrowStatement' ? 'throws' : 'may throw';
  const failed =
    thrower.type === 'ThrowStatement' ? failedBefore(thrower, checkout, leak) : undefined;
  const before = tellCaught(failed, file);
  return finding(
    told,
    'notReleasedOnThrow',
    { when: `if line ${thrower.loc.start.line} throws${before.words}` },
    [
      ...before.steps,
      stepOf(thrower, file, `${does}, and control leaves the function. ${wordsOf(checkout).still}`),
    ],
    { node: thrower, how: 'throw' },
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

/** A promise made around the checkout rejects; one that is made and awaited behind it throws. */
function leavesByRejection(told: Told, rejection: Node, promise: Node): Finding {
  const { checkout, file } = told;
  const isAround = contains(promise, checkout.acquisition.call);
  return finding(
    told,
    'notReleasedOnSomePath',
    { when: `if the promise rejects at line ${rejection.loc.start.line}` },
    [stepOf(rejection, file, `rejects the promise. ${wordsOf(checkout).still}`)],
    isAround ? { node: rejection, how: 'reject' } : { node: promise, how: 'throw' },
  );
}
