import { isThrown, type Edge } from '../flow/graph.ts';
import { libraryOf } from '../model/libraries.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { afterUse } from './after-use.ts';
import { methodOfClient, type CheckoutContext } from './checkout.ts';
import { checkoutEvent, type Fact } from './facts.ts';

/** The facts after a call of what begins a transaction once for all: a provider, or a handle that has begun; undefined for any other call. */
export function callAgain(
  fact: Fact,
  node: CallNode,
  { when }: Edge,
  context: CheckoutContext,
): readonly Fact[] | undefined {
  if (context.accessPaths.valueOf(node.callee, fact) === 'provider' && !isThrown(when))
    return [afterUse(checkoutEvent(fact, 'provided'), node, context)];
  return beginsAgain(node, fact, context) ? [checkoutEvent(fact, 'returned')] : undefined;
}

/** `em.begin()` of what has begun, or may have: which of the two its end ends is not known, and nothing more is said of it. */
function beginsAgain(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const name = fact.status === 'held' ? methodOfClient(call, fact, context) : undefined;
  const { begins = [] } = libraryOf(context.acquisition.driver) ?? {};
  return (
    name !== undefined && begins.some(({ gives, path }) => gives === 'nothing' && path === name)
  );
}

/** `em.commit()`: where it fails, it has released nothing. */
export function staysOut(promise: Node, fact: Fact, context: CheckoutContext): boolean {
  const { outIfFailed = [] } = context.acquisition.driver;
  return (
    fact.status === 'released' && outIfFailed.includes(methodOfClient(promise, fact, context) ?? '')
  );
}
