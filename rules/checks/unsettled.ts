import { type Node, isFunction } from '../syntax/node.ts';
import { isWaitedFor } from '../syntax/chains.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Here } from '../values/resolver.ts';
import type { Finding } from './finding.ts';
import { checkedOut, stepOf } from './path-step.ts';
import { addAwait } from '../fixes/add-await.ts';
import { parentOf } from '../syntax/source-file.ts';

/**
 * Queries that still run when their client goes back, and that somebody waits for after that: `return client.query()` under a
 * `finally` that releases. What nobody ever waits for is done before anything that the next borrower asks for, because a client
 * runs its queries one after the other (pg 8.23 `lib/client.js`, `_pulseQueryQueue`): a stray `ROLLBACK` does its job.
 */
export function findUnsettledQueries(
  checkout: Checkout,
  { file, resolver }: Here,
): readonly Finding[] {
  const { acquisition, unsettledReleases } = checkout;
  return [...unsettledReleases]
    .filter(([query]) => isWaitedFor(query))
    .map(([query, release]) => {
      const returned = enclosingReturn(query);
      const place = returned ?? query;
      return {
        rule: 'no-use-after-release',
        messageId: returned === undefined ? 'notAwaited' : 'returnedUnsettled',
        data: {
          pool: acquisition.poolText,
          line: String(release.loc.start.line),
        },
        place: place.loc,
        steps: [
          checkedOut(checkout),
          stepOf(place, file, 'starts and is not awaited.'),
          stepOf(release, file, 'releases the client while the query is running.'),
        ],
        suggestions: addAwait(place, query, { checkout, file, resolver }),
      };
    });
}

/** The whole value of the `return` in which a query stands. */
function enclosingReturn(query: Node): Node | undefined {
  for (
    let inner = query, up = parentOf(query);
    up !== undefined && !isFunction(up);
    inner = up, up = parentOf(up)
  ) {
    if (up.type === 'ReturnStatement') return inner;
  }
  return undefined;
}
