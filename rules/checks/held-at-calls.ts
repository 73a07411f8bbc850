import { libraryFor } from '../model/libraries.ts';
import type { Held } from '../summaries/held-paths.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Analysis } from './analysis.ts';
import { isPooledClient } from './session/pooled-clients.ts';
import type { Ambient } from './started.ts';
import { poolsHeldBy } from '../summaries/pool-needs.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { HandleCall } from '../values/handle-call.ts';
import { handleAt } from '../values/handles.ts';
import { takingCall } from '../values/library-calls.ts';
import { joinsTransaction } from '../values/queries-join.ts';
import { isSamePoolAt } from '../values/same-pool.ts';

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

/** The transaction of a checkout, where queries of the pool's handles go over it without being told. */
function ambientsIn({ file, resolver }: Analysis): (checkout: Checkout) => Ambient | undefined {
  const known = new Map<Checkout, Ambient | undefined>();
  const ambientOf = (checkout: Checkout): Ambient | undefined => {
    const { call, driver, style } = checkout.acquisition;
    const library = libraryFor(driver);
    if (library === undefined || style !== 'lent' || call.type !== 'CallExpression')
      return undefined;
    const joins = (asked: HandleCall, at: SourceFile): boolean =>
      library.ambient === null
        ? joinsTransaction(asked, at, resolver)
        : library.ambient.isJoinedBy === 'handles';
    const held = poolsHeldBy(call, file, resolver);
    return {
      held: { library, of: checkout },
      isOver(query, at) {
        const asked = queryWithoutConnection(query, at, resolver);
        if (asked === undefined) return false;
        const handle = handleAt(asked.handle, at, resolver);
        const isCurrent = handle?.currentOf === library.module && asked.library.together !== null;
        return (
          (isCurrent || (!asked.mayBeLent && joins(asked, at))) &&
          held.some(({ pool }) => isSamePoolAt(resolver, pool, { node: asked.handle, file: at }))
        );
      },
    };
  };
  return (checkout) => {
    if (!known.has(checkout)) known.set(checkout, ambientOf(checkout));
    return known.get(checkout);
  };
}

/** A statement that learns of no connection. */
function queryWithoutConnection(
  query: CallNode,
  file: SourceFile,
  resolver: Analysis['resolver'],
): HandleCall | undefined {
  const asked = takingCall(query, file, resolver);
  return asked?.sends === true && asked.told.kind === 'nothing' ? asked : undefined;
}
