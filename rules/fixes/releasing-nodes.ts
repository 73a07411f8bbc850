import type { Node } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';

/** Where the client is released on any way, helpers that release it among them: the places at which it stops being held. */
export function releasingNodes({ exploration: { states } }: Checkout): ReadonlySet<Node> {
  const nodes = new Set<Node>();
  for (const { fact, from } of states) {
    const node = from?.point.node ?? null;
    if (
      fact.status === 'released' &&
      from !== null &&
      from.fact.status !== 'released' &&
      node !== null
    )
      nodes.add(node);
  }
  return nodes;
}
