import { dirtySites } from '../typestate/leftovers.ts';
import type { Edge, Point } from '../flow/graph.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { leakingStates } from '../typestate/leaking.ts';
import { unwrap } from '../syntax/source-file.ts';

/**
 * What is open on the client where it is lost. `nothing` needs no more than a release; a transaction that an exception leaves open
 * wants a ROLLBACK before it; of all else nobody can tell what is meant.
 */
export function leftOpen(checkout: Checkout): 'nothing' | 'transaction' | 'unclear' {
  if (leakingStates(checkout).some(({ fact }) => dirtySites(fact).length > 0)) return 'unclear';
  const ends = endsInTransaction(checkout);
  return ends.has('exit') ? 'unclear' : ends.has('throw-exit') ? 'transaction' : 'nothing';
}

/** How control leaves with neither a release nor the end of the transaction since a BEGIN that succeeded. */
function endsInTransaction({
  acquisition,
  graph,
  releaseSites,
  session,
}: Checkout): ReadonlySet<Point['kind']> {
  const does = ({ kind, node }: Point, transaction: 'begin' | 'end'): boolean =>
    kind === 'eval' &&
    node?.type === 'CallExpression' &&
    session.sent.get(node)?.kinds.some((each) => each.transaction === transaction) === true;
  const seen = new Set(
    graph.points.filter((point) => does(point, 'begin')).flatMap((begin) => pointsAfter(begin)),
  );
  const ends = new Set<Point['kind']>();
  for (const point of seen) {
    ends.add(point.kind);
    const isOver =
      does(point, 'end') ||
      (point.node !== null && (releaseSites.has(point.node) || point.node === acquisition.call));
    if (!isOver) for (const { to } of point.edges.filter(isLikely)) seen.add(to);
  }
  return ends;
}

/** A BEGIN that fails has begun nothing, so the way goes on where it has been waited for. */
function pointsAfter(begin: Point): readonly Point[] {
  return begin.edges
    .filter(isLikely)
    .flatMap(({ to }) =>
      to.node?.type === 'AwaitExpression' && unwrap(to.node.argument) === begin.node
        ? to.edges.filter(({ when }) => when === 'next').map((each) => each.to)
        : to,
    );
}

function isLikely({ when }: Edge): boolean {
  return when !== 'implicit-throw';
}
