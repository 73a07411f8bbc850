import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepAt, stepOf } from './path-step.ts';
import { isGuarded } from './guards.ts';

/** A listener that releases the client once its connection is lost, beside a release that leaves it there: the second of the two throws in the listener. */
export function findOwningListeners(checkout: Checkout, file: SourceFile): readonly Finding[] {
  const { exploration, owningListeners } = checkout;
  if (!exploration.isComplete || mayKnowOfLoss(checkout, file)) return [];
  return [...owningListeners].flatMap(([listener, release]) =>
    release === undefined
      ? []
      : {
          rule: 'no-double-release',
          messageId: 'listenerReleases',
          data: { line: String(release.loc.start.line) },
          place: listener.loc,
          steps: [
            checkedOut(checkout),
            stepOf(release, file, 'releases it.'),
            stepAt(
              listener,
              'The listener is still there and releases it again if the connection is lost: this throws, and the process ends.',
            ),
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
