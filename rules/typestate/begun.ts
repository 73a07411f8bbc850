import { isThrown, type Edge } from '../flow/graph.ts';
import { libraryOf } from '../model/libraries.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { memberName, unwrap } from '../syntax/source-file.ts';
import { afterUse } from './after-use.ts';
import type { CheckoutContext } from './checkout.ts';
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
  return beginsAgain(node.callee, fact, context) ? [checkoutEvent(fact, 'returned')] : undefined;
}

/** `em.begin()` of what has begun, or may have: which of the two its end ends is not known, and nothing more is said of it. */
function beginsAgain(
  callee: Node,
  fact: Fact,
  { acquisition: { driver }, accessPaths }: CheckoutContext,
): boolean {
  if (callee.type !== 'MemberExpression' || fact.status !== 'held') return false;
  const name = memberName(callee);
  const begins = libraryOf(driver)?.begins ?? [];
  return (
    begins.some(({ gives, path }) => gives === 'nothing' && path === name) &&
    accessPaths.valueOf(callee.object, fact) === 'client'
  );
}

/** `em.commit()`: where it fails, it has released nothing. */
export function staysOut(
  promise: Node,
  fact: Fact,
  { acquisition, accessPaths }: CheckoutContext,
): boolean {
  const call = unwrap(promise);
  return (
    fact.status === 'released' &&
    call.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    acquisition.driver.outIfFailed?.includes(memberName(call.callee) ?? '') === true &&
    accessPaths.valueOf(call.callee.object, fact) === 'client'
  );
}
