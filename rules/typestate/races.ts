import type { CallNode } from '../syntax/node.ts';
import { isThrown, type Edge } from '../flow/graph.ts';
import { afterUse } from './after-use.ts';
import type { CheckoutContext } from './checkout.ts';
import { withAccessPath, type Fact } from './facts.ts';

/**
 * The facts after `Promise.race([pool.connect(), late])`: the race gives either the client or the result of another promise. In the second
 * case only the code that has the client's own promise gets the client. A call on a result that is not a client has no meaning here. Undefined
 * for any other call.
 */
export function runRace(
  fact: Fact,
  call: CallNode,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] | undefined {
  const { acquisition, accessPaths } = context;
  if (asksLoser(fact, call, context)) return [];
  if (call !== acquisition.raced?.call || fact.status !== 'pending' || isThrown(edge.when))
    return undefined;
  const promise = accessPaths.intern({ kind: 'result', call });
  return (['promise', ...acquisition.raced.otherwise] as const).map((value) =>
    afterUse(withAccessPath(fact, promise, value), call, context),
  );
}

/** `client.query(…)`, where another promise was first and gave no client. */
function asksLoser(
  fact: Fact,
  { callee }: CallNode,
  { acquisition: { raced }, accessPaths }: CheckoutContext,
): boolean {
  return (
    raced !== undefined &&
    fact.status === 'pending' &&
    callee.type === 'MemberExpression' &&
    !callee.optional &&
    accessPaths.valueOf(callee.object, fact) === 'null'
  );
}
