import { pathTo, type State } from '../flow/explore.ts';
import type { Graph } from '../flow/graph.ts';
import { type Node, isFunction } from '../syntax/node.ts';
import { findAncestor } from '../syntax/source-file.ts';

/** The expression whose value the function gives back on the way to this exit; null where it reaches its end. */
export function returnedAt<Fact>(state: State<Fact>, { root }: Graph): Node | null {
  if (root.type !== 'Program' && root.body.type !== 'BlockStatement') return root.body;
  const node = pathTo(state).findLast(
    ({ point }) =>
      point.node?.type === 'ReturnStatement' && findAncestor(point.node, isFunction) === root,
  )?.point.node;
  return node?.type === 'ReturnStatement' ? node.argument : null;
}
