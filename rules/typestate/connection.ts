import type { TSESTree } from '@typescript-eslint/types';
import type { Point } from '../flow/graph.ts';
import {
  addingMethods,
  removesListenersByName,
  removingMethods,
  removingWords,
} from '../model/listeners.ts';
import { methods } from '../model/drivers.ts';
import { constantText } from '../syntax/constants.ts';
import type { CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import { leftoverEvent, sitesOf, withLeftover } from './leftovers.ts';
import { memberName, unwrap } from '../syntax/source-file.ts';

/**
 * Follows what the program does to the connection behind its client: that it closes it, and which listeners it puts on it. Neither
 * goes away with a release (pg-pool 3.14 `index.js`, `_release`).
 */
export function trackConnection(fact: Fact, { kind, node }: Point, context: CheckoutContext): Fact {
  if (kind !== 'eval' || node?.type !== 'CallExpression' || fact.status !== 'held') return fact;
  const { callee } = node;
  const member = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (
    callee.type === 'MemberExpression' &&
    member !== undefined &&
    context.cells.valueOf(callee.object, fact) === 'client'
  )
    return afterMember(fact, member, node, context);
  return sitesOf(fact, 'listening').length > 0 && mayRemoveListeners(node, member, context)
    ? leftoverEvent(fact, 'listener removed')
    : fact;
}

function afterMember(
  fact: Fact,
  member: string,
  call: TSESTree.CallExpression,
  { session }: CheckoutContext,
): Fact {
  if (member === methods.end) return { ...fact, isEnded: true };
  if (addingMethods.has(member)) return withLeftover(fact, session.siteOf(call), 'listening');
  if (!removingMethods.has(member)) return fact;
  const event = eventOf(call);
  return leftoverEvent(
    fact,
    'listener removed',
    (site) => event === undefined || eventOf(session.callAt(site)) === event,
  );
}

/** The constant name of the event; undefined when it is not known, or all events are meant. */
function eventOf(call: TSESTree.CallExpression | undefined): string | undefined {
  const [event] = call?.arguments ?? [];
  return event === undefined ? undefined : constantText(unwrap(event));
}

/** `detach(client)`, `cleanUp()`: judged by the code of the called function, and by its name. */
function mayRemoveListeners(
  call: TSESTree.CallExpression,
  member: string | undefined,
  context: CheckoutContext,
): boolean {
  const name = member ?? (call.callee.type === 'Identifier' ? call.callee.name : undefined);
  const callee = context.calleeOf(call);
  if (callee !== undefined) return removingWords.test(callee.file.text.slice(...callee.node.range));
  return name === undefined || removesListenersByName(name);
}
