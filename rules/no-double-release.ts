import { describeRule } from './rule-text.ts';

/**
 * `client.release` is written anew at each checkout (pg-pool 3.14 `index.js`, `_acquireClient`). So a late second call gives away
 * the checkout of whoever has the client by then: a third caller gets the same connection, inside of somebody's transaction.
 * Called early, or as the `done` of the first checkout, it throws. What other drivers do is in `model/drivers.ts`.
 *
 * Not seen: releases in functions that somebody calls later, such as listeners and timers.
 */
export default describeRule({
  id: 'no-double-release',
  description:
    "A client is released twice on some path, and the second call may give away somebody else's.",
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    releasedAgain:
      'Line {{line}} has already released this client of `{{pool}}` on some path: this call {{effect}}, or, when somebody else has the client by now, lends it to a third caller in the middle of their work. {{remedy}}.',
    releasedInEachRound:
      'This releases the same client of `{{pool}}` on some path more than once: the second call {{effect}}, or, when somebody else has the client by now, lends it to a third caller in the middle of their work. {{remedy}}.',
    lenderReleases:
      'Double release: `{{lender}}` releases this client again when its callback ends. The second call {{effect}}, or ends the checkout of whoever has the client by then. Leave the release to `{{lender}}`.',
    dropRelease: 'Remove the release at line {{lines}}.',
    dropReleases: 'Remove the releases at lines {{lines}}.',
    releaseInFinally: 'Release the client once, in a `finally`.',
    moveIntoTry:
      'Leave the release to the `finally`, and begin the `try` right after the checkout.',
  },
});
