import { describeRule } from './rule-text.ts';

/**
 * `client.release` is replaced at each checkout (pg-pool 3.14 `index.js`, `_acquireClient`), so a late second call ends the checkout
 * of another caller: a third one gets the same connection, inside that caller's transaction. An early second call, or one through the
 * `done` of the first checkout, throws. `model/protocols.ts` has what other drivers do.
 *
 * Not seen: releases in functions that are called later, such as timers, and listeners other than those of the client's `error`.
 */
export default describeRule({
  id: 'no-double-release',
  description:
    'Disallow releasing a client twice, which can take the connection from its next user.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  safeSuggestions: ['dropRelease', 'dropReleases', 'releaseInFinally', 'moveIntoTry'],
  messages: {
    releasedAgain:
      'Double release: line {{line}} already releases this client, and another caller may be using it by now. {{remedy}}.',
    releasedInEachRound:
      'Double release: a second run of this line releases the client again, and another caller may be using it by now. {{remedy}}.',
    lenderReleases:
      'Double release: `{{lender}}` releases this client again when its callback ends. Leave the release to `{{lender}}`.',
    listenerReleases:
      'Double release: if the connection is lost after line {{line}}, this listener releases again, which ends the process. Let the listener only log the error, and leave the release to line {{line}}.',
    dropRelease: 'Remove the release at line {{lines}}.',
    dropReleases: 'Remove the releases at lines {{lines}}.',
    releaseInFinally: 'Release the client once, in a `finally`.',
    moveIntoTry: 'Start the `try` right after the checkout and release in its `finally` only.',
  },
});
