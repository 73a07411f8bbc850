import { libraryFor } from '../model/libraries.ts';
import type { Held } from '../summaries/held-paths.ts';
import type { Node } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { ambientsIn } from './ambient-queries.ts';
import type { Analysis } from './analysis.ts';
import { isPooledClient } from './session/pooled-clients.ts';
import type { Ambient } from './started.ts';

/** What an expression holds when a call is made. */
type HeldAt = (node: Node, call: Node) => Held | undefined;

export interface Holding {
  readonly heldAt: HeldAt;
  readonly ambientAt?: (call: Node) => Ambient | undefined;
}

/** A client that is checked out, or one of the program's own. */
export function clientsAt(analysis: Analysis, calls: ReadonlySet<Node>): Holding {
  const { file, resolver } = analysis;
  const { checkoutAt } = checkoutsAt(analysis, calls);
  return {
    heldAt(node, call) {
      const isClient =
        isName(node) &&
        (checkoutAt(node, call) !== undefined ||
          resolver.abstractValueOf(node, file)?.kind === 'connection' ||
          isPooledClient(node, analysis));
      return isClient ? { library: null, of: file.text.slice(...node.range) } : undefined;
    },
  };
}

/** The handle of a connection that a library has lent. */
export function handlesAt(analysis: Analysis, calls: ReadonlySet<Node>): Holding {
  const { checkoutAt, enclosingCheckouts } = checkoutsAt(analysis, calls);
  const ambients = ambientsIn(analysis);
  return {
    ambientAt: (call) =>
      enclosingCheckouts(call).flatMap((checkout) => ambients(checkout) ?? [])[0],
    heldAt(node, call) {
      const checkout = isName(node) ? checkoutAt(node, call) : undefined;
      const library = checkout && libraryFor(checkout.acquisition.driver);
      return library && { library, of: checkout };
    },
  };
}

function isName({ type }: Node): boolean {
  return type === 'Identifier' || type === 'MemberExpression';
}

/** The checkouts whose clients are held when a call is made, and the one whose client an expression is then. */
function checkoutsAt(
  { checkouts }: Analysis,
  calls: ReadonlySet<Node>,
): {
  readonly checkoutAt: (node: Node, call: Node) => Checkout | undefined;
  readonly enclosingCheckouts: (call: Node) => readonly Checkout[];
} {
  const states = checkouts.flatMap((checkout) =>
    checkout.exploration.states
      .filter(
        ({ point, fact }) =>
          point.kind === 'eval' &&
          point.node !== null &&
          calls.has(point.node) &&
          fact.status !== 'none' &&
          !fact.followsImplicitThrow,
      )
      .map((state) => ({ state, checkout })),
  );
  const byCall = new Map<Node | null, typeof states>();
  for (const each of states) {
    const { node } = each.state.point;
    byCall.set(node, [...(byCall.get(node) ?? []), each]);
  }
  const statesAt = (call: Node): typeof states => byCall.get(call) ?? [];
  return {
    checkoutAt: (node, call) =>
      statesAt(call).find(({ state, checkout }) => checkout.valueOf(node, state.fact) === 'client')
        ?.checkout,
    enclosingCheckouts: (call) => [
      ...new Set(
        statesAt(call).flatMap(({ state, checkout }) =>
          state.fact.status === 'held' || state.fact.status === 'escaped' ? checkout : [],
        ),
      ),
    ],
  };
}
