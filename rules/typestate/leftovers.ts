import { leftoverProtocol, step, type Leftover, type LeftoverEvent } from './protocols.ts';

/** What the call of a site left on the client. */
export interface SiteLeftover {
  readonly site: number;
  readonly what: Leftover;
}

interface WithLeftovers {
  readonly leftovers: readonly SiteLeftover[];
}

/** The sites that left this on the client, in their order. */
export function sitesOf(
  { leftovers }: WithLeftovers,
  ...kinds: readonly Leftover[]
): readonly number[] {
  return leftovers.flatMap(({ site, what }) => (kinds.includes(what) ? [site] : []));
}

/** The sites whose session state is still in force. */
export function dirtySites(fact: WithLeftovers): readonly number[] {
  return sitesOf(fact, 'lasting', 'revocable');
}

/** Puts what a site left in the place of an earlier one of the same site: of the query itself, or of what it leaves. */
export function withLeftover<Fact extends WithLeftovers>(
  fact: Fact,
  site: number,
  what: Leftover,
): Fact {
  const others = fact.leftovers.filter(
    (each) => each.site !== site || (each.what === 'in flight') !== (what === 'in flight'),
  );
  return { ...fact, leftovers: [...others, { site, what }].sort(inOrder) };
}

/** Equal facts have equal keys, in whatever order their leftovers came. */
function inOrder(one: SiteLeftover, other: SiteLeftover): number {
  return one.site - other.site || (one.what < other.what ? -1 : 1);
}

/** What is left behind an event that concerns some sites, or all. */
export function leftoverEvent<Fact extends WithLeftovers>(
  fact: Fact,
  event: LeftoverEvent,
  concerns: (site: number) => boolean = () => true,
): Fact {
  const isMoved = ({ site, what }: SiteLeftover): boolean =>
    leftoverProtocol[what][event] !== undefined && concerns(site);
  if (!fact.leftovers.some(isMoved)) return fact;
  const leftovers = fact.leftovers.flatMap((each) => {
    const what = isMoved(each) ? step(leftoverProtocol, each.what, event) : each.what;
    return what === 'gone' ? [] : [{ site: each.site, what }];
  });
  return { ...fact, leftovers };
}
