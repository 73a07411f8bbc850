import type { State } from '../flow/explore.ts';
import { isConclusive, type Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';

/**
 * The states in which the client surely is out and in this function's hands. One that was handed on and that this function releases
 * all the same was in its hands until then. What was lent and comes back nowhere may be somebody else's from then on. Ways over
 * exceptions that hardly ever happen count where no other way leads.
 */
export function heldStates(checkout: Checkout): readonly State<Fact>[] {
  const {
    acquisition: { style },
    exploration: { states, isComplete },
  } = checkout;
  if (!isComplete) return [];
  const mayBeLost = !isConclusive(checkout);
  // A lent client stays with its lender until the callback ends, whoever else gets it there.
  const back =
    style === 'lent'
      ? new Set(states.filter(({ fact }) => fact.status === 'escaped'))
      : handedOnAndBack(states);
  const isHeld = (state: State<Fact>): boolean =>
    (state.fact.status === 'held' || back.has(state)) && !(mayBeLost && state.fact.wasLent);
  const likely = new Set(
    states.flatMap(({ point, fact }) => (fact.followsImplicitThrow ? [] : [point])),
  );
  return states.filter(
    (state) => isHeld(state) && (!state.fact.followsImplicitThrow || !likely.has(state.point)),
  );
}

/** The states on the ways to a release in which the client was somebody else's, too. */
function handedOnAndBack(states: readonly State<Fact>[]): ReadonlySet<State<Fact>> {
  const back = new Set<State<Fact>>();
  for (const state of states) {
    if (state.fact.status !== 'released') continue;
    for (
      let each = state.from;
      each !== null && each.fact.status === 'escaped' && !back.has(each);
      each = each.from
    )
      back.add(each);
  }
  return back;
}
