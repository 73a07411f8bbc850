import type { Node } from '../syntax/node.ts';
import type { Point } from '../flow/graph.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { poolNeedsOf } from '../summaries/pool-needs.ts';
import type { Resolver } from '../values/resolver.ts';
import { contains, type SourceFile } from '../syntax/source-file.ts';

/** Releases that are to move after the end of a range, and what is asked of the way there. */
export interface Postponed {
  readonly releases: readonly Node[];
  readonly range: Node['range'];
  /** Places that name the client: what waits for these waits for the client itself. */
  readonly uses: readonly Node[];
}

/** Asks `isHeldAsLong` of one checkout. */
export type IsAsLong = (range: Node['range'], releases: readonly Node[]) => boolean;

/** Whether the client would be held hardly any longer: after its releases nothing in the range waits for something else, or asks for a client. */
export function isHeldAsLong(
  { graph }: Checkout,
  postponed: Postponed,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  const seen = new Set<Point>(
    graph.points.filter(
      ({ node }) => node !== null && postponed.releases.some((each) => contains(each, node)),
    ),
  );
  for (const point of seen) {
    if (point.node !== null && !isInRange(point.node, postponed.range)) continue;
    if (isDelay(point, postponed, file, resolver)) return false;
    for (const { to, when } of point.edges) if (when !== 'implicit-throw') seen.add(to);
  }
  return true;
}

function isInRange(node: Node, [start, end]: Node['range']): boolean {
  return start <= node.range[0] && node.range[1] <= end;
}

function isDelay(
  { kind, node }: Point,
  { releases, uses }: Postponed,
  file: SourceFile,
  resolver: Resolver,
): boolean {
  if (
    node === null ||
    [...releases, ...uses].some((each) => contains(node, each) || contains(each, node))
  )
    return false;
  if (
    kind === 'settle' ||
    node.type === 'AwaitExpression' ||
    node.type === 'YieldExpression' ||
    (node.type === 'ForOfStatement' && node.await)
  )
    return true;
  return node.type === 'CallExpression' && poolNeedsOf(node, file, resolver).length > 0;
}
