import type { Point } from '../flow/graph.ts';
import { addingMethods, removingMethods } from '../model/listeners.ts';
import { methods } from '../model/drivers.ts';
import { constantText } from '../syntax/constants.ts';
import { methodOfClient, type CheckoutContext } from './checkout.ts';
import { isOurs, type Fact } from './facts.ts';
import { leftoverEvent, sitesOf, withLeftover } from './leftovers.ts';
import type { KnownFunction } from './outcome.ts';
import { isOwningListener } from './owning-listeners.ts';
import { isQuietReceiver } from './quiet-objects.ts';
import { someIn } from '../syntax/preorder.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { findAncestor, memberName, parentOf, unwrap } from '../syntax/source-file.ts';

/**
 * Follows what the program does to the connection behind its client: that it closes it, and which listeners it puts on it. Neither
 * goes away with a release (pg-pool 3.14 `index.js`, `_release`).
 */
export function trackConnection(fact: Fact, { kind, node }: Point, context: CheckoutContext): Fact {
  if (kind !== 'eval' || node?.type !== 'CallExpression' || fact.status !== 'held') return fact;
  const member = methodOfClient(node, fact, context);
  if (member !== undefined) return afterMember(fact, member, node, context);
  return sitesOf(fact, 'listening', 'owned by listener').length > 0 &&
    mayRemoveListeners(node, fact, context)
    ? leftoverEvent(fact, 'listener removed')
    : fact;
}

function afterMember(fact: Fact, member: string, call: CallNode, context: CheckoutContext): Fact {
  const { session, log } = context;
  if (member === methods.end) return { ...fact, isEnded: true };
  if (isOwningListener(call, fact, context)) {
    log.onOwner(call);
    return withLeftover(fact, session.siteOf(call), 'owned by listener');
  }
  if (addingMethods.has(member)) return withLeftover(fact, session.siteOf(call), 'listening');
  if (!removingMethods.has(member)) return fact;
  const event = eventOf(call);
  return leftoverEvent(
    fact,
    'listener removed',
    (site) => event === undefined || eventOf(session.siteAt(site)?.call) === event,
  );
}

/** The constant name of the event; undefined when it is not known, or all events are meant. */
function eventOf(call: CallNode | undefined): string | undefined {
  const [event] = call?.arguments ?? [];
  return event === undefined ? undefined : constantText(unwrap(event));
}

/**
 * `detach(client)`, `off()`: a function that is known does what its code says. One that is not may take listeners off where it is
 * called by the way or in a `finally`, with the client or with nothing; whoever is waited for elsewhere works with the client.
 */
function mayRemoveListeners(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const known = context.functionAt(call.callee) ?? closureOf(call, context);
  if (known !== undefined) return removesListeners(known);
  if (isQuietReceiver(call.callee, context.file)) return false;
  const isByTheWay =
    parentOf(call)?.type === 'ExpressionStatement' ||
    findAncestor(call, (each): each is Node => isFinalizer(each)) !== undefined;
  return (
    isByTheWay &&
    (call.arguments.length === 0 ||
      call.arguments.some((each) => isOurs(context.accessPaths.valueOf(each, fact))))
  );
}

function closureOf({ callee }: CallNode, context: CheckoutContext): KnownFunction | undefined {
  const node = context.closureOf(callee);
  return node === null ? undefined : { kind: 'function', node, file: context.file };
}

function isFinalizer(node: Node): boolean {
  const up = parentOf(node);
  return up?.type === 'TryStatement' && up.finalizer === node;
}

function removesListeners({ node, file }: KnownFunction): boolean {
  return someIn(file, node, (each) => removingMethods.has(memberName(each) ?? ''));
}
