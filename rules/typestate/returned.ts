import { pathTo, type State } from '../flow/explore.ts';
import type { Graph } from '../flow/graph.ts';
import { isNothing } from '../syntax/constants.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { someIn } from '../syntax/preorder.ts';
import { findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** The expression whose value the function gives back on the way to this exit; null where it reaches its end. */
export function returnedAt<Fact>(state: State<Fact>, { root }: Graph): Node | null {
  if (root.type !== 'Program' && root.body.type !== 'BlockStatement') return root.body;
  const node = pathTo(state).findLast(
    ({ point }) =>
      point.node?.type === 'ReturnStatement' && findAncestor(point.node, isFunction) === root,
  )?.point.node;
  return node?.type === 'ReturnStatement' ? node.argument : null;
}

/** Whether a function that returns a value here says with `return null` elsewhere that there is none: this is one then. */
export function isSomethingElse(returned: Node, file: SourceFile): boolean {
  const plain = unwrap(returned);
  const fn = findAncestor(returned, isFunction);
  return (
    (plain.type === 'Identifier' || plain.type === 'MemberExpression') &&
    !isNothing(plain) &&
    fn !== undefined &&
    returnsNothing(fn, file)
  );
}

/** `return null;`, `return;` */
function returnsNothing(fn: FunctionNode, file: SourceFile): boolean {
  return someIn(
    file,
    fn.body,
    (node) =>
      node.type === 'ReturnStatement' && (node.argument === null || isNothing(node.argument)),
    isFunction,
  );
}
