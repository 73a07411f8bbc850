import { describeRule } from './rule-text.ts';

/**
 * A lost connection is no harm here: the pool sees for itself that it cannot be queried (pg-pool 3.14 `index.js`, `_release`). But a
 * ROLLBACK that `query_timeout` gives up on while a slow statement runs is taken off the queue and never sent (pg 8.23
 * `lib/client.js`, `query`), and the connection stays in its transaction.
 *
 * Silent where the pool has no `query_timeout`, or where that is not known.
 *
 * Not seen: a failed ROLLBACK whose error goes on to the caller, and helpers whose code is not in the repository.
 */
export default describeRule({
  id: 'no-swallowed-rollback-error',
  description:
    'Disallow releasing a client after a ROLLBACK whose error is ignored, in a pool with `query_timeout`.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    keptAfterFailure:
      'Releases the client with its transaction still open if the ROLLBACK at line {{line}} times out (`query_timeout`). Destroy the connection with `release(rollbackError)`.',
    destroy: 'Pass the error to `release()`.',
  },
});
