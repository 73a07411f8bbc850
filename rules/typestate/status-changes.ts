import type { Node } from '../syntax/node.ts';
import type { CheckoutContext } from './checkout.ts';
import { nothingLeft, type Fact } from './facts.ts';

/** Somebody else answers for the client from here on. */
export function escape(fact: Fact): Fact {
  return isOut(fact) ? { ...fact, status: 'escaped' } : fact;
}

/** The client was given to somebody who may have kept it. */
export function lend(fact: Fact): Fact {
  return fact.wasLent ? fact : { ...fact, wasLent: true };
}

/** This function answers for it. */
function isOut({ status }: Fact): boolean {
  return status === 'held' || status === 'pending' || status === 'unconnected';
}

/** `connection.destroy()`: a release behind it does nothing, and whatever is asked of the client fails. */
export function end(fact: Fact, site: Node, context: CheckoutContext): Fact {
  if (!isOut(fact)) return fact;
  context.log.onRelease(fact, site, false);
  return { ...escape(fact), ...nothingLeft, inFlight: null };
}

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
  return {
    ...fact,
    status: 'released',
    ...nothingLeft,
    inTransaction: isKept && fact.inTransaction,
    failedRollback: isKept && fact.failedRollback,
    inFlight: null,
  };
}
