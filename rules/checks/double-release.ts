import type { Node, CallNode } from '../syntax/node.ts';
import {
  enclosingCall,
  referencesAfterRelease,
  seenFrom,
  type AfterRelease,
} from './after-release.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepOf } from './path-step.ts';
import { isDoubtful } from './guards.ts';
import type { Here } from '../values/resolver.ts';
import { dropRelease } from '../fixes/drop-release.ts';
import { usesOfParameter } from '../syntax/parameters.ts';
import { useOf } from '../syntax/uses.ts';
import { findAncestor, unwrap } from '../syntax/source-file.ts';

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
