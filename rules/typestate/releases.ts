import type { Node } from '../syntax/node.ts';
import type { CheckoutContext } from './checkout.ts';
import { escape, giveToPool, isOut, nothingLeft, type Fact } from './facts.ts';

/** A truthy argument destroys the connection and all its state with it (pg-pool `index.js`, `_release`). */
export function release(
  fact: Fact,
  site: Node,
  argument: Node | null,
  context: CheckoutContext,
): Fact {
  if (!isOut(fact)) return fact;
  const isKept = context.keepsConnection(argument, fact);
  context.log.onRelease(fact, site, isKept);
  return giveToPool(fact, isKept);
}

/** `connection.destroy()`: a release behind it does nothing, and whatever is asked of the client fails. */
export function end(fact: Fact, site: Node, context: CheckoutContext): Fact {
  if (!isOut(fact)) return fact;
  context.log.onRelease(fact, site, false);
  return { ...escape(fact), ...nothingLeft };
}
