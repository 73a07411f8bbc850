import type { TSESTree } from '@typescript-eslint/types';
import { isThrown, type Edge } from '../flow/graph.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import { executorOf } from './before-release.ts';
import type { CheckoutContext } from './checkout.ts';
import { heldBy, withAccessPath, type Fact, type Value } from './facts.ts';
import {
  definitionOf,
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

/** What `resolve(value)` or `reject(error)` does to the promise in whose function it stands. */
export interface Settling {
  readonly promise: Node;
  readonly fulfils: boolean;
}

/** The promise that a function settles, when the one that makes it is part of the graph. */
export function settlingOf(
  callee: Node,
  { file, graph }: Pick<CheckoutContext, 'file' | 'graph'>,
): Settling | undefined {
  const settling = settledBy(callee, file);
  return settling && graph.bodies.has(settling.executor) ? settling : undefined;
}

/** `resolve` and `reject` of a promise that is made in place. */
export function settledBy(
  callee: Node,
  file: SourceFile,
): (Settling & { readonly executor: Node }) | undefined {
  const plain = unwrap(callee);
  const definition = definitionOf(variableOf(file, plain));
  const executor = definition?.node as Node | undefined;
  if (definition?.type !== 'Parameter' || executor === undefined || !isFunction(executor))
    return undefined;
  const promise = parentOf(executor);
  const position = executor.params.indexOf(definition.name as TSESTree.Parameter);
  return promise?.type === 'NewExpression' && executorOf(promise) === executor && position >= 0
    ? { promise, executor, fulfils: position === 0 }
    : undefined;
}

/** The first one decides, and a client that is given to it is what the promise gives. */
export function settlePromise(
  fact: Fact,
  { promise, fulfils }: Settling,
  given: Value | undefined,
  { accessPaths }: CheckoutContext,
): Fact {
  const outcome = accessPaths.intern({ kind: 'outcome', promise });
  if (heldBy(fact, outcome) !== undefined) return fact;
  const decided = withAccessPath(fact, outcome, fulfils ? 'true' : 'false');
  return fulfils && given === 'client'
    ? withAccessPath(decided, accessPaths.intern({ kind: 'result', call: promise }), 'client')
    : decided;
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
  const definition = definitionOf(variableOf(file, plain));
  const declarator =
    definition?.type === 'Variable' && definition.parent.kind === 'const'
      ? (definition.node as unknown as TSESTree.VariableDeclarator)
      : undefined;
  return declarator?.id.type === 'Identifier' && declarator.init?.type === 'NewExpression'
    ? declarator.init
    : undefined;
}
