import type { Node, CallNode } from '../syntax/node.ts';
import {
  enclosingCall,
  referencesAfterRelease,
  seenFrom,
  type AfterRelease,
} from './after-release.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepOf, stepAt } from './path-step.ts';
import { isDoubtful, isGuarded } from './guards.ts';
import type { Here } from '../values/resolver.ts';
import { dropRelease } from '../fixes/drop-release.ts';
import { usesOfParameter } from '../syntax/parameters.ts';
import { useOf } from '../syntax/uses.ts';
import { findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** Releases of a client that has been released already, on some path of the same checkout: one finding a place. */
export function findDoubleReleases(checkout: Checkout, here: Here): readonly Finding[] {
  const { file } = here;
  if (checkout.acquisition.driver.secondRelease === null) return [];
  return referencesAfterRelease(checkout)
    .filter((after) => releases(after, checkout, here) && !isDoubtful(after, checkout, file))
    .map((after) => describe(checkout, after, here));
}

/** The calls of the function itself that release the client once more, perhaps in a helper. */
export function callsReleasingAgain(checkout: Checkout, here: Here): ReadonlySet<Node> {
  const again = referencesAfterRelease(checkout).filter((after) => releases(after, checkout, here));
  return new Set(
    again.map(({ node, state }) => seenFrom(enclosingCall(node), state.point, checkout.graph)),
  );
}

function releases(
  { state, node, value, use }: AfterRelease,
  checkout: Checkout,
  here: Here,
): boolean {
  if (state.point.kind === 'invoke') return value === 'release';
  if (use.kind === 'callee') return value === 'release';
  if (use.kind === 'argument')
    return (
      value === 'client' &&
      use.call.type === 'CallExpression' &&
      checkout.surelyReleases(use.call, state.fact) &&
      !readsGiven(use.call, node, here)
    );
  return (
    use.kind === 'receiver' &&
    value === 'client' &&
    use.call !== null &&
    checkout.acquisition.driver.releases.includes(use.member ?? '')
  );
}

/** A function that reads members of its client, `if (client.isBack) return`, may know that it came back. */
function readsGiven(
  { callee, arguments: given }: CallNode,
  client: Node,
  { file, resolver }: Here,
): boolean {
  const abstractValue = resolver.abstractValueOf(callee, file);
  const index = given.findIndex((argument) => unwrap(argument) === client);
  return (
    abstractValue?.kind !== 'function' ||
    usesOfParameter(abstractValue.node, index, abstractValue.file).some((name) => {
      const use = useOf(name);
      return use.kind === 'receiver' && use.call === null;
    })
  );
}

function describe(checkout: Checkout, after: AfterRelease, { file, resolver }: Here): Finding {
  const { driver } = checkout.acquisition;
  const first = seenFrom(after.release, after.releaseState.point, checkout.graph);
  const second = seenFrom(enclosingCall(after.node), after.state.point, checkout.graph);
  return {
    rule: 'no-double-release',
    messageId: first === second ? 'releasedInEachRound' : 'releasedAgain',
    data: {
      line: String(first.loc.start.line),
      remedy: remedyFor(checkout, first, second, first !== after.release),
    },
    place: second.loc,
    steps: [
      checkedOut(checkout),
      stepOf(first, file, 'releases it.'),
      stepOf(
        second,
        file,
        `releases it again: this ${driver.secondRelease ?? ''}, or takes the client from its next user.`,
      ),
    ],
    suggestions:
      first === second || after.use.kind === 'argument'
        ? []
        : dropRelease(checkout, second, after.node, file, resolver),
  };
}

/** A helper that releases may do more than that, so that its call has to stay. */
function remedyFor(
  { acquisition }: Checkout,
  first: Node,
  second: Node,
  isInHelper: boolean,
): string {
  if (!isInHelper && isInFinalizer(second) && !isInFinalizer(first))
    return `Remove the release at line ${first.loc.start.line}: the \`finally\` releases on every path`;
  if (acquisition.style === 'callback')
    return `Return from the callback after the release at line ${first.loc.start.line}`;
  return 'Release once on each path, for example in a `finally`';
}

function isInFinalizer(node: Node): boolean {
  const statement = findAncestor(
    node,
    (each): each is Node => each.parent?.type === 'TryStatement' && each.parent.finalizer === each,
  );
  return statement !== undefined;
}

/** A listener that releases the client once its connection is lost, beside a release that leaves it there: the second of the two throws in the listener. */
export function findOwningListeners(checkout: Checkout, file: SourceFile): readonly Finding[] {
  const { exploration, owningListeners } = checkout;
  if (!exploration.isComplete || mayKnowOfLoss(checkout, file)) return [];
  return [...owningListeners].flatMap(([listener, release]) =>
    release === undefined
      ? []
      : {
          rule: 'no-double-release',
          messageId: 'listenerReleases',
          data: { line: String(release.loc.start.line) },
          place: listener.loc,
          steps: [
            checkedOut(checkout),
            stepOf(release, file, 'releases it.'),
            stepAt(
              listener,
              'The listener is still there and releases it again if the connection is lost: this throws, and the process ends.',
            ),
          ],
        },
  );
}

/** Beside a listener that releases a lost client, what else decides about a release may know of that. */
export function mayKnowOfLoss(
  { owningListeners, releaseSites }: Checkout,
  file: SourceFile,
): boolean {
  return owningListeners.size > 0 && [...releaseSites].some((each) => isGuarded(each, file));
}
