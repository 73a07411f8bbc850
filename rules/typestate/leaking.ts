import type { TSESTree } from '@typescript-eslint/types';
import { pathTo, type State } from '../flow/explore.ts';
import type { Acquisition } from './acquisition.ts';
import { ownsClient, tellsOfWays, type Checkout } from './checkout.ts';
import type { Fact } from './facts.ts';
import { isChain } from '../syntax/chains.ts';
import { isFunction, type Node } from '../syntax/node.ts';
import { contains, findAncestor, parentOf } from '../syntax/source-file.ts';

/** Where control leaves while the client is still out; empty when not all ways are known. */
export function leakingStates(checkout: Checkout): readonly State<Fact>[] {
  return leakingAmong(checkout.exploration.states, checkout);
}

export function leakingAmong(
  states: readonly State<Fact>[],
  checkout: Checkout,
): readonly State<Fact>[] {
  const { exploration, releases, acquisition } = checkout;
  if (isSomebodyElses(acquisition, releases)) return [];
  if (!tellsOfWays(checkout)) return [];
  const isOwner = ownsClient(checkout);
  const wasLent = exploration.states.some(({ fact }) => fact.wasLent);
  // What else a function gives back that releases nothing may hold the client as well: `return wrappers.get(client)`.
  return states.filter(
    (state) =>
      isLeak(state, checkout) &&
      (releases > 0 ||
        (isOwner && state.point.kind === 'throw-exit') ||
        isLostUnseen(state, wasLent, checkout)),
  );
}

/** What the client is in outlives this function, which may be one of several that speak to it. */
function isSomebodyElses({ owner, itself, mayBeBorrowed }: Acquisition, releases: number): boolean {
  if (itself?.answers === 'caller' || (owner?.clientOwner && owner.answers === 'somebody'))
    return true;
  if (mayBeBorrowed === true && releases > 0) return true;
  return (owner !== undefined || itself?.answers === 'somebody') && releases === 0;
}

/**
 * Where nothing is released here, whoever was lent the client on any way may have taken it over. On a way on which nobody was, it is
 * lost all the same; but a loop that lends it is taken to run.
 */
function isLostUnseen(leak: State<Fact>, wasLent: boolean, checkout: Checkout): boolean {
  if (leak.fact.wasLent) return false;
  return (
    !wasLent ||
    leak.point.kind === 'throw-exit' ||
    returnsEarly(sinceAcquire(checkout, leak), checkout)
  );
}

/** By a `return` of the function or of a callback: what a helper or a handler of a promise returns, the code behind it gets. */
function returnsEarly(way: readonly State<Fact>[], { graph }: Checkout): boolean {
  return way.some(({ point: { node } }) => {
    const fn = node?.type === 'ReturnStatement' ? findAncestor(node, isFunction) : undefined;
    return fn !== undefined && (fn === graph.root || isCallback(fn, graph));
  });
}

function isCallback(fn: Node, { inlined }: Checkout['graph']): boolean {
  const call = parentOf(fn);
  return (
    call?.type === 'CallExpression' && call.callee !== fn && !isChain(call) && !inlined.has(call)
  );
}

/** What `end()` leaves behind is told where that stands: see `ended-client.ts`. */
function isLeak(state: State<Fact>, checkout: Checkout): boolean {
  return !state.fact.isEnded && (keepsClient(state) || losesReturned(state, checkout));
}

/** An exception of a `finally` takes the place of the very `return` that would have given the client back. */
function losesReturned(state: State<Fact>, checkout: Checkout): boolean {
  if (state.fact.status !== 'returned' || state.point.kind !== 'throw-exit') return false;
  if (state.fact.followsImplicitThrow) return false;
  const path = pathTo(state);
  const first = path.findIndex(({ fact }) => fact.status === 'returned');
  const returned = path[first]?.from?.point.node ?? null;
  const statement = returned && findAncestor(returned, isReturn);
  return (
    statement?.argument === returned &&
    path
      .slice(first)
      .every(
        ({ point: { node }, fact }) =>
          node === null ||
          (isBehind(node, statement) &&
            !(node.type === 'CallExpression' && checkout.valueOf(node.callee, fact) === 'release')),
      )
  );
}

/** In a `finally` around a `return`, and not in one that releases; or the `return` itself. */
function isBehind(node: Node, statement: TSESTree.ReturnStatement): boolean {
  return node === statement || contains(statement, node) || enclosingFinally(node, statement);
}

function enclosingFinally(node: Node, statement: TSESTree.ReturnStatement): boolean {
  const enclosing = findAncestor(
    node,
    (each): each is TSESTree.TryStatement =>
      each.type === 'TryStatement' &&
      contains(each, statement) &&
      each.finalizer !== null &&
      contains(each.finalizer, node),
  );
  return enclosing !== undefined;
}

function isReturn(node: Node): node is TSESTree.ReturnStatement {
  return node.type === 'ReturnStatement';
}

/** The function ends, or acquires again, and has not released the client. */
export function keepsClient({ point, fact }: State<Fact>): boolean {
  if (fact.followsImplicitThrow) return false;
  if (fact.status === 'lost') return true;
  return (
    (fact.status === 'held' || fact.status === 'pending') &&
    (point.kind === 'exit' || point.kind === 'throw-exit')
  );
}

/** The part of the path on which the client is out: from the last checkout on, or from the one before where that one loses it. */
export function sinceAcquire(checkout: Checkout, leak: State<Fact>): readonly State<Fact>[] {
  const path = pathTo(leak);
  const starts = path.flatMap(({ point }, index) =>
    point.kind === 'eval' && point.node === checkout.acquisition.call ? [index] : [],
  );
  return path.slice(starts.at(leak.fact.status === 'lost' ? -2 : -1) ?? 0);
}
