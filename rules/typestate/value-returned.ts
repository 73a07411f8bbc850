import type { TSESTree } from '@typescript-eslint/types';
import type { State } from '../flow/explore.ts';
import type { Graph } from '../flow/graph.ts';
import { isFunction, type Node } from '../syntax/node.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { findAncestor, type SourceFile } from '../syntax/source-file.ts';
import type { Checkout, CheckoutContext } from './checkout.ts';
import { withAccessPath, type Fact, type Value } from './facts.ts';
import { isSomethingElse } from './returned.ts';

/**
 * Notes what a function that is followed for its callers gives back: by that, ways on which the client fares alike stay apart for them.
 */
export function noteReturned(
  fact: Fact,
  returned: TSESTree.ReturnStatement,
  { acquisition, graph: { root }, accessPaths, file }: CheckoutContext,
): Fact {
  const isAsked = acquisition.call === root && findAncestor(returned, isFunction) === root;
  const value = isAsked
    ? returned.argument === null
      ? nothingOf(root, file)
      : valueReturned(returned.argument, (node) => accessPaths.valueOf(node, fact), file)
    : undefined;
  return value === undefined
    ? fact
    : withAccessPath(fact, accessPaths.intern({ kind: 'result', call: root }), value);
}

/** What a function gives back on the way to this exit; undefined where that says nothing. */
export function returnedOn(
  state: State<Fact>,
  { graph: { root }, valueOf }: Pick<Checkout, 'graph' | 'valueOf'>,
  file: SourceFile,
): Value | undefined {
  const { accessPaths } = state.fact;
  const noted = accessPaths.find(
    ({ accessPath }) => accessPath.kind === 'result' && accessPath.call === root,
  )?.value;
  if (noted !== undefined || root.type === 'Program') return noted === 'any' ? undefined : noted;
  if (root.body.type === 'BlockStatement') return nothingOf(root, file);
  const value = valueReturned(root.body, (node) => valueOf(node, state.fact), file);
  return value === 'any' ? undefined : value;
}

/** The end of a function, or a `return` without a value, says nothing where no other says more. */
function nothingOf(root: Graph['root'], file: SourceFile): Value | undefined {
  return root.type !== 'Program' && returnedValues(file, root).length > 0 ? 'null' : undefined;
}

/** `return true` may tell the caller that the client is gone; so does `return null` beside what is not null. */
function valueReturned(
  node: Node,
  valueOf: (node: Node) => Value | undefined,
  file: SourceFile,
): Value {
  const value = valueOf(node);
  if (value === undefined) return isSomethingElse(node, file) ? 'some' : 'any';
  return value === 'true' || value === 'false' || value === 'null' ? value : 'any';
}
