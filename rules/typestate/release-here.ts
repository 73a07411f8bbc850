import type { TSESTree } from '@typescript-eslint/types';
import { isThrown, type Edge, type Point } from '../flow/graph.ts';
import type { CallNode, Node } from '../syntax/node.ts';
import { calledName } from '../syntax/calls.ts';
import type { Driver } from '../model/drivers.ts';
import { deferrals } from '../model/quiet-calls.ts';
import type { CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import { surelyReleases } from './known-calls.ts';
import { useOf, type Use } from '../syntax/uses.ts';

/** Whether the operation of a point releases the client, whoever answers for it. */
export function isReleasedHere(
  fact: Fact,
  { kind, node }: Point,
  { when }: Edge,
  context: CheckoutContext,
): boolean {
  const { accessPaths, graph } = context;
  const { driver } = context.acquisition;
  if (node === null || graph.inlined.has(node))
    return kind === 'invoke' && node !== null && accessPaths.valueOf(node, fact) === 'release';
  const value = kind === 'eval' ? accessPaths.valueOf(node, fact) : undefined;
  return (
    isReleasedBy(node, fact, when, context) ||
    (value === 'client' && isReleaseCall(useOf(node), driver)) ||
    (value === 'release' && callsIt(useOf(node)))
  );
}

/** `giveBack(client)` */
function isReleasedBy(
  node: Node,
  fact: Fact,
  when: Edge['when'],
  context: CheckoutContext,
): boolean {
  return node.type === 'CallExpression' && !isThrown(when) && surelyReleases(fact, node, context);
}

function isReleaseCall(use: Use, { releases }: Driver): boolean {
  return use.kind === 'receiver' && use.call !== null && releases.includes(use.member ?? '');
}

function callsIt(use: Use): boolean {
  return use.kind === 'callee' || (use.kind === 'argument' && isDeferral(use.call));
}

/** `process.nextTick(done)`: nothing but the rest of the current code comes before it. */
export function isDeferral({ callee }: CallNode | TSESTree.NewExpression): boolean {
  return deferrals.has(calledName(callee) ?? '');
}
