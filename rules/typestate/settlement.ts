import type { TSESTree } from '@typescript-eslint/types';
import { isThrown, type Edge } from '../flow/graph.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import type { CheckoutContext } from './checkout.ts';
import { heldBy, withAccessPath, type Fact } from './facts.ts';
import {
  definitionOf,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

/** What a call does to the promise in whose function it stands: `resolve(value)` or `reject(error)`. */
export interface Settling {
  readonly promise: TSESTree.NewExpression;
  readonly fulfils: boolean;
}

/** The promise that a call settles, when its function is part of the graph. */
export function settlingOf(
  { callee }: TSESTree.CallExpression | TSESTree.NewExpression,
  { file, graph }: CheckoutContext,
): Settling | undefined {
  const definition =
    callee.type === 'Identifier' ? definitionOf(variableOf(file, callee)) : undefined;
  if (definition?.type !== 'Parameter') return undefined;
  const executor = definition.node as unknown as FunctionNode;
  const promise =
    isFunction(executor) && graph.bodies.has(executor) ? parentOf(executor) : undefined;
  const position = executor.params.findIndex(
    (param) => param === (definition.name as unknown as Node),
  );
  return promise?.type === 'NewExpression' && position >= 0
    ? { promise, fulfils: position === 0 }
    : undefined;
}

/** The first call decides, and a client that is given to it is what the promise gives. */
export function settlePromise(
  fact: Fact,
  call: TSESTree.CallExpression,
  context: CheckoutContext,
): Fact {
  const settling = settlingOf(call, context);
  if (settling === undefined) return fact;
  const { promise, fulfils } = settling;
  const settled = context.accessPaths.intern({ kind: 'outcome', promise });
  if (heldBy(fact, settled) !== undefined) return fact;
  const [argument] = call.arguments;
  const isClient =
    fulfils && argument !== undefined && context.accessPaths.valueOf(argument, fact) === 'client';
  const decided = withAccessPath(fact, settled, fulfils ? 'true' : 'false');
  const given = context.accessPaths.intern({ kind: 'result', call: promise });
  return isClient ? withAccessPath(decided, given, 'client') : decided;
}

/** True when a promise is known to settle otherwise than this edge says. */
export function cannotSettle(
  fact: Fact,
  awaited: Node,
  edge: Edge,
  context: CheckoutContext,
): boolean {
  const { file, accessPaths } = context;
  if (isThrown(edge.when) && hasGiven(fact, awaited, context)) return true;
  const promise = promiseIn(awaited, file);
  const outcome = promise && heldBy(fact, accessPaths.intern({ kind: 'outcome', promise }));
  return outcome !== undefined && (outcome === 'true') === isThrown(edge.when);
}

/** Awaited again, a promise that has given its client gives it again: `await client` in a `finally`, `await provide()`. */
function hasGiven(
  fact: Fact,
  awaited: Node,
  { acquisition: { joined }, accessPaths }: CheckoutContext,
): boolean {
  return (
    joined === undefined &&
    (fact.status === 'held' || fact.status === 'released') &&
    accessPaths.valueOf(awaited, fact) === 'promise'
  );
}

function promiseIn(node: Node, file: SourceFile): TSESTree.NewExpression | undefined {
  const plain = unwrap(node);
  if (plain.type === 'NewExpression') return plain;
  const definition =
    plain.type === 'Identifier' ? definitionOf(variableOf(file, plain)) : undefined;
  const declarator =
    definition?.type === 'Variable' && definition.parent.kind === 'const'
      ? (definition.node as unknown as TSESTree.VariableDeclarator)
      : undefined;
  return declarator?.id.type === 'Identifier' && declarator.init?.type === 'NewExpression'
    ? declarator.init
    : undefined;
}
