import { isChain } from '../syntax/chains.ts';
import { isFunction, type Node, type CallNode } from '../syntax/node.ts';
import { isThrown, type Edge, type Point } from '../flow/graph.ts';
import type { CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import { leftoverEvent, sitesOf, withLeftover } from './leftovers.ts';
import { isQuery, isWork, queriesInPlace } from './started-work.ts';
import { findAncestor, unwrap } from '../syntax/source-file.ts';
import { nextInChain } from '../syntax/call-chain.ts';

/**
 * Follows whether a query is on its way: started, and nothing awaited since. Queries of a client run one after the other (pg 8.23
 * `lib/client.js`, `_pulseQueryQueue`), so whatever is awaited later on the client has waited for this one too; other awaits get
 * the benefit of the doubt.
 */
export function trackQueries(
  fact: Fact,
  { kind, node }: Point,
  edge: Edge,
  context: CheckoutContext,
): Fact {
  // An unlikely path is never reported, so its queries need no tracking.
  if (fact.status !== 'held' || fact.followsImplicitThrow) return leftoverEvent(fact, 'awaited');
  if (node === null) return fact;
  if (isWait(kind, node)) return leftoverEvent(fact, 'awaited');
  // A call that throws at once has sent nothing.
  const started =
    kind === 'eval' && !isThrown(edge.when) ? startedBy(node, fact, context) : undefined;
  if (started === undefined) return fact;
  const before = queryInFlight(fact, context);
  if (before !== undefined) context.log.onOverlap(started, before);
  return withLeftover(leftoverEvent(fact, 'awaited'), context.session.siteOf(started), 'in flight');
}

function queryInFlight(fact: Fact, { session }: CheckoutContext): CallNode | undefined {
  const [site] = sitesOf(fact, 'in flight');
  return site === undefined ? undefined : session.siteAt(site)?.call;
}

function isWait(kind: Point['kind'], node: Node): boolean {
  return (
    kind === 'settle' ||
    (kind === 'eval' &&
      (node.type === 'AwaitExpression' ||
        node.type === 'YieldExpression' ||
        (node.type === 'ForOfStatement' && node.await)))
  );
}

/** The query whose promise nobody has waited for when this node has been evaluated. */
function startedBy(node: Node, fact: Fact, context: CheckoutContext): CallNode | undefined {
  if (
    node.type === 'CallExpression' &&
    !isChained(node) &&
    (isQuery(node, fact, context) || isWork(node, fact, context))
  )
    return node;
  return node.type === 'ReturnStatement' && node.argument !== null
    ? returned(unwrap(node.argument), node, fact, context)
    : undefined;
}

/** A chain, or a function that is called in place, has been gone through as if it had been waited for; it is returned before it settles, unless to a chain. */
function returned(
  value: Node,
  statement: Node,
  fact: Fact,
  context: CheckoutContext,
): CallNode | undefined {
  const { handlers, inlined } = context.graph;
  const fn = findAncestor(statement, isFunction);
  if (fn !== undefined && handlers.has(fn)) return undefined;
  if (value.type === 'CallExpression' && inlined.has(value) && queriesInPlace(value, fact, context))
    return value;
  const start = startOfChain(value);
  return start !== undefined && (isQuery(start, fact, context) || isWork(start, fact, context))
    ? start
    : undefined;
}

function isChained(call: CallNode): boolean {
  const next = nextInChain(call);
  return next !== undefined && isChain(next);
}

function startOfChain(node: Node): CallNode | undefined {
  if (!isChain(node)) return undefined;
  const before = unwrap(node.callee.object);
  return startOfChain(before) ?? (before.type === 'CallExpression' ? before : undefined);
}
