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
    'Disallow releasing a client twice, which can take the connection from its next user.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    releasedAgain:
      'Double release: line {{line}} already releases this client, and another caller may be using it by now. {{remedy}}.',
    releasedInEachRound:
      'Double release: a second run of this line releases the client again, and another caller may be using it by now. {{remedy}}.',
    lenderReleases:
      'Double release: `{{lender}}` releases this client again when its callback ends. Leave the release to `{{lender}}`.',
    dropRelease: 'Remove the release at line {{lines}}.',
    dropReleases: 'Remove the releases at lines {{lines}}.',
    releaseInFinally: 'Release the client once, in a `finally`.',
    moveIntoTry: 'Start the `try` right after the checkout and release in its `finally` only.',
  },
});
