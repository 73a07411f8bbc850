import { excerpt, placeOf } from '../syntax/excerpt.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { isGuarded } from './guards.ts';

/** A listener that releases the client once its connection is lost, beside a release that leaves it there: the second of the two throws in the listener. */
export function findOwningListeners(checkout: Checkout, file: SourceFile): readonly Finding[] {
  const { acquisition, exploration, owningListeners } = checkout;
  if (!exploration.isComplete || mayKnowOfLoss(checkout, file)) return [];
  return [...owningListeners].flatMap(([listener, release]) =>
    release === undefined
      ? []
      : {
          rule: 'no-double-release',
          messageId: 'listenerReleases',
          data: { line: String(release.loc.start.line) },
          place: placeOf(listener),
          steps: [
            {
              place: placeOf(acquisition.call),
              text: `A client is checked out of ${acquisition.poolText}.`,
            },
            { place: placeOf(release), text: `${excerpt(release, file)} releases it.` },
            {
              place: placeOf(listener),
              text: 'The listener is still there and releases it again if the connection is lost: this throws, and the process ends.',
            },
          ],
        },
  );
}

/** Beside a listener that releases a lost client, what else decides about a release may know of that. */
export function mayKnowOfLoss(
  { owningListeners, releaseSites }: Checkout,
  file: SourceFile,
): boolean {
  return owningListeners.size > 0 && [...releaseSites].some((each) => isGuarded(each, file));
}
