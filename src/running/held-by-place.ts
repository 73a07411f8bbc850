import type { CodePlace, HeldCheckout } from '../../monitor/report.ts';
import { placeKey, topOf } from './place-key.ts';
import type { RunningPool } from './running-app.ts';

/** The checkouts that one line of code has made and that have been out for long. */
export interface HeldPlace {
  /** Null for those without stacks. */
  readonly place: CodePlace | null;
  readonly count: number;
  readonly longestMs: number;
  /** Longest first. */
  readonly checkouts: readonly HeldCheckout[];
}

/** What is held, by where it was acquired: where the most are held first, then where the longest is. */
export function heldByPlace(
  { held }: Pick<RunningPool, 'held'>,
  now: number,
): readonly HeldPlace[] {
  const groups = new Map<string, HeldCheckout[]>();
  for (const checkout of [...held].sort((one, other) => one.since - other.since)) {
    const place = topOf(checkout.acquiredAt);
    const key = place === null ? '' : placeKey(place);
    groups.set(key, [...(groups.get(key) ?? []), checkout]);
  }
  return [...groups.values()]
    .map((checkouts) => asPlace(checkouts, now))
    .sort((one, other) => other.count - one.count || other.longestMs - one.longestMs);
}

function asPlace(checkouts: readonly HeldCheckout[], now: number): HeldPlace {
  const [longest] = checkouts;
  return {
    place: topOf(longest?.acquiredAt ?? []),
    count: checkouts.length,
    longestMs: Math.max(0, now - (longest?.since ?? now)),
    checkouts,
  };
}
